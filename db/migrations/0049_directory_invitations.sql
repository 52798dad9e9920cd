ALTER TABLE "directories" ADD COLUMN "user_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "sent_by" text DEFAULT 'member' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "warned_days" integer;--> statement-breakpoint
CREATE INDEX "invitations_sent_by_organization_idx" ON "invitations" USING btree ("organization_id","expires_at") WHERE sent_by = 'organization';