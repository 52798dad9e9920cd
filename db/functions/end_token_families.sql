-- Ends token families with one event each, by which replicas and resource servers learn the end. A family whose last
-- access token expired more than five seconds ago ends without an event: no token can be presented, and the log is
-- bounded in the memory of each replica.
CREATE OR REPLACE FUNCTION "end_token_families"("ids" uuid[], "why" text, "at" timestamptz) RETURNS void LANGUAGE sql AS $$
	WITH ended AS (
		UPDATE oauth_token_families SET revoked_at = at, revoked_reason = why WHERE id = ANY (ids) AND revoked_at IS NULL
		RETURNING id, access_expires_at
	)
	INSERT INTO session_events (session_id, kind, reason, at, expires_at)
	SELECT id, 'revoked', why, at, access_expires_at + interval '5 seconds' FROM ended
	WHERE access_expires_at + interval '5 seconds' > at
$$;
