-- Scopes that follow roles, clients identified by a metadata document, and decisions of organizations about clients.
-- Columns with constant defaults: no table is rewritten.
CREATE TABLE "organization_applications" (
	"organization_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"status" text NOT NULL,
	"requested_by" uuid,
	"requested_at" timestamp with time zone,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	CONSTRAINT "organization_applications_pkey" PRIMARY KEY("organization_id","client_id")
);
--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "require_acr" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "client_uri" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "document_hash" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "fetched_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "fresh_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "oauth_token_families" ADD COLUMN "origin_id" uuid;--> statement-breakpoint
ALTER TABLE "oauth_token_families" ADD COLUMN "permissions" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_token_families" ADD COLUMN "roles" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_resources" ADD COLUMN "token_lifetime_seconds" integer;--> statement-breakpoint
ALTER TABLE "oauth_resources" ADD COLUMN "min_acr" text;--> statement-breakpoint
ALTER TABLE "oauth_resources" ADD COLUMN "claims" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_resources" ADD COLUMN "open_to" text DEFAULT 'registered' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_resources" ADD COLUMN "organizations" uuid[];--> statement-breakpoint
ALTER TABLE "organization_applications" ADD CONSTRAINT "organization_applications_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_applications" ADD CONSTRAINT "organization_applications_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_applications" ADD CONSTRAINT "organization_applications_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_applications" ADD CONSTRAINT "organization_applications_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "organization_applications_client_id_idx" ON "organization_applications" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "organization_applications_requested_by_idx" ON "organization_applications" USING btree ("requested_by");--> statement-breakpoint
CREATE INDEX "organization_applications_decided_by_idx" ON "organization_applications" USING btree ("decided_by");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_token_families_origin_id_key" ON "oauth_token_families" USING btree ("origin_id");--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_external_id_key" UNIQUE("external_id");--> statement-breakpoint
-- Access tokens that depend on a permission or role which the member has lost end at once: the family receives a new id,
-- and the log has the former id. Refresh tokens name the first id and continue, with narrower access tokens. Every change
-- of roles runs through the triggers below, changes by replicas of an earlier release and by directories included.
CREATE FUNCTION "end_tokens_beyond_roles"("account" uuid, "organization" uuid) RETURNS void LANGUAGE sql AS $$
	WITH held AS (
		SELECT m.role,
			array(
				SELECT r.key FROM member_roles h JOIN organization_roles r ON r.id = h.role_id
				WHERE h.user_id = account AND h.organization_id = organization
			) || m.role AS keys,
			array(
				SELECT unnest(r.permissions) FROM member_roles h JOIN organization_roles r ON r.id = h.role_id
				WHERE h.user_id = account AND h.organization_id = organization
			) AS permissions
		FROM members m WHERE m.user_id = account AND m.organization_id = organization
	),
	beyond AS (
		SELECT f.id, f.access_expires_at FROM oauth_token_families f, held
		WHERE f.user_id = account AND f.organization_id = organization AND f.revoked_at IS NULL
			AND (f.permissions <> '{}' OR f.roles <> '{}')
			AND NOT (f.roles <@ held.keys AND (held.role = 'owner' OR f.permissions <@ held.permissions))
		FOR UPDATE OF f
	),
	renamed AS (
		UPDATE oauth_token_families f
		SET id = gen_random_uuid(), origin_id = coalesce(f.origin_id, f.id), permissions = '{}', roles = '{}'
		FROM beyond WHERE f.id = beyond.id
		RETURNING beyond.id, beyond.access_expires_at
	)
	INSERT INTO session_events (session_id, kind, reason, at, expires_at)
	SELECT id, 'revoked', 'permission_lost', clock_timestamp(), access_expires_at + interval '5 seconds' FROM renamed
$$;--> statement-breakpoint
-- At the end of the transaction: a role that is removed and assigned again within the transaction is not lost.
CREATE FUNCTION "end_tokens_beyond_roles_of_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_tokens_beyond_roles(old.user_id, old.organization_id);
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "member_roles_end_tokens" AFTER DELETE ON "member_roles"
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_tokens_beyond_roles_of_member();--> statement-breakpoint
CREATE TRIGGER "members_end_tokens_beyond_roles" AFTER UPDATE OF "role" ON "members" FOR EACH ROW
WHEN (old.role IS DISTINCT FROM new.role) EXECUTE FUNCTION end_tokens_beyond_roles_of_member();--> statement-breakpoint
CREATE FUNCTION "end_tokens_beyond_role"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_tokens_beyond_roles(h.user_id, h.organization_id) FROM member_roles h WHERE h.role_id = new.id;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "organization_roles_end_tokens" AFTER UPDATE OF "permissions" ON "organization_roles" FOR EACH ROW
WHEN (NOT old.permissions <@ new.permissions) EXECUTE FUNCTION end_tokens_beyond_role();--> statement-breakpoint
-- As in migration 0010, by the first id of the family: a logout token has the `sid` of the ID token.
CREATE OR REPLACE FUNCTION "queue_client_logouts"("ended_session" uuid, "at" timestamptz) RETURNS void LANGUAGE sql AS $$
	WITH ended AS (
		UPDATE oauth_token_families SET logged_out_at = at WHERE session_id = ended_session AND logged_out_at IS NULL
		RETURNING coalesce(origin_id, id) AS id, client_id, subject
	)
	INSERT INTO oauth_logouts (family_id, client_id, subject, next_attempt_at, expires_at)
	SELECT ended.id, c.id, ended.subject, at, at + interval '1 day'
	FROM ended JOIN oauth_clients c ON c.id = ended.client_id
	WHERE c.backchannel_logout_uri IS NOT NULL AND c.disabled_at IS NULL
	ON CONFLICT DO NOTHING
$$;
