ALTER TABLE "sso_connections" ADD COLUMN "claims_set_by" uuid;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD COLUMN "claims_set_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD CONSTRAINT "sso_connections_claims_set_by_users_id_fk" FOREIGN KEY ("claims_set_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sso_connections_claims_set_by_idx" ON "sso_connections" USING btree ("claims_set_by");