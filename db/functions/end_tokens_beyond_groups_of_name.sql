-- Another name of a group ends the access tokens that name the group.
CREATE OR REPLACE FUNCTION "end_tokens_beyond_groups_of_name"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF tg_table_name = 'member_groups' THEN
		PERFORM end_tokens_beyond_groups(x.user_id) FROM member_group_members x WHERE x.group_id = new.id;
	ELSE
		PERFORM end_tokens_beyond_groups(u.user_id) FROM directory_group_members x JOIN directory_users u ON u.id = x.record_id
		WHERE x.group_id = new.id AND u.user_id IS NOT NULL;
	END IF;
	RETURN NULL;
END
$$;

CREATE TRIGGER "member_groups_end_tokens" AFTER UPDATE OF "name" ON "member_groups" FOR EACH ROW
	WHEN (old.name IS DISTINCT FROM new.name) EXECUTE FUNCTION end_tokens_beyond_groups_of_name();

CREATE TRIGGER "directory_groups_end_tokens" AFTER UPDATE OF "display_name" ON "directory_groups" FOR EACH ROW
	WHEN (old.display_name IS DISTINCT FROM new.display_name) EXECUTE FUNCTION end_tokens_beyond_groups_of_name();
