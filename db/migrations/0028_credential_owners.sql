-- Who created a webhook or event stream, to whom an authorization request was displayed, and the organization that a code was asked
-- for: a first controlling proof ends what its user set up (docs/contract.md, section 5.3).
ALTER TABLE "oauth_codes" ADD COLUMN "organization_id" uuid;--> statement-breakpoint
ALTER TABLE "oauth_requests" ADD COLUMN "user_id" uuid;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "created_by" uuid;--> statement-breakpoint
ALTER TABLE "oauth_requests" ADD CONSTRAINT "oauth_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "oauth_requests_user_id_idx" ON "oauth_requests" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "api_keys_created_by_idx" ON "api_keys" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "webhooks_created_by_idx" ON "webhooks" USING btree ("created_by");--> statement-breakpoint
-- Creators as the audit trail names them: a user, or the key with which an event stream was created.
UPDATE "webhooks" w SET "created_by" = u.id
FROM "audit_logs" a LEFT JOIN "api_keys" k ON a.actor_type = 'api_key' AND k.id = a.actor_id
JOIN "users" u ON u.id = CASE WHEN a.actor_type = 'api_key' THEN k.created_by ELSE a.actor_id END
WHERE a.action IN ('webhook.created', 'signal_stream.created') AND a.resource_id = w.id::text;
