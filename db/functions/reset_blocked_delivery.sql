-- A delivery that ends is no longer blocked: a later resend, by a replica of any release, finds the delivery ready.
CREATE OR REPLACE FUNCTION "reset_blocked_delivery"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.blocked := false;
	RETURN NEW;
END
$$;

CREATE TRIGGER "reset_blocked_delivery" BEFORE UPDATE OF "status" ON "webhook_deliveries"
	FOR EACH ROW WHEN (OLD.blocked AND NEW.status <> 'pending') EXECUTE FUNCTION reset_blocked_delivery();
