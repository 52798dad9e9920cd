-- Counts entries of minutes that `count_audit_hours` has counted: imports, restores, and replicas whose clock is
-- behind. Entries of the last quarter of an hour pass without a read of a shared row; the five minutes between both
-- bounds belong to transactions that are under way.
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
$$;

CREATE TRIGGER "audit_logs_count_late" AFTER INSERT ON "audit_logs"
	REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_late_audit_entries();
