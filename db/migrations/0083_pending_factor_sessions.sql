ALTER TABLE "organization_factors" ADD COLUMN "session_id" uuid;--> statement-breakpoint
ALTER TABLE "totp_factors" ADD COLUMN "session_id" uuid;--> statement-breakpoint
CREATE INDEX "oauth_requests_filled_idx" ON "oauth_requests" USING btree ("expires_at") WHERE browser_hash is null or parameters <> '{}' or user_id is not null;