-- Converts written addresses to A-labels, also the writes of replicas of 1.0.0, which store domains as entered: no
-- mailbox has two users.
CREATE OR REPLACE FUNCTION "store_ascii_address"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.email := ascii_address(NEW.email);
	RETURN NEW;
END
$$;

CREATE TRIGGER "email_changes_ascii_address" BEFORE INSERT OR UPDATE OF "email" ON "email_changes"
	FOR EACH ROW WHEN (octet_length(NEW."email") <> char_length(NEW."email")) EXECUTE FUNCTION "store_ascii_address"();

CREATE TRIGGER "email_reservations_ascii_address" BEFORE INSERT OR UPDATE OF "email" ON "email_reservations"
	FOR EACH ROW WHEN (octet_length(NEW."email") <> char_length(NEW."email")) EXECUTE FUNCTION "store_ascii_address"();

CREATE TRIGGER "invitations_ascii_address" BEFORE INSERT OR UPDATE OF "email" ON "invitations"
	FOR EACH ROW WHEN (octet_length(NEW."email") <> char_length(NEW."email")) EXECUTE FUNCTION "store_ascii_address"();

CREATE TRIGGER "user_emails_ascii_address" BEFORE INSERT OR UPDATE OF "email" ON "user_emails"
	FOR EACH ROW WHEN (octet_length(NEW."email") <> char_length(NEW."email")) EXECUTE FUNCTION "store_ascii_address"();

CREATE TRIGGER "users_ascii_address" BEFORE INSERT OR UPDATE OF "email" ON "users"
	FOR EACH ROW WHEN (octet_length(NEW."email") <> char_length(NEW."email")) EXECUTE FUNCTION "store_ascii_address"();
