CREATE TABLE "organization_factors" (
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"sealed_secret" "bytea" NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint,
	"recovery_codes" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "organization_factors_pkey" PRIMARY KEY("user_id","organization_id")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "own_factor_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "organization_factors" ADD CONSTRAINT "organization_factors_member_fkey" FOREIGN KEY ("user_id","organization_id") REFERENCES "public"."members"("user_id","organization_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "organization_factors_organization_id_idx" ON "organization_factors" USING btree ("organization_id");