CREATE SEQUENCE "public"."users_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "released_slugs" (
	"slug_hash" "bytea" PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"released_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "claim_mappings" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_codes" ADD COLUMN "consented_data" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "consented_data" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_token_families" ADD COLUMN "groups" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_token_families" ADD COLUMN "consented_data" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_resources" ADD COLUMN "claim_mappings" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "request_decisions" ADD COLUMN "claims" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "number" bigint DEFAULT nextval('users_number_seq');--> statement-breakpoint
CREATE INDEX "released_slugs_released_at_idx" ON "released_slugs" USING btree ("released_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_number_key" ON "users" USING btree ("number");--> statement-breakpoint
CREATE OR REPLACE FUNCTION "end_tokens_beyond_groups"("account" uuid) RETURNS void LANGUAGE sql AS $$
	WITH beyond AS (
		SELECT f.id, f.access_expires_at FROM oauth_token_families f
		WHERE f.user_id = account AND f.revoked_at IS NULL AND f.groups <> '{}'
			AND NOT f.groups <@ array(
				SELECT g.name FROM member_group_members x JOIN member_groups g ON g.id = x.group_id
				WHERE x.user_id = account AND x.organization_id = f.organization_id
				UNION
				SELECT g.display_name FROM directory_users u JOIN directory_group_members x ON x.record_id = u.id
				JOIN directory_groups g ON g.id = x.group_id JOIN directories d ON d.id = g.directory_id
				WHERE u.user_id = account AND d.organization_id = f.organization_id
			)
		FOR UPDATE OF f
	),
	renamed AS (
		UPDATE oauth_token_families f
		SET id = gen_random_uuid(), origin_id = coalesce(f.origin_id, f.id), permissions = '{}', roles = '{}', groups = '{}'
		FROM beyond WHERE f.id = beyond.id
		RETURNING beyond.id, beyond.access_expires_at
	)
	INSERT INTO session_events (session_id, kind, reason, at, expires_at)
	SELECT id, 'revoked', 'permission_lost', clock_timestamp(), access_expires_at + interval '5 seconds' FROM renamed
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "end_tokens_beyond_groups_of_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_tokens_beyond_groups(old.user_id);
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "member_group_members_end_tokens" AFTER DELETE ON "member_group_members"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_tokens_beyond_groups_of_member();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "directory_users_deleted_end_tokens" AFTER DELETE ON "directory_users"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.user_id IS NOT NULL)
	EXECUTE FUNCTION end_tokens_beyond_groups_of_member();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "directory_users_unlinked_end_tokens" AFTER UPDATE OF "user_id" ON "directory_users"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.user_id IS NOT NULL AND old.user_id IS DISTINCT FROM new.user_id)
	EXECUTE FUNCTION end_tokens_beyond_groups_of_member();--> statement-breakpoint
CREATE OR REPLACE FUNCTION "end_tokens_beyond_groups_of_record"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_tokens_beyond_groups(u.user_id) FROM directory_users u WHERE u.id = old.record_id AND u.user_id IS NOT NULL;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "directory_group_members_end_tokens" AFTER DELETE ON "directory_group_members"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_tokens_beyond_groups_of_record();--> statement-breakpoint
CREATE OR REPLACE FUNCTION "end_tokens_beyond_groups_of_name"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF tg_table_name = 'member_groups' THEN
		PERFORM end_tokens_beyond_groups(x.user_id) FROM member_group_members x WHERE x.group_id = new.id;
	ELSE
		PERFORM end_tokens_beyond_groups(u.user_id) FROM directory_group_members x JOIN directory_users u ON u.id = x.record_id
		WHERE x.group_id = new.id AND u.user_id IS NOT NULL;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "member_groups_end_tokens" AFTER UPDATE OF "name" ON "member_groups" FOR EACH ROW
	WHEN (old.name IS DISTINCT FROM new.name) EXECUTE FUNCTION end_tokens_beyond_groups_of_name();--> statement-breakpoint
CREATE TRIGGER "directory_groups_end_tokens" AFTER UPDATE OF "display_name" ON "directory_groups" FOR EACH ROW
	WHEN (old.display_name IS DISTINCT FROM new.display_name) EXECUTE FUNCTION end_tokens_beyond_groups_of_name();--> statement-breakpoint
CREATE OR REPLACE FUNCTION "release_slug"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO released_slugs (slug_hash, organization_id, released_at)
	VALUES (sha256(convert_to(old.slug, 'UTF8')), old.id, now())
	ON CONFLICT (slug_hash) DO UPDATE SET organization_id = excluded.organization_id, released_at = excluded.released_at;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "organizations_slug_deleted" AFTER DELETE ON "organizations" FOR EACH ROW EXECUTE FUNCTION release_slug();--> statement-breakpoint
CREATE TRIGGER "organizations_slug_changed" AFTER UPDATE OF "slug" ON "organizations" FOR EACH ROW
	WHEN (old.slug IS DISTINCT FROM new.slug) EXECUTE FUNCTION release_slug();--> statement-breakpoint
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
$$;--> statement-breakpoint
CREATE TRIGGER "organizations_slug_reserved" AFTER INSERT OR UPDATE OF "slug" ON "organizations" FOR EACH ROW
	EXECUTE FUNCTION refuse_released_slug();