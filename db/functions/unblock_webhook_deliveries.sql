-- Makes the next pending delivery of a subject ready after the first ended delivery. The statement runs after the
-- ended rows are locked, with a snapshot of its own, so every row that was blocked before is visible. The settings
-- leave one plan, a probe of `webhook_deliveries_subject_idx`, whatever the statistics say.
CREATE OR REPLACE FUNCTION "unblock_webhook_deliveries"() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET enable_incremental_sort = off AS $$
DECLARE
	ended record;
BEGIN
	FOR ended IN
		SELECT e.webhook_id, e.subject, min(e.sequence) AS sequence FROM ended_deliveries e
		WHERE e.subject <> '' AND (TG_OP = 'DELETE') = (e.status = 'pending')
		GROUP BY e.webhook_id, e.subject
		ORDER BY e.webhook_id, e.subject
	LOOP
		UPDATE webhook_deliveries d SET blocked = false
		FROM (
			SELECT p.ctid, p.blocked FROM webhook_deliveries p
			WHERE p.status = 'pending'
				AND (p.webhook_id, p.subject, p.sequence) > (ended.webhook_id, ended.subject, ended.sequence)
				AND (p.webhook_id, p.subject) <= (ended.webhook_id, ended.subject)
			ORDER BY p.webhook_id, p.subject, p.sequence LIMIT 1 FOR NO KEY UPDATE
		) successor
		WHERE d.ctid = successor.ctid AND successor.blocked;
	END LOOP;
	RETURN NULL;
END
$$;

CREATE TRIGGER "unblock_after_delete" AFTER DELETE ON "webhook_deliveries"
	REFERENCING OLD TABLE AS ended_deliveries FOR EACH STATEMENT EXECUTE FUNCTION unblock_webhook_deliveries();

CREATE TRIGGER "unblock_after_update" AFTER UPDATE ON "webhook_deliveries"
	REFERENCING NEW TABLE AS ended_deliveries FOR EACH STATEMENT EXECUTE FUNCTION unblock_webhook_deliveries();
