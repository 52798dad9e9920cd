-- A removed or changed role of a member ends access tokens beyond the remaining roles. Deferred for `member_roles`: a
-- role that is removed and assigned again in one transaction is not lost.
CREATE OR REPLACE FUNCTION "end_tokens_beyond_roles_of_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_tokens_beyond_roles(old.user_id, old.organization_id);
	RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER "member_roles_end_tokens" AFTER DELETE ON "member_roles"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_tokens_beyond_roles_of_member();

CREATE TRIGGER "members_end_tokens_beyond_roles" AFTER UPDATE OF "role" ON "members" FOR EACH ROW
	WHEN (old.role IS DISTINCT FROM new.role) EXECUTE FUNCTION end_tokens_beyond_roles_of_member();
