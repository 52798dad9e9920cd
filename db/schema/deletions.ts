import { sql } from "drizzle-orm";
import { type AnyPgColumn, boolean, index, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/**
 * Requested deletions of users and organizations (docs/contract.md, chapter 30). After the erasure the row is the
 * tombstone of the id, for 180 days: an id, its times, and no value from which an address could be found.
 */
export const deletions = pgTable(
  "deletions",
  {
    id: uuid().primaryKey(),
    subjectType: text("subject_type", { enum: ["user", "organization"] }).notNull(),
    /** No foreign key: the tombstone outlives the user or organization. */
    subjectId: uuid("subject_id").notNull(),
    /** The deletion of the user whose sole membership is in this organization; null for a separate request. */
    parentId: uuid("parent_id").references((): AnyPgColumn => deletions.id, { onDelete: "cascade" }),
    requestedBy: uuid("requested_by"),
    /** The reason of a platform administrator, until the erasure. */
    reason: text(),
    /** SHA-256 of a token that a replica of 1.0.1 mailed to all recipients; later tokens are in `deletion_tokens`. */
    tokenHash: bytea("token_hash"),
    /** The email in the outbox that must be delivered or dropped before the erasure; null if no email is awaited. */
    noticeId: uuid("notice_id"),
    /** Whether the user was disabled, or the organization suspended, independently of the deletion. */
    closedOtherwise: boolean("closed_otherwise").notNull(),
    requestedAt: timestamp("requested_at", { withTimezone: true }).notNull(),
    dueAt: timestamp("due_at", { withTimezone: true }).notNull(),
    erasedAt: timestamp("erased_at", { withTimezone: true }),
  },
  (table) => [
    uniqueIndex("deletions_subject_key").on(table.subjectType, table.subjectId),
    uniqueIndex("deletions_token_hash_key").on(table.tokenHash),
    index("deletions_parent_id_idx").on(table.parentId),
    index("deletions_due_at_idx").on(table.dueAt).where(sql`erased_at is null`),
    index("deletions_erased_at_idx").on(table.erasedAt).where(sql`erased_at is not null`),
  ],
);

/** The mailed links that cancel a pending deletion: a token for each mailbox, so that the record names the person. */
export const deletionTokens = pgTable(
  "deletion_tokens",
  {
    /** SHA-256 of the token in the mailed link. */
    tokenHash: bytea("token_hash").primaryKey(),
    deletionId: uuid("deletion_id")
      .notNull()
      .references(() => deletions.id, { onDelete: "cascade" }),
    /** The owner of the organization, or the user whose account is deleted. */
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The mailbox of the link: `former` is an address that the user replaced shortly before (contract, 12.14). */
    mailbox: text({ enum: ["present", "former"] }).notNull(),
  },
  (table) => [
    index("deletion_tokens_deletion_id_idx").on(table.deletionId),
    index("deletion_tokens_user_id_idx").on(table.userId),
  ],
);
