-- Days of the counted hours: a total over years is a sum of days and of the hours at both ends, not of all hours.
CREATE TABLE "audit_day_counts" (
	"day" timestamp with time zone NOT NULL,
	"action" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "audit_day_counts_pkey" PRIMARY KEY("day","action")
);
--> statement-breakpoint
-- Each change of an hour's row changes its day's in the same transaction, whoever makes it: the sweeper of an older version does too.
CREATE FUNCTION "count_audit_days"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' THEN
		UPDATE audit_day_counts SET count = count - old.count
		WHERE day = date_trunc('day', old.hour, 'UTC') AND action = old.action;
		DELETE FROM audit_day_counts
		WHERE day = date_trunc('day', old.hour, 'UTC') AND action = old.action AND count = 0;
	ELSE
		INSERT INTO audit_day_counts (day, action, count)
		VALUES (date_trunc('day', new.hour, 'UTC'), new.action,
			new.count - CASE WHEN TG_OP = 'UPDATE' THEN old.count ELSE 0 END)
		ON CONFLICT (day, action) DO UPDATE SET count = audit_day_counts.count + excluded.count;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- Until the trigger is there nobody counts; readers go on.
LOCK TABLE "audit_counts" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TRIGGER "audit_counts_count_days" AFTER INSERT OR UPDATE OR DELETE ON "audit_counts"
	FOR EACH ROW EXECUTE FUNCTION count_audit_days();--> statement-breakpoint
INSERT INTO "audit_day_counts" ("day", "action", "count")
SELECT date_trunc('day', hour, 'UTC'), action, sum(count) FROM audit_counts GROUP BY 1, 2;
