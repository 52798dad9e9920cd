CREATE TABLE "email_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"address_hash" text NOT NULL,
	"kind" text NOT NULL,
	"network" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "kind" text;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "address_hash" text;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "held" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "merged" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "email_log_address_idx" ON "email_log" USING btree ("address_hash","sent_at");--> statement-breakpoint
CREATE INDEX "email_log_expires_at_idx" ON "email_log" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "outbox_held_idx" ON "outbox" USING btree ("address_hash","kind") WHERE held;
--> statement-breakpoint
-- Admits an e-mail, or returns false. One call at a time for an address: each call sees the rows of the calls before. Windows slide, so
-- that no hour has more e-mails than its limit, wherever the hour begins. An empty network (command line) counts for the address alone.
CREATE FUNCTION "admit_email"(
	"email_id" uuid, "to_address" text, "of_kind" text, "from_network" text, "at" timestamptz,
	"kind_max" integer, "kind_window" interval, "network_max" integer, "network_window" interval,
	"address_max" integer, "address_window" interval
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	longest interval := greatest(kind_window, network_window, address_window);
	is_within boolean;
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('email:' || to_address, 0));
	SELECT count(*) FILTER (WHERE l.kind = of_kind AND l.sent_at > at - kind_window) < kind_max
		AND count(*) FILTER (WHERE l.network = from_network AND from_network <> '' AND l.sent_at > at - network_window) < network_max
		AND count(*) FILTER (WHERE l.sent_at > at - address_window) < address_max
	INTO is_within
	FROM email_log l WHERE l.address_hash = to_address AND l.sent_at > at - longest;
	IF is_within THEN
		INSERT INTO email_log (id, address_hash, kind, network, sent_at, expires_at)
		VALUES (email_id, to_address, of_kind, from_network, at, at + longest);
	END IF;
	RETURN is_within;
END $$;
--> statement-breakpoint
-- Decides how an e-mail enters the outbox. Without "release_at" (requested e-mails): one row if it is admitted, else none. With it (notices):
-- always one row. A notice takes the place of the held one of its kind and counts it as merged; beyond the limit it is held in turn, until
-- the next one or the earliest release. SKIP LOCKED: a held notice that is being released now is not merged.
CREATE FUNCTION "queue_email"(
	"email_id" uuid, "to_address" text, "of_kind" text, "from_network" text, "at" timestamptz, "release_at" timestamptz,
	"kind_max" integer, "kind_window" interval, "network_max" integer, "network_window" interval,
	"address_max" integer, "address_window" interval
) RETURNS TABLE ("is_held" boolean, "merged_count" integer, "due_at" timestamptz) LANGUAGE plpgsql AS $$
DECLARE
	is_admitted boolean := admit_email(email_id, to_address, of_kind, from_network, at, kind_max, kind_window, network_max,
		network_window, address_max, address_window);
	earliest timestamptz;
BEGIN
	IF NOT is_admitted AND release_at IS NULL THEN RETURN; END IF;
	is_held := NOT is_admitted;
	merged_count := 0;
	due_at := CASE WHEN is_admitted THEN at ELSE release_at END;
	IF release_at IS NOT NULL THEN
		WITH replaced AS (
			DELETE FROM outbox o WHERE o.id IN (
				SELECT i.id FROM outbox i WHERE i.address_hash = to_address AND i.kind = of_kind AND i.held FOR UPDATE SKIP LOCKED
			)
			RETURNING o.merged, o.next_attempt_at
		)
		SELECT coalesce(sum(r.merged + 1), 0), min(r.next_attempt_at) INTO merged_count, earliest FROM replaced r;
		IF is_held THEN due_at := least(due_at, earliest); END IF;
	END IF;
	RETURN NEXT;
END $$;
