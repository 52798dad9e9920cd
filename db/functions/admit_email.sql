-- Admits an e-mail, or returns false. One call at a time for an address: each call sees the rows of the calls before.
-- Windows slide, so that no hour has more e-mails than its limit. An empty network (command line) counts for the
-- address alone.
CREATE OR REPLACE FUNCTION "admit_email"(
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
