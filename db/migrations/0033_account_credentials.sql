CREATE TABLE "unlinked_identities" (
	"user_id" uuid NOT NULL,
	"identity_hash" "bytea" NOT NULL,
	"unlinked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "unlinked_identities_pkey" PRIMARY KEY("user_id","identity_hash")
);
--> statement-breakpoint
ALTER TABLE "oauth_states" ADD COLUMN "link_session_id" uuid;--> statement-breakpoint
ALTER TABLE "user_identities" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "user_identities" ADD COLUMN "label" text;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD COLUMN "session_id" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "control_proven" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "unlinked_identities" ADD CONSTRAINT "unlinked_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "user_identities_id_key" ON "user_identities" USING btree ("id");