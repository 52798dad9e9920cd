import { boolean, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";

/** Settings of external services (docs/contract.md, section 4.11). Rows are never deleted. */
export const providerConfigs = pgTable("provider_configs", {
  provider: text().primaryKey(),
  enabled: boolean().notNull(),
  publicConfig: jsonb("public_config").notNull(),
  /** Sealed with AES-256-GCM, bound to the name of the provider; null: no secret is stored. */
  sealedSecret: bytea("sealed_secret"),
  /** Identifies the sealing key. */
  keyId: text("key_id"),
  /** Incremented by every write, so that a replica can order two reads. */
  revision: integer().notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});
