import { bigint, foreignKey, index, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { members } from "./members.ts";
import { bytea } from "./types.ts";

/**
 * The authenticator app of a member for the sessions of single sign-on of one organization (docs/contract.md, section
 * 29.18). Ends with the membership.
 */
export const organizationFactors = pgTable(
  "organization_factors",
  {
    organizationId: uuid("organization_id").notNull(),
    userId: uuid("user_id").notNull(),
    /** The shared secret, sealed with AES-256-GCM and bound to the organization and the user. */
    sealedSecret: bytea("sealed_secret").notNull(),
    confirmedAt: timestamp("confirmed_at", { withTimezone: true }),
    /** The last accepted time step (RFC 6238, section 5.2): an equal or older one is a replay. */
    lastStep: bigint("last_step", { mode: "number" }),
    /** Unused recovery codes, as keyed hashes in hexadecimal. */
    recoveryCodes: text("recovery_codes").array().notNull(),
    /** The session of an unconfirmed secret, which a page displays again in this session alone. Null: confirmed. */
    sessionId: uuid("session_id"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ name: "organization_factors_pkey", columns: [table.userId, table.organizationId] }),
    foreignKey({
      name: "organization_factors_member_fkey",
      columns: [table.userId, table.organizationId],
      foreignColumns: [members.userId, members.organizationId],
    }).onDelete("cascade"),
    index("organization_factors_organization_id_idx").on(table.organizationId),
  ],
);
