-- The power that a person confirmed for a connection, and the set-up link that made a key. Nullable columns: no table is rewritten.
ALTER TABLE "api_keys" ADD COLUMN "setup_link_id" uuid;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD COLUMN "confirmed_power" jsonb;
