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
-- Rows of transactions from one id up to, but without, another one, after a place in the trail and above a row id. The planner has no
-- statistics of a month whose rows have no transaction id, and would read all of it each second instead of the index. The sum keeps it
-- from the primary key.
CREATE FUNCTION "audit_rows_of_transactions"("from_transaction" xid8, "after_id" bigint, "before_transaction" bigint, "above_id" bigint, "batch" integer)
RETURNS SETOF "audit_logs" LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off SET max_parallel_workers_per_gather = 0 AS $$
	SELECT * FROM audit_logs a
	WHERE a.transaction_id::text::bigint >= from_transaction::text::bigint AND a.transaction_id::text::bigint < before_transaction
		AND (a.transaction_id, a.id) > (from_transaction, after_id) AND a.id + 0 > above_id
	ORDER BY a.transaction_id, a.id LIMIT batch
$$;--> statement-breakpoint
-- Hashes cannot be compressed.
ALTER TABLE "transparency_tiles" ALTER COLUMN "hashes" SET STORAGE EXTERNAL;
