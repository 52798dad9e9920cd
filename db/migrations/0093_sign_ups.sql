CREATE TABLE "registration_settings" (
	"id" boolean PRIMARY KEY NOT NULL,
	"settings" jsonb NOT NULL,
	"revision" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "registration_settings_single_check" CHECK (id)
);
--> statement-breakpoint
CREATE TABLE "address_attempts" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"hour_started_at" timestamp with time zone NOT NULL,
	"hour_count" integer NOT NULL,
	"day_started_at" timestamp with time zone NOT NULL,
	"day_count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text,
	"code_hash" "bytea",
	"link_hash" "bytea",
	"browser_hash" "bytea",
	"attempts" smallint DEFAULT 0 NOT NULL,
	"client_id" uuid,
	"redirect_to" text,
	"identity_sealed" "bytea",
	"network_hash" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sign_ups_subject_check" CHECK ((email is null) = (code_hash is null)
      and (email is not null or identity_sealed is not null))
);
--> statement-breakpoint
DROP INDEX "organizations_created_at_idx";--> statement-breakpoint
DROP INDEX "organizations_name_idx";--> statement-breakpoint
DROP INDEX "organizations_search_idx";--> statement-breakpoint
ALTER TABLE "email_codes" ADD COLUMN "link_hash" "bytea";--> statement-breakpoint
ALTER TABLE "email_codes" ADD COLUMN "browser_hash" "bytea";--> statement-breakpoint
ALTER TABLE "email_codes" ADD COLUMN "redirect_to" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "registration" text;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "kind" text DEFAULT 'team' NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_ups" ADD CONSTRAINT "sign_ups_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_attempts_day_started_at_idx" ON "address_attempts" USING btree ("day_started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sign_ups_email_key" ON "sign_ups" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "sign_ups_link_hash_key" ON "sign_ups" USING btree ("link_hash") WHERE link_hash is not null;--> statement-breakpoint
CREATE INDEX "sign_ups_browser_hash_idx" ON "sign_ups" USING btree ("browser_hash") WHERE browser_hash is not null;--> statement-breakpoint
CREATE INDEX "sign_ups_network_hash_idx" ON "sign_ups" USING btree ("network_hash");--> statement-breakpoint
CREATE INDEX "sign_ups_client_id_idx" ON "sign_ups" USING btree ("client_id") WHERE client_id is not null;--> statement-breakpoint
CREATE INDEX "sign_ups_expires_at_idx" ON "sign_ups" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "email_codes_link_hash_key" ON "email_codes" USING btree ("link_hash") WHERE link_hash is not null;--> statement-breakpoint
CREATE INDEX "organizations_team_created_at_idx" ON "organizations" USING btree ("created_at","id") WHERE kind = 'team';--> statement-breakpoint
CREATE INDEX "organizations_team_name_idx" ON "organizations" USING btree (lower(name),"id") WHERE kind = 'team';--> statement-breakpoint
CREATE INDEX "organizations_team_id_idx" ON "organizations" USING btree ("id") WHERE kind = 'team';--> statement-breakpoint
CREATE INDEX "organizations_team_search_idx" ON "organizations" USING gin (lower(name || ' ' || slug) gin_trgm_ops) WHERE kind = 'team';--> statement-breakpoint
DROP TRIGGER "organizations_slug_deleted" ON "organizations";--> statement-breakpoint
CREATE TRIGGER "organizations_slug_deleted" AFTER DELETE ON "organizations" FOR EACH ROW
	WHEN (old.kind = 'team') EXECUTE FUNCTION release_slug();--> statement-breakpoint
CREATE OR REPLACE FUNCTION "count_rows"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	change bigint;
BEGIN
	IF TG_TABLE_NAME = 'organizations' THEN
		SELECT count(*) INTO change FROM changed WHERE kind = 'team';
	ELSE
		SELECT count(*) INTO change FROM changed;
	END IF;
	IF change <> 0 THEN
		change := change * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
		INSERT INTO row_counts (relation, shard, count) VALUES (TG_TABLE_NAME, pg_backend_pid() % 32, change)
		ON CONFLICT (relation, shard) DO UPDATE SET count = row_counts.count + excluded.count;
	END IF;
	RETURN NULL;
END
$$;
