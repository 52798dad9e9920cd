CREATE TABLE "credential_reviews" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"held_since" timestamp with time zone NOT NULL,
	"listed_since" timestamp with time zone NOT NULL,
	"reset_at" timestamp with time zone NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "credential_reviews" ADD CONSTRAINT "credential_reviews_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "credential_reviews_token_hash_key" ON "credential_reviews" USING btree ("token_hash");