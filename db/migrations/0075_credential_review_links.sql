CREATE TABLE "credential_review_links" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"reset_email" text NOT NULL,
	"held_since" timestamp with time zone NOT NULL,
	"listed_since" timestamp with time zone NOT NULL,
	"reset_at" timestamp with time zone NOT NULL,
	"ends_reset" boolean NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "credential_review_links" ADD CONSTRAINT "credential_review_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "credential_review_links_user_id_idx" ON "credential_review_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "credential_review_links_expires_at_idx" ON "credential_review_links" USING btree ("expires_at");