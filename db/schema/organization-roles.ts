import { foreignKey, index, pgTable, primaryKey, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import { members } from "./members.ts";
import { organizations } from "./organizations.ts";

/** A role of an organization, or a template of the platform (docs/contract.md, section 32.4). */
export const organizationRoles = pgTable(
  "organization_roles",
  {
    id: uuid().primaryKey(),
    /** Null: a template, offered to every organization. */
    organizationId: uuid("organization_id").references(() => organizations.id, { onDelete: "cascade" }),
    key: text().notNull(),
    name: text().notNull(),
    description: text().notNull(),
    permissions: text().array().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [unique("organization_roles_key").on(table.organizationId, table.key).nullsNotDistinct()],
);

/** The additional roles of members. A role can have several sources; each source adds and removes its own row. */
export const memberRoles = pgTable(
  "member_roles",
  {
    organizationId: uuid("organization_id").notNull(),
    userId: uuid("user_id").notNull(),
    roleId: uuid("role_id")
      .notNull()
      .references(() => organizationRoles.id, { onDelete: "cascade" }),
    source: text({ enum: ["manual", "sso", "directory", "group"] }).notNull(),
    grantedAt: timestamp("granted_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({
      name: "member_roles_pkey",
      columns: [table.userId, table.organizationId, table.roleId, table.source],
    }),
    // A role ends with the membership.
    foreignKey({
      name: "member_roles_member_fkey",
      columns: [table.userId, table.organizationId],
      foreignColumns: [members.userId, members.organizationId],
    }).onDelete("cascade"),
    index("member_roles_role_id_idx").on(table.roleId),
  ],
);
