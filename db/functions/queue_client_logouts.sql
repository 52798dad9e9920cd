-- Queues logout tokens to the clients of an ended session (OpenID Connect Back-Channel Logout), by the first id of
-- each family: a logout token has the `sid` of the ID token.
CREATE OR REPLACE FUNCTION "queue_client_logouts"("ended_session" uuid, "at" timestamptz) RETURNS void LANGUAGE sql AS $$
	WITH ended AS (
		UPDATE oauth_token_families SET logged_out_at = at WHERE session_id = ended_session AND logged_out_at IS NULL
		RETURNING coalesce(origin_id, id) AS id, client_id, subject
	)
	INSERT INTO oauth_logouts (family_id, client_id, subject, next_attempt_at, expires_at)
	SELECT ended.id, c.id, ended.subject, at, at + interval '1 day'
	FROM ended JOIN oauth_clients c ON c.id = ended.client_id
	WHERE c.backchannel_logout_uri IS NOT NULL AND c.disabled_at IS NULL
	ON CONFLICT DO NOTHING
$$;
