-- Several addresses for a user (docs/contract.md, section 12.14). "users"."email" remains the primary address for replicas of the previous
-- release, whose writes the triggers below copy into "user_emails". CREATE TRIGGER locks "users" against writers until the end of the
-- migration, so that the copy of the existing users is complete (docs/upgrading.md, "Addresses of users").
CREATE TABLE "email_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "email_changes_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"email" text NOT NULL,
	"previous_email" text NOT NULL,
	"token_hash" "bytea",
	"undo_token_hash" "bytea",
	"requested_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_reservations" (
	"email" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_emails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"verified_at" timestamp with time zone,
	"controlled_at" timestamp with time zone,
	"primary" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "email_codes" ADD COLUMN "user_email_id" uuid;--> statement-breakpoint
ALTER TABLE "mailed_tokens" ADD COLUMN "user_email_id" uuid;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD COLUMN "created_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_reservations" ADD CONSTRAINT "email_reservations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_emails" ADD CONSTRAINT "user_emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_token_hash_key" ON "email_changes" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_undo_token_hash_key" ON "email_changes" USING btree ("undo_token_hash");--> statement-breakpoint
CREATE INDEX "email_changes_user_id_idx" ON "email_changes" USING btree ("user_id","requested_at");--> statement-breakpoint
CREATE INDEX "email_changes_expires_at_idx" ON "email_changes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "email_reservations_user_id_idx" ON "email_reservations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "email_reservations_expires_at_idx" ON "email_reservations" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "user_emails_email_key" ON "user_emails" USING btree ("email") WHERE "primary" or verified_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "user_emails_user_email_key" ON "user_emails" USING btree ("user_id","email");--> statement-breakpoint
CREATE UNIQUE INDEX "user_emails_primary_key" ON "user_emails" USING btree ("user_id") WHERE "primary";--> statement-breakpoint
CREATE INDEX "user_emails_pending_idx" ON "user_emails" USING btree ("created_at") WHERE verified_at is null and not "primary";--> statement-breakpoint
ALTER TABLE "email_codes" ADD CONSTRAINT "email_codes_user_email_id_user_emails_id_fk" FOREIGN KEY ("user_email_id") REFERENCES "public"."user_emails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailed_tokens" ADD CONSTRAINT "mailed_tokens_user_email_id_user_emails_id_fk" FOREIGN KEY ("user_email_id") REFERENCES "public"."user_emails"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_codes_user_email_id_idx" ON "email_codes" USING btree ("user_email_id");--> statement-breakpoint
CREATE INDEX "mailed_tokens_user_email_id_idx" ON "mailed_tokens" USING btree ("user_email_id");--> statement-breakpoint
-- A reservation refuses the address to every other user. An AFTER trigger: the statement that waited for the removal of the former row sees
-- the reservation of the same transaction. The name of the constraint is the name that replicas of every release report as a taken address.
CREATE FUNCTION "refuse_reserved_email"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT 1 FROM email_reservations r WHERE r.email = NEW.email AND r.user_id <> NEW.user_id AND r.expires_at > now()) THEN
		RAISE unique_violation USING CONSTRAINT = 'users_email_key', MESSAGE = 'the address is reserved';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "user_emails_reserved" AFTER INSERT OR UPDATE OF "email", "verified_at", "primary" ON "user_emails"
	FOR EACH ROW WHEN (NEW."primary" OR NEW.verified_at IS NOT NULL) EXECUTE FUNCTION "refuse_reserved_email"();--> statement-breakpoint
CREATE FUNCTION "copy_primary_email"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT 1 FROM user_emails e WHERE e.email = NEW.email AND ("primary" OR verified_at IS NOT NULL) AND e.user_id <> NEW.id) THEN
		RAISE unique_violation USING CONSTRAINT = 'users_email_key', MESSAGE = 'the address belongs to another user';
	END IF;
	UPDATE user_emails SET "primary" = false WHERE user_id = NEW.id AND "primary" AND email <> NEW.email;
	INSERT INTO user_emails (user_id, email, verified_at, controlled_at, "primary", created_at)
	VALUES (NEW.id, NEW.email, NEW.email_verified_at, NEW.controlled_at, true, NEW.updated_at)
	ON CONFLICT (user_id, email) DO UPDATE
		SET "primary" = true, verified_at = excluded.verified_at, controlled_at = excluded.controlled_at;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "users_copy_inserted_email" AFTER INSERT ON "users" FOR EACH ROW EXECUTE FUNCTION "copy_primary_email"();--> statement-breakpoint
CREATE TRIGGER "users_copy_changed_email" AFTER UPDATE OF "email", "email_verified_at", "controlled_at" ON "users"
	FOR EACH ROW WHEN (
		(OLD.email, OLD.email_verified_at, OLD.controlled_at) IS DISTINCT FROM (NEW.email, NEW.email_verified_at, NEW.controlled_at)
	) EXECUTE FUNCTION "copy_primary_email"();--> statement-breakpoint
INSERT INTO "user_emails" ("user_id", "email", "verified_at", "controlled_at", "primary", "created_at")
SELECT "id", "email", "email_verified_at", "controlled_at", true, "created_at" FROM "users";--> statement-breakpoint
-- As before, with the addresses of a change for the event identifier-changed (RISC): the audit trail has hashes only.
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
