-- As in migration 0010, but a family whose last access token has expired (and with it the 5 seconds of clocks that are behind) ends
-- without an event: none of its tokens can be presented, and the log is bounded in the memory of each replica. Everything else that
-- follows of an end, logout tokens for example, is written by triggers of its own.
CREATE OR REPLACE FUNCTION "end_token_families"("ids" uuid[], "why" text, "at" timestamptz) RETURNS void LANGUAGE sql AS $$
	WITH ended AS (
		UPDATE oauth_token_families SET revoked_at = at, revoked_reason = why WHERE id = ANY (ids) AND revoked_at IS NULL
		RETURNING id, access_expires_at
	)
	INSERT INTO session_events (session_id, kind, reason, at, expires_at)
	SELECT id, 'revoked', why, at, access_expires_at + interval '5 seconds' FROM ended
	WHERE access_expires_at + interval '5 seconds' > at
$$;
