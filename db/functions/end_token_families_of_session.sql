-- The end of a session ends its token families and informs their clients (OpenID Connect Back-Channel Logout).
-- Families with offline access outlive the session.
CREATE OR REPLACE FUNCTION "end_token_families_of_session"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_token_families(
		ARRAY(SELECT id FROM oauth_token_families WHERE session_id = new.id AND NOT offline AND revoked_at IS NULL),
		new.revoked_reason, new.revoked_at);
	PERFORM queue_client_logouts(new.id, new.revoked_at);
	RETURN NULL;
END
$$;

CREATE TRIGGER "sessions_end_token_families" AFTER UPDATE OF "revoked_at" ON "sessions" FOR EACH ROW
	WHEN (old.revoked_at IS NULL AND new.revoked_at IS NOT NULL) EXECUTE FUNCTION end_token_families_of_session();
