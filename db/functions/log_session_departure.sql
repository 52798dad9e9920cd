-- Records which organization a session leaves: views of the session in caches may still name the organization. A
-- refresh sets no organization and causes no call.
CREATE OR REPLACE FUNCTION "log_session_departure"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO session_departures (session_id, organization_id, left_at)
	VALUES (new.id, old.organization_id, new.rotated_at)
	ON CONFLICT (session_id, organization_id) DO UPDATE SET left_at = excluded.left_at;
	RETURN NULL;
END
$$;

CREATE TRIGGER "sessions_log_departure" AFTER UPDATE OF "organization_id" ON "sessions" FOR EACH ROW
	WHEN (old.organization_id IS DISTINCT FROM new.organization_id) EXECUTE FUNCTION log_session_departure();
