CREATE TABLE "brands" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"client_id" uuid,
	"accent" text,
	"radius" integer,
	"terms_url" text,
	"privacy_url" text,
	"support_url" text,
	"logo" "bytea",
	"logo_hash" text,
	"logo_dark" "bytea",
	"logo_dark_hash" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "brands_organization_id_key" UNIQUE("organization_id"),
	CONSTRAINT "brands_client_id_key" UNIQUE("client_id"),
	CONSTRAINT "brands_owner_check" CHECK (num_nonnulls(organization_id, client_id) = 1)
);
--> statement-breakpoint
ALTER TABLE "brands" ADD CONSTRAINT "brands_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "brands" ADD CONSTRAINT "brands_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "brands_logo_hash_idx" ON "brands" USING btree ("logo_hash");--> statement-breakpoint
CREATE INDEX "brands_logo_dark_hash_idx" ON "brands" USING btree ("logo_dark_hash");