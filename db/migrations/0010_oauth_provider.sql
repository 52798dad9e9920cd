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
CREATE INDEX "oauth_token_families_ends_at_idx" ON "oauth_token_families" USING btree ("ends_at");