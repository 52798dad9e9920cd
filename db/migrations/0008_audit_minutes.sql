-- Totals of the audit trail are counted up to twenty minutes ago, not up to the last hour that ended an hour ago: what is left to count
-- entry by entry is a fifth of it. The row of the hour under way holds the part before `counted_until`, and grows with it. Version 0.1.0
-- reads it rightly: it sums the hours that began before `counted_until`, and counts the entries from there on.
-- Entries of counted minutes: added in the transaction that inserts them. Those of the last quarter of an hour, which are all but imports,
-- restores and those of a replica whose clock is far behind, pass without a look at anything shared. The five minutes between this bound
-- and that of the counting are for transactions that are under way.
CREATE OR REPLACE FUNCTION "count_late_audit_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	until timestamptz;
BEGIN
	IF NOT EXISTS (SELECT 1 FROM fresh WHERE timestamp < now() - interval '15 minutes') THEN
		RETURN NULL;
	END IF;
	SELECT counted_until INTO until FROM audit_count_state FOR SHARE;
	INSERT INTO audit_counts (hour, action, count)
	SELECT date_trunc('hour', timestamp, 'UTC'), action, count(*) FROM fresh WHERE timestamp < until GROUP BY 1, 2
	ON CONFLICT (hour, action) DO UPDATE SET count = audit_counts.count + excluded.count;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Counts the minutes up to twenty minutes ago, a day of them at most; answers whether more are left. Called by the sweeper, every minute.
-- The database's clock bounds the caller's: one that is ahead would count minutes whose entries still pass the trigger.
CREATE OR REPLACE FUNCTION "count_audit_hours"("at" timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	begun timestamptz;
	target timestamptz := date_trunc('minute', least(at, now()) - interval '20 minutes');
	stop_at timestamptz;
BEGIN
	SELECT counted_until INTO begun FROM audit_count_state FOR UPDATE;
	IF begun = '-infinity' THEN
		SELECT coalesce(date_trunc('hour', min(timestamp), 'UTC'), target) INTO begun FROM audit_logs;
	END IF;
	stop_at := least(begun + interval '1 day', target);
	IF stop_at > begun THEN
		INSERT INTO audit_counts (hour, action, count)
		SELECT date_trunc('hour', timestamp, 'UTC'), action, count(*) FROM audit_logs
		WHERE timestamp >= begun AND timestamp < stop_at GROUP BY 1, 2
		ON CONFLICT (hour, action) DO UPDATE SET count = audit_counts.count + excluded.count;
		UPDATE audit_count_state SET counted_until = stop_at;
	ELSIF begun = target THEN
		UPDATE audit_count_state SET counted_until = begun WHERE counted_until < begun;
	END IF;
	RETURN stop_at < target;
END
$$;
