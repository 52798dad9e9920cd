-- Sender-constrained tokens (DPoP, RFC 9449). Columns with constant defaults: no table is rewritten.
ALTER TABLE "oauth_clients" ADD COLUMN IF NOT EXISTS "dpop_bound_access_tokens" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_codes" ADD COLUMN IF NOT EXISTS "dpop_jkt" text;--> statement-breakpoint
ALTER TABLE "oauth_token_families" ADD COLUMN IF NOT EXISTS "dpop_jkt" text;--> statement-breakpoint
ALTER TABLE "oauth_resources" ADD COLUMN IF NOT EXISTS "dpop" text DEFAULT 'allowed' NOT NULL;