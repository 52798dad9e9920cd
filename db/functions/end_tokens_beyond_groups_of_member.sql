-- Deferred: a member who leaves a group and enters again in one transaction has not left. A record without an account,
-- or a deleted record, has no tokens of its own: the trigger of the record covers the account.
CREATE OR REPLACE FUNCTION "end_tokens_beyond_groups_of_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_tokens_beyond_groups(old.user_id);
	RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER "member_group_members_end_tokens" AFTER DELETE ON "member_group_members"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_tokens_beyond_groups_of_member();

CREATE CONSTRAINT TRIGGER "directory_users_deleted_end_tokens" AFTER DELETE ON "directory_users"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.user_id IS NOT NULL)
	EXECUTE FUNCTION end_tokens_beyond_groups_of_member();

CREATE CONSTRAINT TRIGGER "directory_users_unlinked_end_tokens" AFTER UPDATE OF "user_id" ON "directory_users"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.user_id IS NOT NULL AND old.user_id IS DISTINCT FROM new.user_id)
	EXECUTE FUNCTION end_tokens_beyond_groups_of_member();
