-- Admits an e-mail at once, or holds a notice beyond the limits until `release_at`, merged with the held notices of the
-- kind. SKIP LOCKED: a notice under release is not merged.
CREATE OR REPLACE FUNCTION "queue_email"(
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
