-- The heads of the delivery queues (docs/decisions/0023). Older replicas go on: new columns have defaults, deliveries of older replicas are ready, and
-- the triggers serve the statements of every version. On a large table, create the columns and the index before the release (docs/upgrading.md).
ALTER TABLE "webhook_deliveries" ADD COLUMN IF NOT EXISTS "lane" text DEFAULT 'event' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN IF NOT EXISTS "blocked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "webhook_deliveries_ready_idx" ON "webhook_deliveries" USING btree ("lane","webhook_id","next_attempt_at","sequence") WHERE status = 'pending' and not blocked;--> statement-breakpoint
-- A delivery that ends is no longer blocked: a later resend, by a replica of any version, finds it ready.
CREATE FUNCTION "reset_blocked_delivery"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.blocked := false;
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER "reset_blocked_delivery" BEFORE UPDATE OF "status" ON "webhook_deliveries"
	FOR EACH ROW WHEN (OLD.blocked AND NEW.status <> 'pending') EXECUTE FUNCTION reset_blocked_delivery();--> statement-breakpoint
-- Makes the next pending delivery ready after each subject's first ended one. The statement runs after the ended rows are locked, with a snapshot of its
-- own, so it reads every row that was blocked before. It waits for a locked row, always a later one of the subject, because the row may stay pending.
-- The plan is one probe of webhook_deliveries_subject_idx, whatever the statistics say: no other index has the order, and sorting is off.
CREATE FUNCTION "unblock_webhook_deliveries"() RETURNS trigger LANGUAGE plpgsql
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
$$;--> statement-breakpoint
CREATE TRIGGER "unblock_after_update" AFTER UPDATE ON "webhook_deliveries"
	REFERENCING NEW TABLE AS ended_deliveries FOR EACH STATEMENT EXECUTE FUNCTION unblock_webhook_deliveries();--> statement-breakpoint
CREATE TRIGGER "unblock_after_delete" AFTER DELETE ON "webhook_deliveries"
	REFERENCING OLD TABLE AS ended_deliveries FOR EACH STATEMENT EXECUTE FUNCTION unblock_webhook_deliveries();
