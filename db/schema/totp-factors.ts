import { bigint, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** The authenticator app of a user, at most one (decisions, section 5). A row with `confirmed_at` is what "MFA enabled" means. */
export const totpFactors = pgTable("totp_factors", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The shared secret under AES-256-GCM, bound to the user. */
  sealedSecret: bytea("sealed_secret").notNull(),
  confirmedAt: timestamp("confirmed_at", { withTimezone: true }),
  /** The last time step that was accepted (RFC 6238, section 5.2): an older or equal one is a replay. */
  lastStep: bigint("last_step", { mode: "number" }),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
