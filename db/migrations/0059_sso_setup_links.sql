CREATE TABLE "sso_setup_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"intents" text[] NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"email" text,
	"created_by" uuid NOT NULL,
	"by_platform" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"begun_at" timestamp with time zone,
	"browser_hash" "bytea",
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"connection_id" uuid,
	"directory_token_at" timestamp with time zone,
	CONSTRAINT "sso_setup_links_token_hash_key" UNIQUE("token_hash"),
	CONSTRAINT "sso_setup_links_browser_hash_key" UNIQUE("browser_hash")
);
--> statement-breakpoint
ALTER TABLE "sso_connections" ADD COLUMN "activation_requested_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sso_tests" ADD COLUMN "setup_link_id" uuid;--> statement-breakpoint
ALTER TABLE "sso_setup_links" ADD CONSTRAINT "sso_setup_links_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_setup_links" ADD CONSTRAINT "sso_setup_links_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_setup_links" ADD CONSTRAINT "sso_setup_links_connection_id_sso_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."sso_connections"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sso_setup_links_organization_id_idx" ON "sso_setup_links" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "sso_setup_links_created_by_idx" ON "sso_setup_links" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "sso_setup_links_connection_id_idx" ON "sso_setup_links" USING btree ("connection_id");--> statement-breakpoint
CREATE INDEX "sso_setup_links_expires_at_idx" ON "sso_setup_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sso_setup_links_email_idx" ON "sso_setup_links" USING btree ("email");