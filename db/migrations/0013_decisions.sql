-- Decisions about requests, for `explain` (docs/decisions/0019). Older replicas neither read nor write the table.
CREATE TABLE "request_decisions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "request_decisions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"request_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"method" text NOT NULL,
	"route" text NOT NULL,
	"operation" text,
	"status" smallint NOT NULL,
	"code" text,
	"rule" text,
	"bound" text,
	"limits" jsonb NOT NULL,
	"counters" jsonb NOT NULL,
	"retry_after_seconds" integer,
	"user_id" uuid,
	"organization_id" uuid,
	"network" text,
	"duration_ms" real NOT NULL,
	"trace_id" text
);--> statement-breakpoint
CREATE INDEX "request_decisions_request_id_idx" ON "request_decisions" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "request_decisions_at_idx" ON "request_decisions" USING btree ("at");--> statement-breakpoint
-- The age of the oldest e-mail. The table holds only what waits, so the index is built at once.
CREATE INDEX "outbox_created_at_idx" ON "outbox" USING btree ("created_at");