-- The power of the person who makes a key or link, activates a connection, chooses its claims or claims a domain: a
-- later promotion of the person gives the channel no more power (docs/contract.md, section 32.9). A key has the power
-- of the set-up link that made the key. A statement that stores null renews the power: the person has acted again.
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
	ELSIF TG_TABLE_NAME = 'service_account_trusts' THEN
		IF new.created_by IS NOT NULL
			AND (new.set_up_power IS NULL OR (TG_OP = 'UPDATE' AND new.created_by IS DISTINCT FROM old.created_by)) THEN
			new.set_up_power := (
				SELECT power_of_person(a.organization_id, new.created_by)
				FROM service_accounts a WHERE a.id = new.service_account_id AND a.organization_id IS NOT NULL
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
$$;

CREATE TRIGGER "api_keys_keep_set_up_power" BEFORE INSERT OR UPDATE OF "created_by", "set_up_power"
	ON "api_keys" FOR EACH ROW EXECUTE FUNCTION keep_set_up_power();
CREATE TRIGGER "sso_setup_links_keep_set_up_power" BEFORE INSERT
	ON "sso_setup_links" FOR EACH ROW EXECUTE FUNCTION keep_set_up_power();
CREATE TRIGGER "organization_domains_keep_set_up_power" BEFORE INSERT OR UPDATE OF "claimed_by", "set_up_power"
	ON "organization_domains" FOR EACH ROW EXECUTE FUNCTION keep_set_up_power();
CREATE TRIGGER "sso_connections_keep_set_up_power" BEFORE INSERT OR UPDATE OF "activated_by", "set_up_power",
	"claims_set_by", "claims_power"
	ON "sso_connections" FOR EACH ROW EXECUTE FUNCTION keep_set_up_power();
CREATE TRIGGER "service_account_trusts_keep_set_up_power" BEFORE INSERT OR UPDATE OF "created_by", "set_up_power"
	ON "service_account_trusts" FOR EACH ROW EXECUTE FUNCTION keep_set_up_power();
