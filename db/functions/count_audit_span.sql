-- As `count_audit_actions`, for one action; called by replicas of earlier releases during an upgrade.
CREATE OR REPLACE FUNCTION "count_audit_span"("since" timestamptz, "before" timestamptz, "upto" timestamptz, "of_action" text, "step" interval)
RETURNS TABLE ("at" timestamptz, "entries" bigint) LANGUAGE sql STABLE
SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
	SELECT date_bin(step, timestamp, 'epoch'), count(*) FILTER (WHERE of_action IS NULL OR action = of_action)
	FROM audit_logs
	WHERE timestamp >= coalesce(since, '-infinity') AND timestamp < coalesce(before, 'infinity')
		AND timestamp <= coalesce(upto, 'infinity')
	GROUP BY 1
$$;
