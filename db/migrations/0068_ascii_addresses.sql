-- Addresses are stored with the domain as A-labels (docs/contract.md, section 2.4). The triggers also convert the writes of replicas of
-- 1.0.0, which store domains as entered: no mailbox gets two users. The migration after this migration converts the stored addresses.
CREATE FUNCTION "ascii_address"("address" text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT left(address, length(address) - length(substring(address from '[^@]*$'))) || address_domain(address)
$$;--> statement-breakpoint
CREATE FUNCTION "store_ascii_address"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.email := ascii_address(NEW.email);
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER "users_ascii_address" BEFORE INSERT OR UPDATE OF "email" ON "users"
FOR EACH ROW WHEN (octet_length(NEW."email") <> char_length(NEW."email")) EXECUTE FUNCTION "store_ascii_address"();--> statement-breakpoint
CREATE TRIGGER "user_emails_ascii_address" BEFORE INSERT OR UPDATE OF "email" ON "user_emails"
FOR EACH ROW WHEN (octet_length(NEW."email") <> char_length(NEW."email")) EXECUTE FUNCTION "store_ascii_address"();--> statement-breakpoint
CREATE TRIGGER "email_reservations_ascii_address" BEFORE INSERT OR UPDATE OF "email" ON "email_reservations"
FOR EACH ROW WHEN (octet_length(NEW."email") <> char_length(NEW."email")) EXECUTE FUNCTION "store_ascii_address"();--> statement-breakpoint
CREATE TRIGGER "email_changes_ascii_address" BEFORE INSERT OR UPDATE OF "email" ON "email_changes"
FOR EACH ROW WHEN (octet_length(NEW."email") <> char_length(NEW."email")) EXECUTE FUNCTION "store_ascii_address"();--> statement-breakpoint
CREATE TRIGGER "invitations_ascii_address" BEFORE INSERT OR UPDATE OF "email" ON "invitations"
FOR EACH ROW WHEN (octet_length(NEW."email") <> char_length(NEW."email")) EXECUTE FUNCTION "store_ascii_address"();
