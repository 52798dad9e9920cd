ALTER TABLE "webhooks" ADD COLUMN IF NOT EXISTS "failing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN IF NOT EXISTS "failure_noticed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN IF NOT EXISTS "disabled_noticed_at" timestamp with time zone;--> statement-breakpoint
-- Nobody is told now of webhooks that were switched off before this release.
UPDATE "webhooks" SET "disabled_noticed_at" = now() WHERE NOT "enabled" AND "disabled_reason" IS NOT NULL;
