CREATE TABLE "organization_domains" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"token" text NOT NULL,
	"status" text NOT NULL,
	"claimed_by" uuid,
	"verified_at" timestamp with time zone,
	"checked_at" timestamp with time zone,
	"seen_at" timestamp with time zone,
	"missing_since" timestamp with time zone,
	"warnings" integer DEFAULT 0 NOT NULL,
	"connection_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "organization_domains_missing_check" CHECK ((status = 'failing') <= (missing_since is not null))
);
--> statement-breakpoint
ALTER TABLE "organization_domains" ADD CONSTRAINT "organization_domains_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_domains" ADD CONSTRAINT "organization_domains_claimed_by_users_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "organization_domains_claim_key" ON "organization_domains" USING btree ("organization_id","domain");--> statement-breakpoint
CREATE UNIQUE INDEX "organization_domains_holder_key" ON "organization_domains" USING btree ("domain") WHERE status in ('verified', 'failing');--> statement-breakpoint
CREATE INDEX "organization_domains_domain_idx" ON "organization_domains" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "organization_domains_checked_at_idx" ON "organization_domains" USING btree (coalesce(checked_at, created_at)) WHERE status <> 'lost';--> statement-breakpoint
CREATE INDEX "organization_domains_claimed_by_idx" ON "organization_domains" USING btree ("claimed_by");