CREATE TABLE "oauth_resources" (
	"id" uuid PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"identifier_key" text NOT NULL,
	"name" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_resources_identifier_key_key" ON "oauth_resources" USING btree ("identifier_key");
