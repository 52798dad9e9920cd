ALTER TABLE "sso_identities" ADD COLUMN "kept_power" jsonb;--> statement-breakpoint
-- Connections whose responsible person left before the release: the members of now go on (section 29.12).
UPDATE "sso_identities" i
SET kept_power = jsonb_build_object('role', p.role, 'granted', p.granted)
FROM (
	SELECT k.id, m.role, coalesce(jsonb_agg(DISTINCT x.permission) FILTER (WHERE x.permission IS NOT NULL), '[]') AS granted
	FROM sso_connections c
	JOIN sso_identities k ON k.connection_id = c.id
	JOIN members m ON m.organization_id = c.organization_id AND m.user_id = k.user_id
	LEFT JOIN member_roles h ON h.organization_id = m.organization_id AND h.user_id = m.user_id
	LEFT JOIN organization_roles r ON r.id = h.role_id
	LEFT JOIN LATERAL unnest(r.permissions) x (permission) ON true
	WHERE c.confirmed_power -> 'departed' IS NOT NULL
	GROUP BY k.id, m.role
) p
WHERE i.id = p.id AND (p.role <> 'member' OR p.granted <> '[]');
