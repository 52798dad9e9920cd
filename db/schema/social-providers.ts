import { integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";

/** Social providers by configuration (docs/contract.md, section 15.5). */
export const socialProviders = pgTable("social_providers", {
  provider: text().primaryKey(),
  /** The settings with the member names of the wire. */
  config: jsonb().notNull(),
  /** Sealed with AES-256-GCM, bound to the key of the provider; null: no secret is stored. */
  sealedSecret: bytea("sealed_secret"),
  /** Identifies the sealing key. */
  keyId: text("key_id"),
  /**
   * Incremented by a change after which the provider may name other users by the former subjects: identities of
   * different epochs never match, also while a replica still has the former settings.
   */
  identityEpoch: integer("identity_epoch").notNull(),
  /** Incremented by every write, so that a replica can order two reads. */
  revision: integer().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
});
