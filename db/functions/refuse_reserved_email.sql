-- A reservation refuses an address to every user but the former holder. An AFTER trigger: a statement that waited for
-- the removal of the former row sees the reservation of the same transaction. The constraint `users_email_key` is the
-- name that replicas of every release report as a taken address.
CREATE OR REPLACE FUNCTION "refuse_reserved_email"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT 1 FROM email_reservations r WHERE r.email = NEW.email AND r.user_id <> NEW.user_id AND r.expires_at > now()) THEN
		RAISE unique_violation USING CONSTRAINT = 'users_email_key', MESSAGE = 'the address is reserved';
	END IF;
	RETURN NULL;
END $$;

CREATE TRIGGER "user_emails_reserved" AFTER INSERT OR UPDATE OF "email", "verified_at", "primary" ON "user_emails"
	FOR EACH ROW WHEN (NEW."primary" OR NEW.verified_at IS NOT NULL) EXECUTE FUNCTION "refuse_reserved_email"();
