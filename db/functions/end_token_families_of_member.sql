-- The end of a membership ends the token families of the member in the organization. A trigger sees changes that were
-- committed while the statement waited for a lock, and covers replicas of an earlier release.
CREATE OR REPLACE FUNCTION "end_token_families_of_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_token_families(
		ARRAY(
			SELECT id FROM oauth_token_families
			WHERE user_id = old.user_id AND organization_id = old.organization_id AND revoked_at IS NULL
		), 'member_removed', clock_timestamp());
	RETURN NULL;
END
$$;

CREATE TRIGGER "members_end_token_families" AFTER DELETE ON "members" FOR EACH ROW
	EXECUTE FUNCTION end_token_families_of_member();
