-- Device flow (RFC 8628). A code of a device has no redirect URI.
CREATE TABLE IF NOT EXISTS "oauth_device_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_code_hash" "bytea" NOT NULL,
	"user_code" text NOT NULL,
	"client_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"resources" text[] NOT NULL,
	"second_factor" boolean NOT NULL,
	"ip_address" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"user_id" uuid,
	"interval_seconds" integer NOT NULL,
	"polled_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "oauth_codes" ALTER COLUMN "redirect_uri" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_device_codes" ADD CONSTRAINT "oauth_device_codes_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_device_codes" ADD CONSTRAINT "oauth_device_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_device_codes_device_code_hash_key" ON "oauth_device_codes" USING btree ("device_code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_device_codes_user_code_key" ON "oauth_device_codes" USING btree ("user_code");--> statement-breakpoint
CREATE INDEX "oauth_device_codes_client_id_idx" ON "oauth_device_codes" USING btree ("client_id","expires_at");--> statement-breakpoint
CREATE INDEX "oauth_device_codes_expires_at_idx" ON "oauth_device_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "oauth_device_codes_user_id_idx" ON "oauth_device_codes" USING btree ("user_id");