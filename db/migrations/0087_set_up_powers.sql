ALTER TABLE "api_keys" ADD COLUMN "set_up_power" jsonb;--> statement-breakpoint
ALTER TABLE "organization_domains" ADD COLUMN "set_up_power" jsonb;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD COLUMN "set_up_power" jsonb;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD COLUMN "claims_power" jsonb;--> statement-breakpoint
ALTER TABLE "sso_setup_links" ADD COLUMN "set_up_power" jsonb;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "power_of_person"("organization" uuid, "person" uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT CASE
		WHEN EXISTS (SELECT 1 FROM users u WHERE u.id = person AND u.platform_role IN ('admin', 'owner'))
			THEN jsonb_build_object('role', 'owner', 'granted', jsonb_build_array())
		ELSE jsonb_build_object(
			'role', coalesce(
				(SELECT m.role FROM members m WHERE m.organization_id = organization AND m.user_id = person), 'member'
			),
			'granted', array(
				SELECT DISTINCT p FROM member_roles h JOIN organization_roles r ON r.id = h.role_id
				CROSS JOIN LATERAL unnest(r.permissions) p
				WHERE h.organization_id = organization AND h.user_id = person ORDER BY p
			)
		)
	END
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "keep_set_up_power"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_TABLE_NAME = 'api_keys' THEN
		IF new.created_by IS NOT NULL
			AND (new.set_up_power IS NULL OR (TG_OP = 'UPDATE' AND new.created_by IS DISTINCT FROM old.created_by)) THEN
			new.set_up_power := (
				SELECT coalesce(l.set_up_power, power_of_person(a.organization_id, new.created_by))
				FROM service_accounts a LEFT JOIN sso_setup_links l ON l.id = new.setup_link_id
				WHERE a.id = new.service_account_id AND a.organization_id IS NOT NULL
			);
		END IF;
	ELSIF TG_TABLE_NAME = 'sso_setup_links' THEN
		new.set_up_power := power_of_person(new.organization_id, new.created_by);
	ELSIF TG_TABLE_NAME = 'organization_domains' THEN
		IF new.claimed_by IS NOT NULL
			AND (new.set_up_power IS NULL OR (TG_OP = 'UPDATE' AND new.claimed_by IS DISTINCT FROM old.claimed_by)) THEN
			new.set_up_power := power_of_person(new.organization_id, new.claimed_by);
		END IF;
	ELSE
		IF new.activated_by IS NOT NULL
			AND (new.set_up_power IS NULL OR (TG_OP = 'UPDATE' AND new.activated_by IS DISTINCT FROM old.activated_by)) THEN
			new.set_up_power := power_of_person(new.organization_id, new.activated_by);
		END IF;
		IF new.claims_set_by IS NOT NULL
			AND (new.claims_power IS NULL OR (TG_OP = 'UPDATE' AND new.claims_set_by IS DISTINCT FROM old.claims_set_by)) THEN
			new.claims_power := power_of_person(new.organization_id, new.claims_set_by);
		END IF;
	END IF;
	RETURN new;
END
$$;--> statement-breakpoint
CREATE TRIGGER "api_keys_keep_set_up_power" BEFORE INSERT OR UPDATE OF "created_by", "set_up_power"
	ON "api_keys" FOR EACH ROW EXECUTE FUNCTION keep_set_up_power();--> statement-breakpoint
CREATE TRIGGER "sso_setup_links_keep_set_up_power" BEFORE INSERT
	ON "sso_setup_links" FOR EACH ROW EXECUTE FUNCTION keep_set_up_power();--> statement-breakpoint
CREATE TRIGGER "organization_domains_keep_set_up_power" BEFORE INSERT OR UPDATE OF "claimed_by", "set_up_power"
	ON "organization_domains" FOR EACH ROW EXECUTE FUNCTION keep_set_up_power();--> statement-breakpoint
CREATE TRIGGER "sso_connections_keep_set_up_power" BEFORE INSERT OR UPDATE OF "activated_by", "set_up_power",
	"claims_set_by", "claims_power"
	ON "sso_connections" FOR EACH ROW EXECUTE FUNCTION keep_set_up_power();--> statement-breakpoint
-- What was set up before the release has the present power of the person: later promotions add nothing.
UPDATE "sso_setup_links" SET "set_up_power" = power_of_person("organization_id", "created_by")
WHERE "ended_at" IS NULL;--> statement-breakpoint
UPDATE "api_keys" SET "set_up_power" = NULL
WHERE "created_by" IS NOT NULL AND "revoked_at" IS NULL AND "expires_at" > now();--> statement-breakpoint
UPDATE "organization_domains" SET "set_up_power" = NULL WHERE "claimed_by" IS NOT NULL;--> statement-breakpoint
UPDATE "sso_connections" SET "set_up_power" = NULL, "claims_power" = NULL WHERE "activated_by" IS NOT NULL;
