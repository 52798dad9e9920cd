-- Counts the entries of a span of the audit trail by buckets of `step` since 1970, of some actions or of all. A
-- function for its settings: PostgreSQL would read the whole primary key of a month in place of the block range index
-- of the time.
CREATE OR REPLACE FUNCTION "count_audit_actions"("since" timestamptz, "before" timestamptz, "upto" timestamptz, "of_actions" text[], "step" interval)
RETURNS TABLE ("at" timestamptz, "entries" bigint) LANGUAGE sql STABLE
SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
	SELECT date_bin(step, timestamp, 'epoch'), count(*) FILTER (WHERE of_actions IS NULL OR action = ANY(of_actions))
	FROM audit_logs
	WHERE timestamp >= coalesce(since, '-infinity') AND timestamp < coalesce(before, 'infinity')
		AND timestamp <= coalesce(upto, 'infinity')
	GROUP BY 1
$$;
