import { sql } from "drizzle-orm";
import { index, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** An invitation to an organization. At most one open invitation per organization and address (G5). */
export const invitations = pgTable(
  "invitations",
  {
    id: uuid().primaryKey(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    email: text().notNull(),
    role: text({ enum: ["owner", "admin", "member"] }).notNull(),
    /** Additional roles, granted at acceptance as far as the sender may grant the roles then. */
    roleIds: uuid("role_ids").array().notNull().default([]),
    /** SHA-256 of the token of the mailed link. */
    tokenHash: bytea("token_hash").notNull().unique("invitations_token_hash_key"),
    invitedBy: uuid("invited_by").references(() => users.id, { onDelete: "set null" }),
    /** `organization`: sent by the directory, in the name of the organization; `invited_by` is null. */
    sentBy: text("sent_by", { enum: ["member", "organization"] })
      .notNull()
      .default("member"),
    /** The key or trust of the program that made the row, whose end ends the row; no foreign key. Null: a user. */
    createdByCredential: uuid("created_by_credential"),
    /** `link`: a program received the link in place of an email, so the token proves no control of the mailbox. */
    delivery: text({ enum: ["mail", "link"] })
      .notNull()
      .default("mail"),
    acceptedAt: timestamp("accepted_at", { withTimezone: true }),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("invitations_open_key")
      .on(table.organizationId, table.email)
      .where(sql`accepted_at is null and revoked_at is null`),
    index("invitations_organization_idx").on(table.organizationId, table.createdAt),
    index("invitations_invited_by_idx").on(table.invitedBy),
    index("invitations_created_by_credential_idx")
      .on(table.createdByCredential)
      .where(sql`created_by_credential is not null`),
    // Serves the erasure of the user of an address.
    index("invitations_email_idx").on(table.email),
    // Serves the daily limit of directories.
    index("invitations_sent_by_organization_idx")
      .on(table.organizationId, table.expiresAt)
      .where(sql`sent_by = 'organization'`),
  ],
);
