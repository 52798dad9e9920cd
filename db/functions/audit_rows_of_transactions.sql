-- Rows of the audit trail of a range of transactions, after a place in the trail and above a row id. The planner has
-- no statistics of a month whose rows have no transaction id, and would read the month each second in place of the
-- index: the settings permit the bitmap scan alone, and the sum excludes the primary key.
CREATE OR REPLACE FUNCTION "audit_rows_of_transactions"("from_transaction" xid8, "after_id" bigint, "before_transaction" bigint, "above_id" bigint, "batch" integer)
RETURNS SETOF "audit_logs" LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off SET max_parallel_workers_per_gather = 0 AS $$
	SELECT * FROM audit_logs a
	WHERE a.transaction_id::text::bigint >= from_transaction::text::bigint AND a.transaction_id::text::bigint < before_transaction
		AND (a.transaction_id, a.id) > (from_transaction, after_id) AND a.id + 0 > above_id
	ORDER BY a.transaction_id, a.id LIMIT batch
$$;
