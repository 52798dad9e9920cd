-- Writes the deliveries of new audit records, in their transaction: by event type for webhooks, by subject for streams
-- of security events (RISC, CAEP). Payloads of streams hash the ids with the stream, so that two receivers share
-- nothing.
CREATE OR REPLACE FUNCTION "write_webhook_deliveries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT 1 FROM webhooks WHERE enabled OR stream_status <> 'disabled') THEN
		RETURN NULL;
	END IF;
	IF EXISTS (SELECT 1 FROM webhooks WHERE enabled) THEN
		INSERT INTO webhook_deliveries
			(webhook_id, event_id, subject, event_type, payload, status, next_attempt_at, expires_at, created_at)
		SELECT w.id, e.event_id,
			CASE WHEN e.resource_type = 'user' THEN coalesce(e.resource_id, '') ELSE coalesce(e.actor_id::text, e.resource_id, '') END,
			e.action, webhook_payload(e), 'pending', least(e.timestamp, now()), e.timestamp + interval '3 days', e.timestamp
		FROM fresh e
		JOIN webhooks w ON w.enabled AND (w.organization_id IS NULL OR w.organization_id = e.organization_id) AND EXISTS (
			SELECT 1 FROM unnest(w.event_types) pattern
			WHERE pattern IN ('*', e.action) OR (pattern LIKE '%.*' AND starts_with(e.action, left(pattern, -1)))
		)
		ORDER BY e.id
		ON CONFLICT DO NOTHING;
	END IF;
	-- A look, so that records that no stream is about cost no more, sign-ins among them.
	IF EXISTS (SELECT 1 FROM webhooks w JOIN fresh e ON e.action = ANY (w.event_types) WHERE w.stream_status <> 'disabled') THEN
		INSERT INTO webhook_deliveries
			(webhook_id, event_id, subject, event_type, payload, status, next_attempt_at, expires_at, created_at)
		-- The id and the transaction are hashed with the stream: what two receivers hear of one cause shares nothing.
		SELECT w.id, md5(w.id::text || e.event_id::text)::uuid, e.user_id::text, e.action,
			json_build_object(
				'txn', md5(w.id::text || e.transaction_id::text), 'user_id', e.user_id, 'session_id', e.session_id,
				'organization_id', e.session_organization_id,
				'initiator', CASE WHEN e.actor_type = 'system' THEN 'system' WHEN e.actor_id = e.user_id THEN 'user' ELSE 'admin' END,
				'reason', e.metadata->>'reason', 'previous_aal', e.metadata->>'previous_aal', 'first_password', e.metadata->'first_password',
				'transports', e.transports, 'aaguid', e.aaguid, 'old_email', e.old_email, 'new_email', e.new_email)::text,
			'pending', least(e.timestamp, now()), e.timestamp + interval '3 days', e.timestamp
		FROM (
			SELECT f.*, s.id AS session_id, s.organization_id AS session_organization_id, p.transports, p.aaguid,
				CASE WHEN f.action = 'user.email.changed' THEN c.previous_email WHEN f.action = 'user.email.reverted' THEN u.email END AS old_email,
				CASE WHEN f.action = 'user.email.changed' THEN c.email WHEN f.action = 'user.email.reverted' THEN c.previous_email END AS new_email,
				CASE WHEN f.resource_type = 'user' THEN f.resource_uuid ELSE coalesce(s.user_id, p.user_id) END AS user_id
			FROM (
				SELECT *, CASE WHEN resource_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN resource_id::uuid END AS resource_uuid,
					CASE WHEN action IN ('user.email.changed', 'user.email.reverted') THEN (metadata->>'change_id')::uuid END AS change_uuid
				FROM fresh
			) f
			LEFT JOIN sessions s ON f.resource_type = 'session' AND s.id = f.resource_uuid
			LEFT JOIN email_changes c ON c.id = f.change_uuid
			-- An undo is recorded before the address changes back.
			LEFT JOIN users u ON f.action = 'user.email.reverted' AND u.id = f.resource_uuid
			LEFT JOIN passkeys p ON f.resource_type = 'passkey' AND p.id = f.resource_uuid
		) e
		JOIN webhooks w ON w.stream_status <> 'disabled' AND e.action = ANY (w.event_types) AND (
			w.organization_id IS NULL OR w.organization_id = e.session_organization_id OR (e.session_id IS NULL AND EXISTS (
				SELECT 1 FROM members m WHERE m.organization_id = w.organization_id AND m.user_id = e.user_id
			))
		)
		WHERE e.user_id IS NOT NULL
			AND (e.outcome = 'success' OR e.action = 'auth.refresh.reuse_detected')
			AND (e.action <> 'auth.control.proven' OR e.metadata->>'password' = 'true')
			AND (e.action <> 'user.email.reverted' OR e.metadata->>'restored' = 'true')
			AND (e.action <> 'auth.mfa.step_up' OR e.metadata->>'previous_aal' IS DISTINCT FROM 'aal2')
		ORDER BY e.id
		ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;
END
$$;

CREATE TRIGGER "audit_logs_write_deliveries" AFTER INSERT ON "audit_logs"
	REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION write_webhook_deliveries();
