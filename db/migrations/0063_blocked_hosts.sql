CREATE TABLE "oauth_blocked_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "oauth_device_codes" ADD COLUMN "acr" text;