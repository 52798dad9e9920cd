import { index, integer, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";

/** E-mails on their way (decisions, section 6): written with what they speak of, deleted once the provider has taken them. */
export const outbox = pgTable(
  "outbox",
  {
    /** Also the idempotency key towards the provider. */
    id: uuid().primaryKey(),
    /** Recipient and content under AES-256-GCM, bound to the id. */
    sealedLetter: bytea("sealed_letter").notNull(),
    attempts: integer().notNull().default(0),
    /** Due time; also the lease of the replica that is sending it now. */
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("outbox_next_attempt_at_idx").on(table.nextAttemptAt)],
);
