-- A record of a directory that leaves a group. Deferred, as for members.
CREATE OR REPLACE FUNCTION "end_tokens_beyond_groups_of_record"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_tokens_beyond_groups(u.user_id) FROM directory_users u WHERE u.id = old.record_id AND u.user_id IS NOT NULL;
	RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER "directory_group_members_end_tokens" AFTER DELETE ON "directory_group_members"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_tokens_beyond_groups_of_record();
