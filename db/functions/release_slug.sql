-- A slug that an organization gives up by a change or deletion stays reserved: applications read names of groups
-- qualified by the slug, and a name that returned would return the authority. The slug of a
-- personal organization is its id, which no name repeats.
CREATE OR REPLACE FUNCTION "release_slug"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO released_slugs (slug_hash, organization_id, released_at)
	VALUES (sha256(convert_to(old.slug, 'UTF8')), old.id, now())
	ON CONFLICT (slug_hash) DO UPDATE SET organization_id = excluded.organization_id, released_at = excluded.released_at;
	RETURN NULL;
END
$$;

CREATE TRIGGER "organizations_slug_deleted" AFTER DELETE ON "organizations" FOR EACH ROW
	WHEN (old.kind = 'team') EXECUTE FUNCTION release_slug();

CREATE TRIGGER "organizations_slug_changed" AFTER UPDATE OF "slug" ON "organizations" FOR EACH ROW
	WHEN (old.slug IS DISTINCT FROM new.slug) EXECUTE FUNCTION release_slug();
