CREATE TABLE "audit_count_state" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"counted_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_counts" (
	"hour" timestamp with time zone NOT NULL,
	"action" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "audit_counts_pkey" PRIMARY KEY("hour","action")
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- By hand from here on: what drizzle-kit cannot say.
INSERT INTO "audit_count_state" ("counted_until") VALUES ('-infinity');--> statement-breakpoint
-- The trail grows in the order of time, which is all that this small index needs to find a span of it.
CREATE INDEX "audit_logs_timestamp_idx" ON "audit_logs" USING brin ("timestamp") WITH (autosummarize = on);--> statement-breakpoint
-- Entries of hours that are counted already: added in the transaction that inserts them. Those of the last three quarters of an hour,
-- which are all but imports and restores, pass without a look at anything shared.
CREATE FUNCTION "count_late_audit_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	until timestamptz;
BEGIN
	IF NOT EXISTS (SELECT 1 FROM fresh WHERE timestamp < now() - interval '45 minutes') THEN
		RETURN NULL;
	END IF;
	SELECT counted_until INTO until FROM audit_count_state FOR SHARE;
	INSERT INTO audit_counts (hour, action, count)
	SELECT date_trunc('hour', timestamp, 'UTC'), action, count(*) FROM fresh WHERE timestamp < until GROUP BY 1, 2
	ON CONFLICT (hour, action) DO UPDATE SET count = audit_counts.count + excluded.count;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "audit_logs_count_late" AFTER INSERT ON "audit_logs"
	REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_late_audit_entries();--> statement-breakpoint
-- Counts the hours up to one hour ago, a day of them at most; answers whether more are left. Called by the sweeper.
CREATE FUNCTION "count_audit_hours"("at" timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	begun timestamptz;
	target timestamptz := date_trunc('hour', at - interval '1 hour', 'UTC');
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
		ON CONFLICT (hour, action) DO UPDATE SET count = excluded.count;
		UPDATE audit_count_state SET counted_until = stop_at;
	ELSIF begun = target THEN
		UPDATE audit_count_state SET counted_until = begun WHERE counted_until < begun;
	END IF;
	RETURN stop_at < target;
END
$$;--> statement-breakpoint
-- Drops the partitions of months that ended before a day, with their counts; answers how many. Waits for no lock: the next round will.
CREATE FUNCTION "drop_audit_partitions"("before" timestamptz) RETURNS integer LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
	old record;
	month_end timestamptz;
	dropped integer := 0;
BEGIN
	FOR old IN
		SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent = 'audit_logs'::regclass AND c.relname ~ '^audit_logs_y[0-9]{4}m[0-9]{2}$'
	LOOP
		month_end := (to_date(substring(old.relname FROM 13 FOR 4) || substring(old.relname FROM 18 FOR 2), 'YYYYMM')
			+ interval '1 month')::timestamp AT TIME ZONE 'UTC';
		IF month_end <= before THEN
			EXECUTE format('DROP TABLE %I', old.relname);
			DELETE FROM audit_counts WHERE hour >= month_end - interval '1 month' AND hour < month_end;
			dropped := dropped + 1;
		END IF;
	END LOOP;
	RETURN dropped;
END
$$;
