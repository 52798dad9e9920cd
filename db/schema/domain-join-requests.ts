import { index, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";
import { users } from "./users.ts";

/** A request of a user to join an organization by a verified domain. An approval deletes the row. */
export const domainJoinRequests = pgTable(
  "domain_join_requests",
  {
    id: uuid().primaryKey(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The domain of the organization to which a controlled address of the user belongs. */
    domain: text().notNull(),
    /** A denied request stays until its expiry, so that the user does not repeat the request at once; null: open. */
    deniedAt: timestamp("denied_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("domain_join_requests_key").on(table.organizationId, table.userId),
    index("domain_join_requests_user_id_idx").on(table.userId),
    index("domain_join_requests_expires_at_idx").on(table.expiresAt),
  ],
);
