ALTER TABLE "mailed_tokens" ADD COLUMN "issued_by" uuid;--> statement-breakpoint
ALTER TABLE "mailed_tokens" ADD COLUMN "redirect_to" text;
