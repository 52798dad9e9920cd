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
    /** SHA-256 of the token of the mailed link. */
    tokenHash: bytea("token_hash").notNull().unique("invitations_token_hash_key"),
    invitedBy: uuid("invited_by").references(() => users.id, { onDelete: "set null" }),
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
    // Serves the erasure of the user of an address.
    index("invitations_email_idx").on(table.email),
  ],
);
