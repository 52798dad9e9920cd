-- The trace context of the request that caused a delivery, for a link in the trace of the delivery. Statements of audit records set it for their
-- transaction (src/models/audit/audit.ts), and the triggers that write deliveries need not know it. Older replicas set nothing. The default is
-- STABLE, so neither table is rewritten.
ALTER TABLE "webhook_deliveries" ADD COLUMN "traceparent" text DEFAULT nullif(current_setting('service.traceparent', true), '');--> statement-breakpoint
ALTER TABLE "oauth_logouts" ADD COLUMN "traceparent" text DEFAULT nullif(current_setting('service.traceparent', true), '');
