-- The role of replicas owns no table (docs/operating.md): functions that change partitions run as the owner of the tables. Each has a fixed
-- search_path, and only roles with a grant (db/privileges.ts) may execute them.
ALTER FUNCTION "ensure_audit_partitions"(date, integer) SECURITY DEFINER SET search_path = public, pg_temp;--> statement-breakpoint
-- The end of the months that may be dropped. `migrate` replaces it where the role of replicas owns no table.
CREATE FUNCTION "audit_droppable_before"() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT timestamptz 'infinity' $$;--> statement-breakpoint
-- Drops the partitions of months that ended before a day, with their counts, and returns how many. Waits 1 s for a lock.
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
$$;--> statement-breakpoint
-- Gives months of the default partition, from one on, a partition with their records. Later years have no partition name of this form.
CREATE FUNCTION "move_stray_audit_records"("first_month" timestamptz, "months_max" integer) RETURNS integer LANGUAGE plpgsql
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
$$;--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION "ensure_audit_partitions"(date, integer), "drop_audit_partitions"(timestamptz),
	"move_stray_audit_records"(timestamptz, integer) FROM PUBLIC;
