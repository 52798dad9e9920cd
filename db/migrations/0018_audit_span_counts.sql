-- Counts the entries of a span of time, by buckets of `step`, which begin at multiples of it since 1970. It is a function for its
-- settings: the primary key, (id, timestamp), answers the same question, and PostgreSQL reads all of a month's key where the block range
-- index of the time reads a hundred pages.
CREATE FUNCTION "count_audit_span"("since" timestamptz, "before" timestamptz, "upto" timestamptz, "of_action" text, "step" interval)
RETURNS TABLE ("at" timestamptz, "entries" bigint) LANGUAGE sql STABLE
SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
	SELECT date_bin(step, timestamp, 'epoch'), count(*) FILTER (WHERE of_action IS NULL OR action = of_action)
	FROM audit_logs
	WHERE timestamp >= coalesce(since, '-infinity') AND timestamp < coalesce(before, 'infinity')
		AND timestamp <= coalesce(upto, 'infinity')
	GROUP BY 1
$$;
