-- The deletion of a grant, a client or a user deletes token families by cascade, families inserted meanwhile included:
-- an event for each family with a valid access token.
CREATE OR REPLACE FUNCTION "log_deleted_token_family"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO session_events (session_id, kind, reason, at, expires_at)
	VALUES (old.id, 'revoked', 'grant_revoked', clock_timestamp(), old.access_expires_at + interval '5 seconds');
	RETURN NULL;
END
$$;

CREATE TRIGGER "oauth_token_families_log_deletion" AFTER DELETE ON "oauth_token_families" FOR EACH ROW
	WHEN (old.revoked_at IS NULL AND old.access_expires_at > clock_timestamp()) EXECUTE FUNCTION log_deleted_token_family();
