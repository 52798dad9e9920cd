import { bigint, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** The TOTP factor of a user, at most one. MFA is enabled if `confirmed_at` is set (docs/contract.md, section 8.1). */
export const totpFactors = pgTable("totp_factors", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The shared secret, sealed with AES-256-GCM and bound to the user. */
  sealedSecret: bytea("sealed_secret").notNull(),
  confirmedAt: timestamp("confirmed_at", { withTimezone: true }),
  /** The last accepted time step (RFC 6238, section 5.2): an equal or older one is a replay. */
  lastStep: bigint("last_step", { mode: "number" }),
  /** The session of an unconfirmed secret, which a page displays again in this session alone. Null: confirmed. */
  sessionId: uuid("session_id"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
