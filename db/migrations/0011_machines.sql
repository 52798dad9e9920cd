-- Service accounts, API keys, webhooks and their deliveries. Old replicas go on running: nothing that they know changes, and the trigger writes
-- the deliveries of their audit entries too.
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"service_account_id" uuid NOT NULL,
	"key_id" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"scopes" text[] NOT NULL,
	"allowed_ips" text[] NOT NULL,
	"allowed_referrers" text[] NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"name" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"subject" text NOT NULL,
	"event_type" text NOT NULL,
	"payload" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"answer_status" integer,
	"answer_ms" integer,
	"answer" text,
	"attempted_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY("webhook_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"url" text NOT NULL,
	"event_types" text[] NOT NULL,
	"enabled" boolean NOT NULL,
	"disabled_reason" text,
	"sealed_secret" "bytea" NOT NULL,
	"sealed_previous_secret" "bytea",
	"previous_expires_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"paused_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_service_account_id_service_accounts_id_fk" FOREIGN KEY ("service_account_id") REFERENCES "public"."service_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_accounts" ADD CONSTRAINT "service_accounts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_accounts" ADD CONSTRAINT "service_accounts_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_service_account_idx" ON "api_keys" USING btree ("service_account_id","created_at");--> statement-breakpoint
CREATE INDEX "service_accounts_organization_idx" ON "service_accounts" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending_idx" ON "webhook_deliveries" USING btree ("webhook_id","sequence") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_subject_idx" ON "webhook_deliveries" USING btree ("webhook_id","subject","sequence") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_idx" ON "webhook_deliveries" USING btree ("webhook_id","sequence");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_expires_at_idx" ON "webhook_deliveries" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhooks_organization_idx" ON "webhooks" USING btree ("organization_id","created_at");--> statement-breakpoint
-- Only the partitions that are created from now on: building it for the others would lock the trail against sign-ins.
CREATE INDEX "audit_logs_organization_idx" ON ONLY "audit_logs" USING btree ("organization_id","id");--> statement-breakpoint
-- Writes the deliveries of new audit entries in the statement that inserts them (docs/decisions/0017). While no webhook is enabled it costs one
-- look at an empty table. A webhook that is being deleted is passed over: whoever signs in neither waits for that nor fails by it.
CREATE FUNCTION "write_webhook_deliveries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT 1 FROM webhooks WHERE enabled) THEN
		RETURN NULL;
	END IF;
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
	RETURN NULL;
END
$$;--> statement-breakpoint
-- The body of a delivery: the audit record as lists and exports return it.
CREATE FUNCTION "webhook_payload"("e" audit_logs) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT json_build_object('type', e.action, 'timestamp', at.text, 'data', json_build_object(
		'id', e.id, 'event_id', e.event_id, 'timestamp', at.text,
		'organization_id', coalesce(e.organization_id, '00000000-0000-0000-0000-000000000000'),
		'actor_id', e.actor_id, 'actor_type', e.actor_type, 'action', e.action, 'resource_type', e.resource_type,
		'resource_id', coalesce(e.resource_id, ''), 'ip_address', e.ip_address, 'user_agent', e.user_agent,
		'request_id', e.request_id, 'metadata', e.metadata, 'outcome', e.outcome))::text
	FROM (SELECT to_char(e.timestamp AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS text) at
$$;--> statement-breakpoint
CREATE TRIGGER "audit_logs_write_deliveries" AFTER INSERT ON "audit_logs"
	REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION write_webhook_deliveries();
