-- Drops the partitions of months that ended before a time, with their counts; returns the number. Waits one second for
-- a lock, so that a long reader does not stop the writers behind the drop.
CREATE OR REPLACE FUNCTION "drop_audit_partitions"("before" timestamptz) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
	old record;
	month_end timestamptz;
	dropped integer := 0;
	latest timestamptz := least(before, audit_droppable_before());
BEGIN
	FOR old IN
		SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent = 'audit_logs'::regclass AND c.relname ~ '^audit_logs_y[0-9]{4}m[0-9]{2}$'
	LOOP
		month_end := (to_date(substring(old.relname FROM 13 FOR 4) || substring(old.relname FROM 18 FOR 2), 'YYYYMM')
			+ interval '1 month')::timestamp AT TIME ZONE 'UTC';
		IF month_end <= latest THEN
			EXECUTE format('DROP TABLE %I', old.relname);
			DELETE FROM audit_counts WHERE hour >= month_end - interval '1 month' AND hour < month_end;
			dropped := dropped + 1;
		END IF;
	END LOOP;
	RETURN dropped;
END
$$;
