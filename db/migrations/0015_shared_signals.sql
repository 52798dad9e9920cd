-- Event streams of shared signals (docs/decisions/0021): rows of "webhooks" with a stream_method. Older replicas send to enabled webhooks alone;
-- a stream is never enabled, has a status of its own, and its events wait until a replica of this version sends them.
ALTER TABLE "webhooks" ADD COLUMN "service_account_id" uuid;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "stream_method" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "stream_status" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "stream_reason" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "events_requested" text[];--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "verified_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_service_account_id_service_accounts_id_fk" FOREIGN KEY ("service_account_id") REFERENCES "public"."service_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhooks_stream_idx" ON "webhooks" USING btree ("service_account_id","created_at") WHERE stream_status is not null;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_stream_check" CHECK (num_nulls(service_account_id, stream_method, stream_status) in (0, 3) and enabled <= (stream_status is null));--> statement-breakpoint
-- As before for webhooks; then the events of streams. Which actions a stream gets stands in its event_types. A session is told to streams of its
-- organization, what concerns a user to those of the organizations that the user belongs to, and everything to those of the platform.
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
		FOR KEY SHARE OF w SKIP LOCKED
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
				'reason', e.metadata->>'reason', 'previous_aal', e.metadata->>'previous_aal',
				'transports', e.transports, 'aaguid', e.aaguid)::text,
			'pending', least(e.timestamp, now()), e.timestamp + interval '3 days', e.timestamp
		FROM (
			SELECT f.*, s.id AS session_id, s.organization_id AS session_organization_id, p.transports, p.aaguid,
				CASE WHEN f.resource_type = 'user' THEN f.resource_uuid ELSE coalesce(s.user_id, p.user_id) END AS user_id
			FROM (
				SELECT *, CASE WHEN resource_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN resource_id::uuid END AS resource_uuid
				FROM fresh
			) f
			LEFT JOIN sessions s ON f.resource_type = 'session' AND s.id = f.resource_uuid
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
			AND (e.action <> 'auth.mfa.step_up' OR e.metadata->>'previous_aal' IS DISTINCT FROM 'aal2')
		ORDER BY e.id
		FOR KEY SHARE OF w SKIP LOCKED
		ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;
END
$$;
