-- What users were asked about, and since when the tokens of an application that was enabled again are valid. An older replica writes
-- neither: what it records as allowed counts as not asked about, so the user is asked once more.
ALTER TABLE "oauth_clients" ADD COLUMN "tokens_valid_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "consented_scopes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "consented_resources" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- Grants of first-party clients, which ask nobody, stay as they are. No release had grants before, so there are few.
UPDATE "oauth_grants" g SET "consented_scopes" = g."scopes", "consented_resources" = g."resources"
FROM "oauth_clients" c WHERE c."id" = g."client_id" AND NOT c."first_party";
