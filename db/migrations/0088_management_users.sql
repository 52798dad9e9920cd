ALTER TABLE "users" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "public_metadata" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "private_metadata" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "users_external_id_key" ON "users" USING btree ("external_id") WHERE external_id is not null;