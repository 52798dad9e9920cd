import { boolean, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";

/** What platform administrators set for external services (contract, section 4.12). Rows are never deleted. */
export const providerConfigs = pgTable("provider_configs", {
  provider: text().primaryKey(),
  enabled: boolean().notNull(),
  publicConfig: jsonb("public_config").notNull(),
  /** Under AES-256-GCM, bound to the name of the provider; null: none is stored. */
  sealedSecret: bytea("sealed_secret"),
  /** Names the key that sealed it. */
  keyId: text("key_id"),
  /** Grows with every write, so that a replica knows the newer of two readings. */
  revision: integer().notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});
