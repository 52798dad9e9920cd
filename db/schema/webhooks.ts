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
 * Receivers of events of the audit trail (docs/contract.md, chapter 26). A row with a service account is an event
 * stream of the account (chapter 27, docs/decisions/0021): the events are signed tokens.
 */
export const webhooks = pgTable(
  "webhooks",
  {
    id: uuid().primaryKey(),
    /** Null: a webhook of the platform, which gets the events of every organization. */
    organizationId: uuid("organization_id").references(() => organizations.id, { onDelete: "cascade" }),
    /** The user who created the webhook, or who created the key of the creator. Null: unknown, or deleted. */
    createdBy: uuid("created_by").references(() => users.id, { onDelete: "set null" }),
    url: text().notNull(),
    /** Audit actions, `auth.*` or `*`. */
    eventTypes: text("event_types").array().notNull(),
    enabled: boolean().notNull(),
    /**
     * The reason for which the service switched the webhook off; null while the webhook is on, or after a user switched
     * the webhook off.
     */
    disabledReason: text("disabled_reason", { enum: ["gone", "backlog", "control_proven"] }),
    /** Under AES-256-GCM, bound to the id. */
    sealedSecret: bytea("sealed_secret").notNull(),
    /**
     * The secret before the last rotation: deliveries are signed with the present and the previous secret until
     * `previousExpiresAt`.
     */
    sealedPreviousSecret: bytea("sealed_previous_secret"),
    previousExpiresAt: timestamp("previous_expires_at", { withTimezone: true }),
    /** Failed attempts since the last success. */
    failures: integer().notNull().default(0),
    /** No delivery is sent before; set after repeated failures. */
    pausedUntil: timestamp("paused_until", { withTimezone: true }),
    /** Time of the first failure since the last success, and of the notice to the owners after an hour of failures. */
    failingSince: timestamp("failing_since", { withTimezone: true }),
    failureNoticedAt: timestamp("failure_noticed_at", { withTimezone: true }),
    /** Time of the notice to the owners that the service had switched the webhook off. */
    disabledNoticedAt: timestamp("disabled_noticed_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
    /**
     * Set for a stream, with method and status. The sealed secret is the Authorization header of the stream, empty
     * without a header.
     */
    serviceAccountId: uuid("service_account_id").references(() => serviceAccounts.id, { onDelete: "cascade" }),
    streamMethod: text("stream_method", { enum: ["push", "poll"] }),
    /** In place of `enabled`, which is false: older replicas send no event to a stream. */
    streamStatus: text("stream_status", { enum: ["enabled", "paused", "disabled"] }),
    streamReason: text("stream_reason"),
    /** URIs as requested by the receiver; null: all. `event_types` has the audit actions that cause the events. */
    eventsRequested: text("events_requested").array(),
    description: text(),
    /** Time of the last requested verification. */
    verifiedAt: timestamp("verified_at", { withTimezone: true }),
  },
  (table) => [
    index("webhooks_organization_idx").on(table.organizationId, table.createdAt),
    index("webhooks_created_by_idx").on(table.createdBy),
    // Serves the failing webhooks, on the overview of the console.
    index("webhooks_failing_idx").on(table.failingSince).where(sql`failing_since is not null`),
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
    /** The id of the audit record: equal for every attempt and every webhook. For a stream: the `jti` of the token. */
    eventId: uuid("event_id").notNull(),
    /** The order of sending, among deliveries of one webhook and subject. */
    sequence: bigint({ mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    subject: text().notNull(),
    eventType: text("event_type").notNull(),
    /** The body as sent, byte for byte, in every attempt. For a stream: the content of the token. */
    payload: text().notNull(),
    status: text({ enum: ["pending", "delivered", "failed"] }).notNull(),
    attempts: integer().notNull().default(0),
    /** Due time; also the lease of the replica that is sending the delivery now. */
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    /** No attempt is made after this time. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    /**
     * Result of the last attempt: status and duration of the response, and the first KiB of the response or the reason
     * for a missing response.
     */
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
     * An older pending delivery of the subject exists; the end of the older delivery resets the flag (trigger, see
     * docs/decisions/0023). A delivery without the flag may have an older pending delivery too: the lease checks.
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
