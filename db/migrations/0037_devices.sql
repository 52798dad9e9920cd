CREATE TABLE "sign_in_notices" (
	"user_id" uuid NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"token_hash" "bytea",
	"signed_in_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sign_in_notices_pkey" PRIMARY KEY("user_id","browser_hash")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_ip_address" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "trusted_browsers" ADD COLUMN "last_ip_address" text;--> statement-breakpoint
ALTER TABLE "sign_in_notices" ADD CONSTRAINT "sign_in_notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sign_in_notices_token_hash_key" ON "sign_in_notices" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sign_in_notices_expires_at_idx" ON "sign_in_notices" USING btree ("expires_at");