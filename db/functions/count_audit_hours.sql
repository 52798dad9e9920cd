-- Counts the entries of the audit trail up to twenty minutes ago, at most one day in a call. The clock of the database
-- bounds the given time: a clock that is ahead would count minutes whose entries `count_late_audit_entries` does not
-- see. Returns whether entries remain.
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
