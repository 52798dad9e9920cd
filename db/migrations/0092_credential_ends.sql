ALTER TABLE "invitations" ADD COLUMN "created_by_credential" uuid;--> statement-breakpoint
CREATE INDEX "invitations_created_by_credential_idx" ON "invitations" USING btree ("created_by_credential") WHERE created_by_credential is not null;--> statement-breakpoint
ALTER TABLE "sso_setup_links" ADD COLUMN "created_by_credential" uuid;--> statement-breakpoint
CREATE INDEX "sso_setup_links_created_by_credential_idx" ON "sso_setup_links" USING btree ("created_by_credential") WHERE created_by_credential is not null;--> statement-breakpoint
ALTER TABLE "oauth_registration_tokens" ADD COLUMN "created_by_credential" uuid;--> statement-breakpoint
CREATE INDEX "oauth_registration_tokens_created_by_credential_idx" ON "oauth_registration_tokens" USING btree ("created_by_credential") WHERE created_by_credential is not null;
