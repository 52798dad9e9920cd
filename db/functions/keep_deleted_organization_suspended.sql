-- While a deletion is pending, no update lifts the suspension of the organization, in any release. The cancellation
-- clears `deletion_at` in the same statement.
CREATE OR REPLACE FUNCTION "keep_deleted_organization_suspended"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.suspended_at := OLD.suspended_at;
	RETURN NEW;
END $$;

CREATE TRIGGER "organizations_keep_suspended" BEFORE UPDATE OF "suspended_at" ON "organizations" FOR EACH ROW
	WHEN (OLD.deletion_at IS NOT NULL AND NEW.deletion_at IS NOT NULL AND NEW.suspended_at IS NULL)
	EXECUTE FUNCTION "keep_deleted_organization_suspended"();
