import { foreignKey, index, pgTable, primaryKey, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import { directoryGroups } from "./directories.ts";
import { members } from "./members.ts";
import { organizationRoles } from "./organization-roles.ts";
import { organizations } from "./organizations.ts";

/** A group of members that administrators of the organization maintain (docs/contract.md, section 34.1). */
export const memberGroups = pgTable(
  "member_groups",
  {
    id: uuid().primaryKey(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    name: text().notNull(),
    /** NFKC, lower case. */
    nameKey: text("name_key").notNull(),
    description: text().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [unique("member_groups_name_key").on(table.organizationId, table.nameKey)],
);

export const memberGroupMembers = pgTable(
  "member_group_members",
  {
    groupId: uuid("group_id")
      .notNull()
      .references(() => memberGroups.id, { onDelete: "cascade" }),
    organizationId: uuid("organization_id").notNull(),
    userId: uuid("user_id").notNull(),
    addedAt: timestamp("added_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ name: "member_group_members_pkey", columns: [table.groupId, table.userId] }),
    // A place in a group ends with the membership.
    foreignKey({
      name: "member_group_members_member_fkey",
      columns: [table.userId, table.organizationId],
      foreignColumns: [members.userId, members.organizationId],
    }).onDelete("cascade"),
    index("member_group_members_member_idx").on(table.userId, table.organizationId),
  ],
);

/** The roles that a group grants to its members, who have rows of the source `group` in `member_roles`. */
export const memberGroupRoles = pgTable(
  "member_group_roles",
  {
    groupId: uuid("group_id")
      .notNull()
      .references(() => memberGroups.id, { onDelete: "cascade" }),
    roleId: uuid("role_id")
      .notNull()
      .references(() => organizationRoles.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ name: "member_group_roles_pkey", columns: [table.groupId, table.roleId] }),
    index("member_group_roles_role_id_idx").on(table.roleId),
  ],
);

/** The additional roles that a group of a directory grants: rows of the source `directory` in `member_roles`. */
export const directoryGroupRoles = pgTable(
  "directory_group_roles",
  {
    groupId: uuid("group_id")
      .notNull()
      .references(() => directoryGroups.id, { onDelete: "cascade" }),
    roleId: uuid("role_id")
      .notNull()
      .references(() => organizationRoles.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ name: "directory_group_roles_pkey", columns: [table.groupId, table.roleId] }),
    index("directory_group_roles_role_id_idx").on(table.roleId),
  ],
);
