-- Ends access tokens that depend on a permission or role that the member has lost: the family receives a new id, and
-- the log has the former id. Refresh tokens name the first id and continue, with narrower access tokens.
CREATE OR REPLACE FUNCTION "end_tokens_beyond_roles"("account" uuid, "organization" uuid) RETURNS void LANGUAGE sql AS $$
	WITH held AS (
		SELECT m.role,
			array(
				SELECT r.key FROM member_roles h JOIN organization_roles r ON r.id = h.role_id
				WHERE h.user_id = account AND h.organization_id = organization
			) || m.role AS keys,
			array(
				SELECT unnest(r.permissions) FROM member_roles h JOIN organization_roles r ON r.id = h.role_id
				WHERE h.user_id = account AND h.organization_id = organization
			) AS permissions
		FROM members m WHERE m.user_id = account AND m.organization_id = organization
	),
	beyond AS (
		SELECT f.id, f.access_expires_at FROM oauth_token_families f, held
		WHERE f.user_id = account AND f.organization_id = organization AND f.revoked_at IS NULL
			AND (f.permissions <> '{}' OR f.roles <> '{}')
			AND NOT (f.roles <@ held.keys AND (held.role = 'owner' OR f.permissions <@ held.permissions))
		FOR UPDATE OF f
	),
	renamed AS (
		UPDATE oauth_token_families f
		SET id = gen_random_uuid(), origin_id = coalesce(f.origin_id, f.id), permissions = '{}', roles = '{}'
		FROM beyond WHERE f.id = beyond.id
		RETURNING beyond.id, beyond.access_expires_at
	)
	INSERT INTO session_events (session_id, kind, reason, at, expires_at)
	SELECT id, 'revoked', 'permission_lost', clock_timestamp(), access_expires_at + interval '5 seconds' FROM renamed
$$;
