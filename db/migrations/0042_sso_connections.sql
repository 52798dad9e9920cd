CREATE TABLE "member_removals" (
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"removed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connection_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"step" text NOT NULL,
	"requested" boolean NOT NULL,
	"email" text,
	"request_id" text NOT NULL,
	"user_id" uuid,
	CONSTRAINT "sso_attempts_reason_check" CHECK ((outcome = 'failure') = (reason is not null))
);
--> statement-breakpoint
CREATE TABLE "sso_connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"protocol" text NOT NULL,
	"name" text NOT NULL,
	"preset" text NOT NULL,
	"status" text NOT NULL,
	"config" jsonb NOT NULL,
	"sealed_secret" "bytea",
	"key_id" text,
	"revision" integer NOT NULL,
	"tested_at" timestamp with time zone,
	"last_test_at" timestamp with time zone,
	"last_success_at" timestamp with time zone,
	"activated_by" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_consumed" (
	"connection_id" uuid NOT NULL,
	"id_hash" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_identities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connection_id" uuid NOT NULL,
	"subject_hash" "bytea" NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"linked_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_outcomes" (
	"handle_hash" "bytea" PRIMARY KEY NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"connection_id" uuid NOT NULL,
	"user_id" uuid,
	"session_id" uuid,
	"redirect_to" text NOT NULL,
	"sealed_identity" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_policies" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"mode" text NOT NULL,
	"required_at" timestamp with time zone,
	"paused_until" timestamp with time zone,
	"guests" text NOT NULL,
	"break_glass" uuid[] NOT NULL,
	"jit" text NOT NULL,
	"default_role" text NOT NULL,
	"role_rules" jsonb NOT NULL,
	"sync" text NOT NULL,
	"require_own_factor" boolean NOT NULL,
	"revision" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_requests" (
	"id_hash" "bytea" PRIMARY KEY NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"connection_id" uuid NOT NULL,
	"connection_revision" integer NOT NULL,
	"intent" text NOT NULL,
	"user_id" uuid,
	"session_id" uuid,
	"redirect_to" text NOT NULL,
	"max_age" integer,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_service_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connection_id" uuid NOT NULL,
	"status" text NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"sealed_private_key" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_tests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connection_id" uuid NOT NULL,
	"connection_revision" integer NOT NULL,
	"handle_hash" "bytea",
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"sealed_result" "bytea",
	"succeeded" boolean,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sso_tests_handle_hash_key" UNIQUE("handle_hash")
);
--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "attributes" jsonb;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "sso_connection_id" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "sso_subject_hash" "bytea";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "sso_session_index" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "managed_by" uuid;--> statement-breakpoint
ALTER TABLE "member_removals" ADD CONSTRAINT "member_removals_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_removals" ADD CONSTRAINT "member_removals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempts" ADD CONSTRAINT "sso_attempts_connection_id_sso_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."sso_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempts" ADD CONSTRAINT "sso_attempts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD CONSTRAINT "sso_connections_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD CONSTRAINT "sso_connections_activated_by_users_id_fk" FOREIGN KEY ("activated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD CONSTRAINT "sso_connections_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_consumed" ADD CONSTRAINT "sso_consumed_connection_id_sso_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."sso_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_identities" ADD CONSTRAINT "sso_identities_connection_id_sso_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."sso_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_identities" ADD CONSTRAINT "sso_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_outcomes" ADD CONSTRAINT "sso_outcomes_connection_id_sso_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."sso_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_outcomes" ADD CONSTRAINT "sso_outcomes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_policies" ADD CONSTRAINT "sso_policies_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_requests" ADD CONSTRAINT "sso_requests_connection_id_sso_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."sso_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_requests" ADD CONSTRAINT "sso_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_service_keys" ADD CONSTRAINT "sso_service_keys_connection_id_sso_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."sso_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_tests" ADD CONSTRAINT "sso_tests_connection_id_sso_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."sso_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_tests" ADD CONSTRAINT "sso_tests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "member_removals_key" ON "member_removals" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "member_removals_user_id_idx" ON "member_removals" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "member_removals_removed_at_idx" ON "member_removals" USING btree ("removed_at");--> statement-breakpoint
CREATE INDEX "sso_attempts_connection_id_idx" ON "sso_attempts" USING btree ("connection_id","at");--> statement-breakpoint
CREATE INDEX "sso_attempts_at_idx" ON "sso_attempts" USING btree ("at");--> statement-breakpoint
CREATE INDEX "sso_attempts_user_id_idx" ON "sso_attempts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sso_connections_organization_id_idx" ON "sso_connections" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "sso_connections_activated_by_idx" ON "sso_connections" USING btree ("activated_by");--> statement-breakpoint
CREATE INDEX "sso_connections_created_by_idx" ON "sso_connections" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_consumed_key" ON "sso_consumed" USING btree ("connection_id","id_hash");--> statement-breakpoint
CREATE INDEX "sso_consumed_expires_at_idx" ON "sso_consumed" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_identities_subject_key" ON "sso_identities" USING btree ("connection_id","subject_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_identities_user_key" ON "sso_identities" USING btree ("connection_id","user_id");--> statement-breakpoint
CREATE INDEX "sso_identities_user_id_idx" ON "sso_identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sso_outcomes_connection_id_idx" ON "sso_outcomes" USING btree ("connection_id");--> statement-breakpoint
CREATE INDEX "sso_outcomes_user_id_idx" ON "sso_outcomes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sso_outcomes_expires_at_idx" ON "sso_outcomes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sso_requests_connection_id_idx" ON "sso_requests" USING btree ("connection_id","created_at");--> statement-breakpoint
CREATE INDEX "sso_requests_user_id_idx" ON "sso_requests" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sso_requests_expires_at_idx" ON "sso_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_service_keys_status_key" ON "sso_service_keys" USING btree ("connection_id","status");--> statement-breakpoint
CREATE INDEX "sso_tests_connection_id_idx" ON "sso_tests" USING btree ("connection_id","created_at");--> statement-breakpoint
CREATE INDEX "sso_tests_user_id_idx" ON "sso_tests" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sso_tests_expires_at_idx" ON "sso_tests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_sso_idx" ON "sessions" USING btree ("sso_connection_id","sso_subject_hash") WHERE sso_connection_id is not null;