import { index, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
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

/**
 * A membership that an administrator or a directory ended: neither single sign-on nor a domain restores the membership,
 * also for another account with an address of the former member.
 */
export const memberRemovals = pgTable(
  "member_removals",
  {
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    /** Null: the account was erased. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "set null" }),
    removedAt: timestamp("removed_at", { withTimezone: true }).notNull(),
    /** Keyed hashes of the controlled addresses, at the removal and at the erasure of the account. */
    addressHashes: text("address_hashes").array().notNull().default([]),
  },
  (table) => [
    index("member_removals_address_hashes_idx").using("gin", table.addressHashes),
    uniqueIndex("member_removals_key").on(table.organizationId, table.userId),
    index("member_removals_user_id_idx").on(table.userId),
    index("member_removals_removed_at_idx").on(table.removedAt),
  ],
);
