-- Adds each change of an hour's counts to the counts of the day, in one transaction, for the sweeper of every release.
CREATE OR REPLACE FUNCTION "count_audit_days"() RETURNS trigger LANGUAGE plpgsql AS $$
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
$$;

CREATE TRIGGER "audit_counts_count_days" AFTER INSERT OR UPDATE OR DELETE ON "audit_counts"
	FOR EACH ROW EXECUTE FUNCTION count_audit_days();
