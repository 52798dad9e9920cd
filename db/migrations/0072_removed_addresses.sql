ALTER TABLE "member_removals" DROP CONSTRAINT "member_removals_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "member_removals" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "member_removals" ADD COLUMN "address_hashes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "member_removals" ADD CONSTRAINT "member_removals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "member_removals_address_hashes_idx" ON "member_removals" USING gin ("address_hashes");