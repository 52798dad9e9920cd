CREATE TABLE "transparency_keys" (
	"ring" text PRIMARY KEY NOT NULL,
	"public_key" "bytea" NOT NULL,
	"sealed_private_key" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transparency_log" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"origin" text NOT NULL,
	"size" bigint NOT NULL,
	"root_hash" "bytea" NOT NULL,
	"last_transaction_id" "xid8" NOT NULL,
	"last_row_id" bigint NOT NULL,
	"restored_row_id" bigint NOT NULL,
	"checkpoint" text,
	"checkpoint_size" bigint
);
--> statement-breakpoint
CREATE TABLE "transparency_tiles" (
	"level" smallint NOT NULL,
	"index" bigint NOT NULL,
	"hashes" "bytea" NOT NULL,
	"row_ids" bigint[],
	"min_row_id" bigint,
	"max_row_id" bigint,
	CONSTRAINT "transparency_tiles_pkey" PRIMARY KEY("level","index")
);
--> statement-breakpoint
CREATE INDEX "transparency_tiles_max_row_id_idx" ON "transparency_tiles" USING btree ("max_row_id") WHERE level = 0;--> statement-breakpoint
-- By hand from here on: what drizzle-kit cannot say.
-- First the column, then its default: a volatile default in one step would rewrite every partition. Rows of before keep null and are the
-- first leaves of the log, in the order of their ids: a lock on the table divides them from all that have a transaction id.
ALTER TABLE "audit_logs" ADD COLUMN IF NOT EXISTS "transaction_id" "xid8";--> statement-breakpoint
ALTER TABLE "audit_logs" ALTER COLUMN "transaction_id" SET DEFAULT pg_current_xact_id();--> statement-breakpoint
-- BRIN has no operator class for xid8. On a large trail the index is made by hand before (docs/upgrading.md).
CREATE INDEX IF NOT EXISTS "audit_logs_transaction_id_idx" ON "audit_logs" USING brin (("transaction_id"::text::bigint)) WITH (autosummarize = on);--> statement-breakpoint
-- Hashes cannot be compressed.
ALTER TABLE "transparency_tiles" ALTER COLUMN "hashes" SET STORAGE EXTERNAL;
