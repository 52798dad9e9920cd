-- A verified, failed or removed domain changes which members need single sign-on: cached views of their sessions must
-- be read again, also after writes of an earlier release. The event lives no longer than the cached views.
CREATE OR REPLACE FUNCTION "log_sso_coverage_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changed uuid := coalesce(new.organization_id, old.organization_id);
BEGIN
	UPDATE sso_policies SET revision = revision + 1 WHERE organization_id = changed AND mode = 'required';
	IF FOUND THEN
		INSERT INTO session_events (session_id, kind, reason, at, expires_at)
		VALUES (changed, 'organization_changed', 'sso_coverage_changed', now(), now() + interval '1 day');
	END IF;
	RETURN NULL;
END
$$;

CREATE TRIGGER "organization_domains_log_coverage" AFTER INSERT OR DELETE OR UPDATE OF "status" ON "organization_domains"
	FOR EACH ROW EXECUTE FUNCTION log_sso_coverage_change();
