ALTER TABLE "invitations" ADD COLUMN "delivery" text DEFAULT 'mail' NOT NULL;--> statement-breakpoint
ALTER TABLE "user_emails" ADD COLUMN "vouched" boolean DEFAULT false NOT NULL;