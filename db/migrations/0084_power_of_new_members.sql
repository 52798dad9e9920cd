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
