-- Ends access tokens that depend on a group that the member has left: the family receives a new id, and the log has the
-- former id, as after the loss of a role. The groups are those of `src/models/conditions/member-group-names.ts`.
CREATE OR REPLACE FUNCTION "end_tokens_beyond_groups"("account" uuid) RETURNS void LANGUAGE sql AS $$
	WITH beyond AS (
		SELECT f.id, f.access_expires_at FROM oauth_token_families f
		WHERE f.user_id = account AND f.revoked_at IS NULL AND f.groups <> '{}'
			AND NOT f.groups <@ array(
				SELECT g.name FROM member_group_members x JOIN member_groups g ON g.id = x.group_id
				WHERE x.user_id = account AND x.organization_id = f.organization_id
				UNION
				SELECT g.display_name FROM directory_users u JOIN directory_group_members x ON x.record_id = u.id
				JOIN directory_groups g ON g.id = x.group_id JOIN directories d ON d.id = g.directory_id
				WHERE u.user_id = account AND d.organization_id = f.organization_id
			)
		FOR UPDATE OF f
	),
	renamed AS (
		UPDATE oauth_token_families f
		SET id = gen_random_uuid(), origin_id = coalesce(f.origin_id, f.id), permissions = '{}', roles = '{}', groups = '{}'
		FROM beyond WHERE f.id = beyond.id
		RETURNING beyond.id, beyond.access_expires_at
	)
	INSERT INTO session_events (session_id, kind, reason, at, expires_at)
	SELECT id, 'revoked', 'permission_lost', clock_timestamp(), access_expires_at + interval '5 seconds' FROM renamed
$$;
