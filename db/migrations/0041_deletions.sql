CREATE TABLE "data_export_parts" (
	"export_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"sealed_content" "bytea" NOT NULL,
	CONSTRAINT "data_export_parts_pkey" PRIMARY KEY("export_id","part")
);
--> statement-breakpoint
CREATE TABLE "data_exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"bytes" bigint,
	"requested_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	"expires_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "deletions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"parent_id" uuid,
	"requested_by" uuid,
	"reason" text,
	"token_hash" "bytea",
	"notice_id" uuid,
	"closed_otherwise" boolean NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"erased_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "deletion_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deletion_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "data_export_parts" ADD CONSTRAINT "data_export_parts_export_id_data_exports_id_fk" FOREIGN KEY ("export_id") REFERENCES "public"."data_exports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deletions" ADD CONSTRAINT "deletions_parent_id_deletions_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."deletions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "data_exports_user_id_idx" ON "data_exports" USING btree ("user_id","requested_at");--> statement-breakpoint
CREATE INDEX "data_exports_next_attempt_at_idx" ON "data_exports" USING btree ("next_attempt_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "data_exports_requested_at_idx" ON "data_exports" USING btree ("requested_at");--> statement-breakpoint
CREATE UNIQUE INDEX "deletions_subject_key" ON "deletions" USING btree ("subject_type","subject_id");--> statement-breakpoint
CREATE UNIQUE INDEX "deletions_token_hash_key" ON "deletions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "deletions_parent_id_idx" ON "deletions" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "deletions_due_at_idx" ON "deletions" USING btree ("due_at") WHERE erased_at is null;--> statement-breakpoint
CREATE INDEX "deletions_erased_at_idx" ON "deletions" USING btree ("erased_at") WHERE erased_at is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "invitations_email_idx" ON "invitations" USING btree ("email");--> statement-breakpoint
-- While a deletion is pending, no update opens the account or the organization again, also no update of a replica of the previous release.
-- The cancellation clears "deletion_at" in the same statement.
CREATE FUNCTION "keep_deleted_user_disabled"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.disabled_at := OLD.disabled_at;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "users_keep_disabled" BEFORE UPDATE OF "disabled_at" ON "users" FOR EACH ROW
	WHEN (OLD.deletion_at IS NOT NULL AND NEW.deletion_at IS NOT NULL AND NEW.disabled_at IS NULL)
	EXECUTE FUNCTION "keep_deleted_user_disabled"();--> statement-breakpoint
CREATE FUNCTION "keep_deleted_organization_suspended"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.suspended_at := OLD.suspended_at;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "organizations_keep_suspended" BEFORE UPDATE OF "suspended_at" ON "organizations" FOR EACH ROW
	WHEN (OLD.deletion_at IS NOT NULL AND NEW.deletion_at IS NOT NULL AND NEW.suspended_at IS NULL)
	EXECUTE FUNCTION "keep_deleted_organization_suspended"();
