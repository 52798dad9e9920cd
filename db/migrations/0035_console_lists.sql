-- By hand: "only", because building the index on present partitions would lock them; new partitions have the index. "if not exists":
-- on a large table, create the index concurrently before the release (docs/upgrading.md).
CREATE INDEX "audit_logs_failure_idx" ON ONLY "audit_logs" USING btree ("id","timestamp","action") WHERE outcome = 'failure';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "organizations_name_idx" ON "organizations" USING btree (lower(name),"id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "organizations_suspended_idx" ON "organizations" USING btree ("created_at") WHERE suspended_at is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "organizations_tier_idx" ON "organizations" USING btree ("tier","created_at") WHERE tier <> 'standard';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "api_keys_expires_at_idx" ON "api_keys" USING btree ("expires_at") WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_disabled_idx" ON "users" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE disabled_at is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_platform_role_idx" ON "users" USING btree ("platform_role","created_at") WHERE platform_role is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "webhooks_failing_idx" ON "webhooks" USING btree ("failing_since") WHERE failing_since is not null;--> statement-breakpoint
-- The function "count_audit_span" of migration 0018 for a group of actions; null: all actions. Replicas of older releases call the
-- function of 0018.
CREATE FUNCTION "count_audit_actions"("since" timestamptz, "before" timestamptz, "upto" timestamptz, "of_actions" text[], "step" interval)
RETURNS TABLE ("at" timestamptz, "entries" bigint) LANGUAGE sql STABLE
SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
	SELECT date_bin(step, timestamp, 'epoch'), count(*) FILTER (WHERE of_actions IS NULL OR action = ANY(of_actions))
	FROM audit_logs
	WHERE timestamp >= coalesce(since, '-infinity') AND timestamp < coalesce(before, 'infinity')
		AND timestamp <= coalesce(upto, 'infinity')
	GROUP BY 1
$$;
