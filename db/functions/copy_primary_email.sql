-- Keeps `user_emails` in line with the primary address of a user, for writes of every release. An address of another
-- user is a violation of `users_email_key`, the constraint that replicas of every release report as a taken address.
CREATE OR REPLACE FUNCTION "copy_primary_email"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT 1 FROM user_emails e WHERE e.email = NEW.email AND ("primary" OR verified_at IS NOT NULL) AND e.user_id <> NEW.id) THEN
		RAISE unique_violation USING CONSTRAINT = 'users_email_key', MESSAGE = 'the address belongs to another user';
	END IF;
	UPDATE user_emails SET "primary" = false WHERE user_id = NEW.id AND "primary" AND email <> NEW.email;
	INSERT INTO user_emails (user_id, email, verified_at, controlled_at, "primary", created_at)
	VALUES (NEW.id, NEW.email, NEW.email_verified_at, NEW.controlled_at, true, NEW.updated_at)
	ON CONFLICT (user_id, email) DO UPDATE
		SET "primary" = true, verified_at = excluded.verified_at, controlled_at = excluded.controlled_at;
	RETURN NULL;
END $$;

CREATE TRIGGER "users_copy_changed_email" AFTER UPDATE OF "email", "email_verified_at", "controlled_at" ON "users"
	FOR EACH ROW WHEN (
		(OLD.email, OLD.email_verified_at, OLD.controlled_at) IS DISTINCT FROM (NEW.email, NEW.email_verified_at, NEW.controlled_at)
	) EXECUTE FUNCTION "copy_primary_email"();

CREATE TRIGGER "users_copy_inserted_email" AFTER INSERT ON "users" FOR EACH ROW EXECUTE FUNCTION "copy_primary_email"();
