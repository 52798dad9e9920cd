-- While a deletion is pending, no update enables the account, in any release. The cancellation clears `deletion_at` in
-- the same statement.
CREATE OR REPLACE FUNCTION "keep_deleted_user_disabled"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.disabled_at := OLD.disabled_at;
	RETURN NEW;
END $$;

CREATE TRIGGER "users_keep_disabled" BEFORE UPDATE OF "disabled_at" ON "users" FOR EACH ROW
	WHEN (OLD.deletion_at IS NOT NULL AND NEW.deletion_at IS NOT NULL AND NEW.disabled_at IS NULL)
	EXECUTE FUNCTION "keep_deleted_user_disabled"();
