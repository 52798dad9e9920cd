CREATE TABLE "failed_attempts" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"hour_started_at" timestamp with time zone NOT NULL,
	"hour_count" integer NOT NULL,
	"day_started_at" timestamp with time zone NOT NULL,
	"day_count" integer NOT NULL,
	CONSTRAINT "failed_attempts_pkey" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD COLUMN "credentials_epoch" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "controlled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "failed_attempts" ADD CONSTRAINT "failed_attempts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "failed_attempts_day_started_at_idx" ON "failed_attempts" USING btree ("day_started_at");--> statement-breakpoint
CREATE INDEX "invitations_invited_by_idx" ON "invitations" USING btree ("invited_by");--> statement-breakpoint
-- By hand from here on: what drizzle-kit cannot say.
-- An address that was verified before this version counts as controlled by its owner: nothing of existing users is taken away
-- (docs/upgrading.md says how to look for accounts that were registered by somebody else).
UPDATE "users" SET "controlled_at" = "email_verified_at" WHERE "email_verified_at" IS NOT NULL;--> statement-breakpoint
-- Scheme and cost of a stored password hash, without salt and key: what verifying it costs.
CREATE FUNCTION "password_cost"("hash" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT substring(hash FROM '^\$(?:argon2(?:id|i|d)\$(?:v=\d+\$)?[^$]+|2[aby]\$\d\d|scrypt\$[^$]+|7\$.{11}|pbkdf2[^$]*\$[^$]+)')
$$;--> statement-breakpoint
-- Its few distinct values are found by skipping through it, however many users there are.
CREATE INDEX "users_password_cost_idx" ON "users" USING btree (password_cost("password_hash")) WHERE "password_hash" IS NOT NULL;
