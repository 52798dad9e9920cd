-- The power of a person in an organization now, as src/vocabulary/member-power.ts has powers: an administrator of the
-- platform has every power, and a person without a membership none.
CREATE OR REPLACE FUNCTION "power_of_person"("organization" uuid, "person" uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT CASE
		WHEN EXISTS (SELECT 1 FROM users u WHERE u.id = person AND u.platform_role IN ('admin', 'owner'))
			THEN jsonb_build_object('role', 'owner', 'granted', jsonb_build_array())
		ELSE jsonb_build_object(
			'role', coalesce(
				(SELECT m.role FROM members m WHERE m.organization_id = organization AND m.user_id = person), 'member'
			),
			'granted', array(
				SELECT DISTINCT p FROM member_roles h JOIN organization_roles r ON r.id = h.role_id
				CROSS JOIN LATERAL unnest(r.permissions) p
				WHERE h.organization_id = organization AND h.user_id = person ORDER BY p
			)
		)
	END
$$;
