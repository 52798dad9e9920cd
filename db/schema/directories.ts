import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";
import { users } from "./users.ts";

/** The directory of an organization, which provisions members by SCIM 2.0. */
export const directories = pgTable("directories", {
  id: uuid().primaryKey(),
  organizationId: uuid("organization_id")
    .notNull()
    .unique("directories_organization_id_key")
    .references(() => organizations.id, { onDelete: "cascade" }),
  /** `paused`: reads work, and every write is refused. */
  status: text({ enum: ["active", "paused"] }).notNull(),
  /** The role of a member without a group that has a role. */
  defaultRole: text("default_role", { enum: ["admin", "member"] }).notNull(),
  /** Provisioning of addresses outside of the verified domains. */
  outsideDomains: text("outside_domains", { enum: ["invite", "refuse"] }).notNull(),
  /** `none`: groups grant no role. */
  roleSource: text("role_source", { enum: ["groups", "none"] }).notNull(),
  /** Rounded down to the minute. */
  lastRequestAt: timestamp("last_request_at", { withTimezone: true }),
  /** The number of records: a count of all rows would delay every creation. */
  userCount: integer("user_count").notNull().default(0),
  revision: integer().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});

/** The record of a user in a directory. The record belongs to the organization, and the account to the user. */
export const directoryUsers = pgTable(
  "directory_users",
  {
    /** UUIDv7: the SCIM id, and the order of lists. Never the id of the user. */
    id: uuid().primaryKey(),
    directoryId: uuid("directory_id")
      .notNull()
      .references(() => directories.id, { onDelete: "cascade" }),
    userName: text("user_name").notNull(),
    /** NFKC, lower case. */
    userNameKey: text("user_name_key").notNull(),
    externalId: text("external_id"),
    active: boolean().notNull(),
    /** The received attributes of the known schemas. */
    document: jsonb().notNull(),
    /** The values of all emails in lower case: the index of filters. */
    emailKeys: text("email_keys").array().notNull(),
    /** Null: not linked. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "set null" }),
    link: text({ enum: ["domain", "member", "invitation", "none"] }).notNull(),
    /** The role of the membership that the directory deactivated; null: no membership is deactivated. */
    formerRole: text("former_role", { enum: ["owner", "admin", "member"] }),
    /** The beginning of the deactivated membership. */
    formerJoinedAt: timestamp("former_joined_at", { withTimezone: true }),
    version: integer().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("directory_users_user_name_key").on(table.directoryId, table.userNameKey),
    // One record of a directory is linked to a user.
    uniqueIndex("directory_users_user_key").on(table.directoryId, table.userId),
    index("directory_users_directory_id_idx").on(table.directoryId, table.id),
    index("directory_users_external_id_idx").on(table.directoryId, table.externalId),
    index("directory_users_email_keys_idx").using("gin", table.emailKeys),
    index("directory_users_user_id_idx").on(table.userId),
  ],
);

export const directoryGroups = pgTable(
  "directory_groups",
  {
    /** UUIDv7: the SCIM id, and the order of lists. */
    id: uuid().primaryKey(),
    directoryId: uuid("directory_id")
      .notNull()
      .references(() => directories.id, { onDelete: "cascade" }),
    displayName: text("display_name").notNull(),
    /** NFKC, lower case. */
    displayNameKey: text("display_name_key").notNull(),
    externalId: text("external_id"),
    /** The role that the group grants; null: none. */
    role: text({ enum: ["admin", "member"] }),
    version: integer().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("directory_groups_display_name_key").on(table.directoryId, table.displayNameKey),
    index("directory_groups_directory_id_idx").on(table.directoryId, table.id),
    index("directory_groups_external_id_idx").on(table.directoryId, table.externalId),
  ],
);

export const directoryGroupMembers = pgTable(
  "directory_group_members",
  {
    groupId: uuid("group_id")
      .notNull()
      .references(() => directoryGroups.id, { onDelete: "cascade" }),
    recordId: uuid("record_id")
      .notNull()
      .references(() => directoryUsers.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ name: "directory_group_members_pkey", columns: [table.groupId, table.recordId] }),
    index("directory_group_members_record_id_idx").on(table.recordId),
  ],
);

/** Refused requests of a directory, for administrators of the organization. Without values of the request. */
export const directoryRequests = pgTable(
  "directory_requests",
  {
    /** UUIDv7: orders requests of equal times. */
    id: uuid().primaryKey(),
    directoryId: uuid("directory_id")
      .notNull()
      .references(() => directories.id, { onDelete: "cascade" }),
    at: timestamp({ withTimezone: true }).notNull(),
    method: text().notNull(),
    /** Without the query. */
    path: text().notNull(),
    status: integer().notNull(),
    scimType: text("scim_type"),
    detail: text().notNull(),
    requestId: text("request_id").notNull(),
  },
  (table) => [
    index("directory_requests_directory_id_idx").on(table.directoryId, table.at),
    index("directory_requests_at_idx").on(table.at),
  ],
);
