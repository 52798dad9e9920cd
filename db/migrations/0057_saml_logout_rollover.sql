CREATE TABLE "sso_certificate_warnings" (
	"connection_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"warned_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "sso_name_id_hash" "bytea";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "sealed_sso_name_id" "bytea";--> statement-breakpoint
ALTER TABLE "sso_connections" ADD COLUMN "metadata_checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD COLUMN "metadata_fetched_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD COLUMN "absent_certificates" text[];--> statement-breakpoint
ALTER TABLE "sso_certificate_warnings" ADD CONSTRAINT "sso_certificate_warnings_connection_id_sso_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."sso_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sso_certificate_warnings_key" ON "sso_certificate_warnings" USING btree ("connection_id","sha256");--> statement-breakpoint
CREATE INDEX "sessions_sso_name_id_idx" ON "sessions" USING btree ("sso_connection_id","sso_name_id_hash") WHERE sso_name_id_hash is not null;