-- Offline access ends with the account, a changed or removed password, and the first proof of control of the mailbox.
CREATE OR REPLACE FUNCTION "end_token_families_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_token_families(
		ARRAY(SELECT id FROM oauth_token_families WHERE user_id = new.id AND offline AND revoked_at IS NULL),
		CASE WHEN new.disabled_at IS NULL THEN 'password_changed' ELSE 'user_disabled' END, new.updated_at);
	RETURN NULL;
END
$$;

CREATE TRIGGER "users_end_token_families"
	AFTER UPDATE OF "disabled_at", "last_password_change", "password_hash", "controlled_at" ON "users" FOR EACH ROW
	WHEN (
	(old.disabled_at IS NULL AND new.disabled_at IS NOT NULL)
	OR old.last_password_change IS DISTINCT FROM new.last_password_change
	OR (old.password_hash IS NOT NULL AND new.password_hash IS NULL)
	OR (old.controlled_at IS NULL AND new.controlled_at IS NOT NULL)
	) EXECUTE FUNCTION end_token_families_of_user();
