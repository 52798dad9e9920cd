import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";
import { serviceAccounts } from "./service-accounts.ts";
import { bytea, causingTrace } from "./types.ts";
import { users } from "./users.ts";

/**
 * Where events of the audit trail are sent to (docs/contract.md, chapter 26). One with a service account is an event
 * stream of that account (chapter 27, docs/decisions/0021): its events are signed tokens.
 */
export const webhooks = pgTable(
  "webhooks",
  {
    id: uuid().primaryKey(),
    /** Null: of the platform; it gets the events of every organization. */
    organizationId: uuid("organization_id").references(() => organizations.id, { onDelete: "cascade" }),
    /** The user who created it, or who created the key that did. Null: unknown, or deleted. */
    createdBy: uuid("created_by").references(() => users.id, { onDelete: "set null" }),
    url: text().notNull(),
    /** Audit actions, `auth.*` or `*`. */
    eventTypes: text("event_types").array().notNull(),
    enabled: boolean().notNull(),
    /** Why the service switched it off; null while it is on, or when a person did. */
    disabledReason: text("disabled_reason", { enum: ["gone", "backlog", "control_proven"] }),
    /** Under AES-256-GCM, bound to the id. */
    sealedSecret: bytea("sealed_secret").notNull(),
    /** The secret before the last rotation: deliveries are signed with both until `previousExpiresAt`. */
    sealedPreviousSecret: bytea("sealed_previous_secret"),
    previousExpiresAt: timestamp("previous_expires_at", { withTimezone: true }),
    /** Failed attempts since the last success. */
    failures: integer().notNull().default(0),
    /** Nothing is sent before; set while it fails again and again. */
    pausedUntil: timestamp("paused_until", { withTimezone: true }),
    /** Of the first failure since the last success, and when its owners were told of an hour of failures. */
    failingSince: timestamp("failing_since", { withTimezone: true }),
    failureNoticedAt: timestamp("failure_noticed_at", { withTimezone: true }),
    /** When its owners were told that the service had switched it off. */
    disabledNoticedAt: timestamp("disabled_noticed_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
    /** Set for a stream, as are its method and status. Its sealed secret is its Authorization header, empty if none. */
    serviceAccountId: uuid("service_account_id").references(() => serviceAccounts.id, { onDelete: "cascade" }),
    streamMethod: text("stream_method", { enum: ["push", "poll"] }),
    /** In place of `enabled`, which is false: older replicas send nothing to a stream. */
    streamStatus: text("stream_status", { enum: ["enabled", "paused", "disabled"] }),
    streamReason: text("stream_reason"),
    /** URIs as the receiver asked for them; null: all. `event_types` has the audit actions that they come from. */
    eventsRequested: text("events_requested").array(),
    description: text(),
    /** Of the last verification that was asked for. */
    verifiedAt: timestamp("verified_at", { withTimezone: true }),
  },
  (table) => [
    index("webhooks_organization_idx").on(table.organizationId, table.createdAt),
    index("webhooks_created_by_idx").on(table.createdBy),
    index("webhooks_stream_idx").on(table.serviceAccountId, table.createdAt).where(sql`stream_status is not null`),
    // The three members of a stream are there together, and a stream is not enabled.
    check(
      "webhooks_stream_check",
      sql`num_nulls(service_account_id, stream_method, stream_status) in (0, 3) and enabled <= (stream_status is null)`,
    ),
  ],
);

/** One event for one webhook: inserted by the statement that writes the audit record (docs/decisions/0017). */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    /** No foreign key: a webhook is deleted at once, and its deliveries by the sweeper. */
    webhookId: uuid("webhook_id").notNull(),
    /** That of the audit record: the same for every attempt and every webhook. Of a stream: the `jti` of its token. */
    eventId: uuid("event_id").notNull(),
    /** The order of sending, among deliveries of one webhook and subject. */
    sequence: bigint({ mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    subject: text().notNull(),
    eventType: text("event_type").notNull(),
    /** The body as it is sent, byte for byte, in every attempt. Of a stream: what its token is made of. */
    payload: text().notNull(),
    status: text({ enum: ["pending", "delivered", "failed"] }).notNull(),
    attempts: integer().notNull().default(0),
    /** Due time; also the lease of the replica that is sending it now. */
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    /** No attempt after it. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    /** Of the last attempt: the status of the answer, its time, and its first KiB or why there was none. */
    answerStatus: integer("answer_status"),
    answerMs: integer("answer_ms"),
    answer: text(),
    attemptedAt: timestamp("attempted_at", { withTimezone: true }),
    traceparent: causingTrace(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** Deliveries of different lanes have separate slots in each replica. */
    lane: text({ enum: ["event", "checkpoint", "test"] })
      .notNull()
      .default("event"),
    /**
     * An older pending delivery of the same subject exists; the end of that delivery resets the flag (trigger, see
     * docs/decisions/0023). A delivery without the flag may have an older one too: the lease checks.
     */
    blocked: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ name: "webhook_deliveries_pkey", columns: [table.webhookId, table.eventId] }),
    index("webhook_deliveries_pending_idx").on(table.webhookId, table.sequence).where(sql`status = 'pending'`),
    index("webhook_deliveries_subject_idx")
      .on(table.webhookId, table.subject, table.sequence)
      .where(sql`status = 'pending'`),
    // The heads of the queues, in the order of sending (docs/decisions/0023).
    index("webhook_deliveries_ready_idx")
      .on(table.lane, table.webhookId, table.nextAttemptAt, table.sequence)
      .where(sql`status = 'pending' and not blocked`),
    index("webhook_deliveries_webhook_idx").on(table.webhookId, table.sequence),
    index("webhook_deliveries_failed_idx").on(table.webhookId, table.sequence).where(sql`status = 'failed'`),
    index("webhook_deliveries_expires_at_idx").on(table.expiresAt),
    index("webhook_deliveries_ending_idx").on(table.expiresAt).where(sql`status = 'pending'`),
  ],
);
