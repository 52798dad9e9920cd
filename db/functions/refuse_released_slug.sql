-- A reserved slug is refused to every organization but the former. An AFTER trigger, as for reserved addresses: an
-- insertion that waited for a deletion sees the reservation. The constraint `organizations_slug_key` is the name that
-- replicas of every release report as a slug in use.
CREATE OR REPLACE FUNCTION "refuse_released_slug"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (
		SELECT 1 FROM released_slugs r
		WHERE r.slug_hash = sha256(convert_to(new.slug, 'UTF8')) AND r.organization_id <> new.id
			AND r.released_at > now() - interval '180 days'
	) THEN
		RAISE unique_violation USING CONSTRAINT = 'organizations_slug_key', MESSAGE = 'the slug is reserved';
	END IF;
	RETURN NULL;
END
$$;

CREATE TRIGGER "organizations_slug_reserved" AFTER INSERT OR UPDATE OF "slug" ON "organizations" FOR EACH ROW
	EXECUTE FUNCTION refuse_released_slug();
