import { index, jsonb, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";
import { users } from "./users.ts";

/** The membership of a user in an organization (docs/contract.md, section 4.9). */
export const members = pgTable(
  "members",
  {
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text({ enum: ["owner", "admin", "member"] }).notNull(),
    joinedAt: timestamp("joined_at", { withTimezone: true }).notNull(),
    /** Attributes from the identity provider of the organization, `{name: value}`; null: none. */
    attributes: jsonb(),
    /** A JSON object that the member and applications can read; null: empty. */
    publicMetadata: jsonb("public_metadata"),
    /** A JSON object for administrators and keys; null: empty. */
    privateMetadata: jsonb("private_metadata"),
  },
  (table) => [
    primaryKey({ name: "members_pkey", columns: [table.userId, table.organizationId] }),
    index("members_organization_id_idx").on(table.organizationId),
  ],
);
