ALTER TABLE "transparency_log" ADD COLUMN "cosigned_checkpoint" text;--> statement-breakpoint
ALTER TABLE "transparency_log" ADD COLUMN "cosigned_size" bigint;--> statement-breakpoint
-- By hand: "only". Building the index on the partitions of before would lock them; partitions that come have it.
CREATE INDEX "audit_logs_event_id_idx" ON ONLY "audit_logs" USING btree ("event_id");