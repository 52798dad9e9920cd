-- A change of the power of a person, by any statement of any release: bound sessions of members above the person behind
-- a connection end (docs/contract.md, section 29.12). The check of a later snapshot sees simultaneous changes too.
-- A new member without permissions is above no connection, and counts only as the person behind a connection.
CREATE OR REPLACE FUNCTION "queue_power_checks"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	organizations uuid[];
BEGIN
	IF TG_LEVEL = 'STATEMENT' AND TG_TABLE_NAME = 'members' THEN
		SELECT array_agg(DISTINCT m.organization_id) INTO organizations FROM changed m
		WHERE m.role <> 'member' OR EXISTS (
			SELECT 1 FROM sso_connections c WHERE c.organization_id = m.organization_id AND c.activated_by = m.user_id
		);
	ELSIF TG_LEVEL = 'STATEMENT' THEN
		SELECT array_agg(DISTINCT organization_id) INTO organizations FROM changed;
	ELSIF TG_TABLE_NAME = 'users' THEN
		SELECT array_agg(DISTINCT organization_id) INTO organizations FROM sso_connections WHERE activated_by = new.id;
	ELSIF TG_TABLE_NAME = 'organization_roles' THEN
		SELECT array_agg(DISTINCT organization_id) INTO organizations FROM member_roles WHERE role_id = new.id;
	ELSE
		organizations := ARRAY[new.organization_id];
	END IF;
	INSERT INTO power_checks (organization_id)
	SELECT DISTINCT organization_id FROM sso_connections
	WHERE organization_id = ANY (organizations) AND status = 'active'
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END
$$;

CREATE TRIGGER "members_check_power_of_new" AFTER INSERT ON "members" REFERENCING NEW TABLE AS changed
	FOR EACH STATEMENT EXECUTE FUNCTION queue_power_checks();
CREATE TRIGGER "members_check_power" AFTER UPDATE OF "role" ON "members" FOR EACH ROW
	WHEN (old.role IS DISTINCT FROM new.role) EXECUTE FUNCTION queue_power_checks();
CREATE TRIGGER "member_roles_check_power_of_new" AFTER INSERT ON "member_roles" REFERENCING NEW TABLE AS changed
	FOR EACH STATEMENT EXECUTE FUNCTION queue_power_checks();
CREATE TRIGGER "member_roles_check_power" AFTER DELETE ON "member_roles" REFERENCING OLD TABLE AS changed
	FOR EACH STATEMENT EXECUTE FUNCTION queue_power_checks();
CREATE TRIGGER "organization_roles_check_power" AFTER UPDATE OF "permissions" ON "organization_roles" FOR EACH ROW
	WHEN (old.permissions IS DISTINCT FROM new.permissions) EXECUTE FUNCTION queue_power_checks();
CREATE TRIGGER "users_check_power" AFTER UPDATE OF "platform_role" ON "users" FOR EACH ROW
	WHEN (old.platform_role IS DISTINCT FROM new.platform_role) EXECUTE FUNCTION queue_power_checks();
CREATE TRIGGER "sso_connections_check_power" AFTER UPDATE OF "activated_by", "confirmed_power" ON "sso_connections"
	FOR EACH ROW WHEN ((old.activated_by, old.confirmed_power) IS DISTINCT FROM (new.activated_by, new.confirmed_power))
	EXECUTE FUNCTION queue_power_checks();
