CREATE TABLE "deletion_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"deletion_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"mailbox" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deletion_tokens" ADD CONSTRAINT "deletion_tokens_deletion_id_deletions_id_fk" FOREIGN KEY ("deletion_id") REFERENCES "public"."deletions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deletion_tokens" ADD CONSTRAINT "deletion_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deletion_tokens_deletion_id_idx" ON "deletion_tokens" USING btree ("deletion_id");--> statement-breakpoint
CREATE INDEX "deletion_tokens_user_id_idx" ON "deletion_tokens" USING btree ("user_id");