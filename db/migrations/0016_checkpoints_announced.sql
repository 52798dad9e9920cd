-- The checkpoint of the transparency log that was last sent to webhooks, and when (docs/contract.md, section 26.6). Older replicas publish
-- checkpoints without sending them; the next replica that holds the lease sends the newest one. No row is rewritten.
ALTER TABLE "transparency_log" ADD COLUMN "announced_size" bigint;--> statement-breakpoint
ALTER TABLE "transparency_log" ADD COLUMN "announced_at" timestamp with time zone;
