import { index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oauthClients } from "./oauth-provider.ts";
import { causingTrace } from "./types.ts";

/** Logout tokens to send (OpenID Connect Back-Channel Logout 1.0), with the lease of the sending replica. */
export const oauthLogouts = pgTable(
  "oauth_logouts",
  {
    familyId: uuid("family_id").primaryKey(),
    clientId: uuid("client_id")
      .notNull()
      .references(() => oauthClients.id, { onDelete: "cascade" }),
    subject: text().notNull(),
    attempts: integer().notNull().default(0),
    traceparent: causingTrace(),
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("oauth_logouts_next_attempt_at_idx").on(table.nextAttemptAt),
    index("oauth_logouts_client_id_idx").on(table.clientId),
  ],
);
