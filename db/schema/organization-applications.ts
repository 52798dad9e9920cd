import { index, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oauthClients } from "./oauth-provider.ts";
import { organizations } from "./organizations.ts";
import { users } from "./users.ts";

/** A decision of an organization about a client (`third_party_clients`), or the request of a member for a decision. */
export const organizationApplications = pgTable(
  "organization_applications",
  {
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    clientId: uuid("client_id")
      .notNull()
      .references(() => oauthClients.id, { onDelete: "cascade" }),
    status: text({ enum: ["requested", "approved", "denied"] }).notNull(),
    requestedBy: uuid("requested_by").references(() => users.id, { onDelete: "set null" }),
    requestedAt: timestamp("requested_at", { withTimezone: true }),
    decidedBy: uuid("decided_by").references(() => users.id, { onDelete: "set null" }),
    decidedAt: timestamp("decided_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ name: "organization_applications_pkey", columns: [table.organizationId, table.clientId] }),
    index("organization_applications_client_id_idx").on(table.clientId),
    index("organization_applications_requested_by_idx").on(table.requestedBy),
    index("organization_applications_decided_by_idx").on(table.decidedBy),
  ],
);
