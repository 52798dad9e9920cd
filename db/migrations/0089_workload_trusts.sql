CREATE TABLE "federation_uses" (
	"trust_id" uuid NOT NULL,
	"jti_hash" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "federation_uses_pkey" PRIMARY KEY("trust_id","jti_hash")
);
--> statement-breakpoint
CREATE TABLE "service_account_trusts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"service_account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"issuer" text NOT NULL,
	"keys" jsonb,
	"jwks_uri" text,
	"audiences" text[] NOT NULL,
	"conditions" jsonb NOT NULL,
	"scopes" text[] NOT NULL,
	"organizations" uuid[],
	"allowed_ips" text[] NOT NULL,
	"token_seconds" integer NOT NULL,
	"max_age_seconds" integer NOT NULL,
	"single_use" boolean NOT NULL,
	"disabled" boolean NOT NULL,
	"created_by" uuid,
	"created_by_credential" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"tokens_valid_from" timestamp with time zone,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "service_account_trusts" ADD CONSTRAINT "service_account_trusts_service_account_id_service_accounts_id_fk" FOREIGN KEY ("service_account_id") REFERENCES "public"."service_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_account_trusts" ADD CONSTRAINT "service_account_trusts_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "federation_uses_expires_at_idx" ON "federation_uses" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "service_account_trusts_account_idx" ON "service_account_trusts" USING btree ("service_account_id","created_at");--> statement-breakpoint
CREATE INDEX "service_account_trusts_created_by_idx" ON "service_account_trusts" USING btree ("created_by");