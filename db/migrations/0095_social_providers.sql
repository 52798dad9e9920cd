CREATE TABLE "social_providers" (
	"provider" text PRIMARY KEY NOT NULL,
	"config" jsonb NOT NULL,
	"sealed_secret" "bytea",
	"key_id" text,
	"identity_epoch" integer NOT NULL,
	"revision" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
