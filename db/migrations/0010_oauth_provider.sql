-- The OpenID provider: clients, pending authorization requests, codes, grants, token families and logout tokens. New tables only.
CREATE TABLE "oauth_assertions" (
	"client_id" uuid NOT NULL,
	"jti_hash" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "oauth_assertions_pkey" PRIMARY KEY("client_id","jti_hash")
);
--> statement-breakpoint
CREATE TABLE "oauth_client_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"logo_url" text,
	"application_type" text NOT NULL,
	"token_auth_method" text NOT NULL,
	"jwks" jsonb,
	"redirect_uris" text[] NOT NULL,
	"post_logout_redirect_uris" text[] NOT NULL,
	"backchannel_logout_uri" text,
	"grant_types" text[] NOT NULL,
	"scopes" text[] NOT NULL,
	"resources" text[] NOT NULL,
	"audiences" text[] NOT NULL,
	"first_party" boolean NOT NULL,
	"subject_type" text NOT NULL,
	"sector" text,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_codes" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_challenge" text NOT NULL,
	"nonce" text,
	"scopes" text[] NOT NULL,
	"resources" text[] NOT NULL,
	"subject" text NOT NULL,
	"credentials_epoch" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"resources" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_logouts" (
	"family_id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_requests" (
	"handle_hash" "bytea" PRIMARY KEY NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"client_id" uuid NOT NULL,
	"parameters" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_token_families" (
	"id" uuid PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"scopes" text[] NOT NULL,
	"resources" text[] NOT NULL,
	"offline" boolean NOT NULL,
	"subject" text NOT NULL,
	"nonce" text,
	"auth_method" text NOT NULL,
	"aal" text NOT NULL,
	"auth_time" timestamp with time zone NOT NULL,
	"refresh_jti" uuid NOT NULL,
	"previous_refresh_jti" uuid,
	"access_jti" uuid NOT NULL,
	"access_expires_at" timestamp with time zone NOT NULL,
	"rotated_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"revoked_reason" text,
	"logged_out_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "oauth_client_secrets" ADD CONSTRAINT "oauth_client_secrets_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_grant_id_oauth_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."oauth_grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_logouts" ADD CONSTRAINT "oauth_logouts_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_requests" ADD CONSTRAINT "oauth_requests_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_token_families" ADD CONSTRAINT "oauth_token_families_grant_id_oauth_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."oauth_grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "oauth_assertions_expires_at_idx" ON "oauth_assertions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "oauth_client_secrets_client_id_idx" ON "oauth_client_secrets" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oauth_codes_expires_at_idx" ON "oauth_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "oauth_codes_grant_id_idx" ON "oauth_codes" USING btree ("grant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_grants_user_client_key" ON "oauth_grants" USING btree ("user_id","client_id");--> statement-breakpoint
CREATE INDEX "oauth_grants_client_id_idx" ON "oauth_grants" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oauth_logouts_next_attempt_at_idx" ON "oauth_logouts" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE INDEX "oauth_logouts_client_id_idx" ON "oauth_logouts" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oauth_requests_expires_at_idx" ON "oauth_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_token_families_code_hash_key" ON "oauth_token_families" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "oauth_token_families_grant_id_idx" ON "oauth_token_families" USING btree ("grant_id","created_at");--> statement-breakpoint
CREATE INDEX "oauth_token_families_session_id_idx" ON "oauth_token_families" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "oauth_token_families_user_id_idx" ON "oauth_token_families" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "oauth_token_families_ends_at_idx" ON "oauth_token_families" USING btree ("ends_at");--> statement-breakpoint
-- Ends token families and writes what follows: the events by which resource servers and replicas learn of it, and, where the session
-- of the user ended, the logout tokens. Every way to end a session runs through the triggers below, those of older replicas too. A trigger
-- sees what was committed while its statement waited for a lock, which the statement itself does not.
CREATE FUNCTION "end_token_families"("ids" uuid[], "why" text, "at" timestamptz) RETURNS void LANGUAGE sql AS $$
	WITH ended AS (
		UPDATE oauth_token_families SET revoked_at = at, revoked_reason = why WHERE id = ANY (ids) AND revoked_at IS NULL
		RETURNING id, access_expires_at
	)
	INSERT INTO session_events (session_id, kind, reason, at, expires_at)
	SELECT id, 'revoked', why, at, access_expires_at + interval '5 seconds' FROM ended
$$;--> statement-breakpoint
-- Logout tokens to the clients of a session, once for each family.
CREATE FUNCTION "queue_client_logouts"("ended_session" uuid, "at" timestamptz) RETURNS void LANGUAGE sql AS $$
	WITH ended AS (
		UPDATE oauth_token_families SET logged_out_at = at WHERE session_id = ended_session AND logged_out_at IS NULL
		RETURNING id, client_id, subject
	)
	INSERT INTO oauth_logouts (family_id, client_id, subject, next_attempt_at, expires_at)
	SELECT ended.id, c.id, ended.subject, at, at + interval '1 day'
	FROM ended JOIN oauth_clients c ON c.id = ended.client_id
	WHERE c.backchannel_logout_uri IS NOT NULL AND c.disabled_at IS NULL
	ON CONFLICT DO NOTHING
$$;--> statement-breakpoint
CREATE FUNCTION "end_token_families_of_session"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_token_families(
		ARRAY(SELECT id FROM oauth_token_families WHERE session_id = new.id AND NOT offline AND revoked_at IS NULL),
		new.revoked_reason, new.revoked_at);
	PERFORM queue_client_logouts(new.id, new.revoked_at);
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "sessions_end_token_families" AFTER UPDATE OF "revoked_at" ON "sessions" FOR EACH ROW
WHEN (old.revoked_at IS NULL AND new.revoked_at IS NOT NULL) EXECUTE FUNCTION end_token_families_of_session();--> statement-breakpoint
-- Offline access ends with the user, a changed password and the first proof of control.
CREATE FUNCTION "end_token_families_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_token_families(
		ARRAY(SELECT id FROM oauth_token_families WHERE user_id = new.id AND offline AND revoked_at IS NULL),
		CASE WHEN new.disabled_at IS NULL THEN 'password_changed' ELSE 'user_disabled' END, new.updated_at);
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "users_end_token_families"
AFTER UPDATE OF "disabled_at", "last_password_change", "password_hash", "controlled_at" ON "users" FOR EACH ROW
WHEN (
	(old.disabled_at IS NULL AND new.disabled_at IS NOT NULL)
	OR old.last_password_change IS DISTINCT FROM new.last_password_change
	OR (old.password_hash IS NOT NULL AND new.password_hash IS NULL)
	OR (old.controlled_at IS NULL AND new.controlled_at IS NOT NULL)
) EXECUTE FUNCTION end_token_families_of_user();--> statement-breakpoint
CREATE FUNCTION "end_token_families_of_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM end_token_families(
		ARRAY(
			SELECT id FROM oauth_token_families
			WHERE user_id = old.user_id AND organization_id = old.organization_id AND revoked_at IS NULL
		), 'member_removed', clock_timestamp());
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "members_end_token_families" AFTER DELETE ON "members" FOR EACH ROW
EXECUTE FUNCTION end_token_families_of_member();--> statement-breakpoint
-- What deletes a grant, a client or a user deletes families with it, one that was inserted meanwhile too.
CREATE FUNCTION "log_deleted_token_family"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO session_events (session_id, kind, reason, at, expires_at)
	VALUES (old.id, 'revoked', 'grant_revoked', clock_timestamp(), old.access_expires_at + interval '5 seconds');
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "oauth_token_families_log_deletion" AFTER DELETE ON "oauth_token_families" FOR EACH ROW
WHEN (old.revoked_at IS NULL AND old.access_expires_at > clock_timestamp()) EXECUTE FUNCTION log_deleted_token_family();--> statement-breakpoint
-- Only tokens that belong to no session are looked up by it, and only while the log is not followed.
CREATE INDEX "session_events_token_idx" ON "session_events" USING btree ("session_id") WHERE reason = 'token_revoked';
