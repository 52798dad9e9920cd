ALTER TABLE "oauth_clients" ADD COLUMN "organizations" uuid[];--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "preset" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "preset_inputs" jsonb;--> statement-breakpoint
ALTER TABLE "oauth_resources" ADD COLUMN "preset" text;--> statement-breakpoint
ALTER TABLE "oauth_resources" ADD COLUMN "preset_inputs" jsonb;