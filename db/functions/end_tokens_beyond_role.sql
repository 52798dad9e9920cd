-- Fewer permissions of a role end the access tokens of all members with the role that depend on a lost permission.
CREATE OR REPLACE FUNCTION "end_tokens_beyond_role"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_tokens_beyond_roles(h.user_id, h.organization_id) FROM member_roles h WHERE h.role_id = new.id;
	RETURN NULL;
END
$$;

CREATE TRIGGER "organization_roles_end_tokens" AFTER UPDATE OF "permissions" ON "organization_roles" FOR EACH ROW
	WHEN (NOT old.permissions <@ new.permissions) EXECUTE FUNCTION end_tokens_beyond_role();
