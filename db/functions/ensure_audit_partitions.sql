-- Creates the partitions of the audit trail of a month and the following months; returns the number. Called after each
-- migration and by the sweeper.
CREATE OR REPLACE FUNCTION "ensure_audit_partitions"("first_day" date, "months_ahead" integer) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	month_start date;
	partition_name text;
	made integer := 0;
BEGIN
	FOR offset_months IN 0..months_ahead LOOP
		month_start := (date_trunc('month', first_day) + make_interval(months => offset_months))::date;
		partition_name := 'audit_logs_' || to_char(month_start, '"y"YYYY"m"MM');
		IF to_regclass(quote_ident(partition_name)) IS NULL THEN
			EXECUTE format(
				'CREATE TABLE %I PARTITION OF audit_logs FOR VALUES FROM (%L) TO (%L)',
				partition_name,
				month_start::timestamp AT TIME ZONE 'UTC',
				(month_start + interval '1 month')::timestamp AT TIME ZONE 'UTC'
			);
			made := made + 1;
		END IF;
	END LOOP;
	RETURN made;
END
$$;
