-- Gives months of the default partition of the audit trail a partition of their own, with their records; returns the
-- number. Later years than 9999 have no partition name of this form.
CREATE OR REPLACE FUNCTION "move_stray_audit_records"("first_month" timestamptz, "months_max" integer) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
	month_begin timestamptz;
	month_end timestamptz;
	partition_name text;
	moved integer := 0;
BEGIN
	FOR month_begin IN
		SELECT DISTINCT date_trunc('month', timestamp, 'UTC') FROM audit_logs_default
		WHERE timestamp >= first_month AND timestamp < '9999-01-01T00:00:00Z'
		ORDER BY 1 LIMIT months_max
	LOOP
		month_end := (month_begin AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
		partition_name := 'audit_logs_' || to_char(month_begin AT TIME ZONE 'UTC', '"y"YYYY"m"MM');
		EXECUTE format('CREATE TABLE %I (LIKE audit_logs)', partition_name);
		EXECUTE format(
			'WITH moved AS (DELETE FROM audit_logs_default WHERE timestamp >= %L AND timestamp < %L RETURNING *)
			 INSERT INTO %I SELECT * FROM moved', month_begin, month_end, partition_name);
		EXECUTE format(
			'ALTER TABLE audit_logs ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition_name, month_begin, month_end);
		moved := moved + 1;
	END LOOP;
	RETURN moved;
END
$$;
