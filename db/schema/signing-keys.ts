import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";

/**
 * The rings of RSA signing keys that replicas share. `ring` identifies the sealing key (derived from
 * `SERVICE_JWT_SECRET`): a replica with a different secret uses a separate ring and cannot damage this ring.
 */
export const signingKeys = pgTable(
  "signing_keys",
  {
    /** RFC 7638 thumbprint. */
    kid: text().primaryKey(),
    ring: text().notNull(),
    state: text({ enum: ["next", "active", "retiring"] }).notNull(),
    publicJwk: jsonb("public_jwk").notNull(),
    /** PKCS #8 PEM, sealed with AES-256-GCM and bound to the kid. */
    sealedPrivateKey: bytea("sealed_private_key").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    activatedAt: timestamp("activated_at", { withTimezone: true }),
    retiredAt: timestamp("retired_at", { withTimezone: true }),
  },
  (table) => [
    uniqueIndex("signing_keys_one_active").on(table.ring).where(sql`state = 'active'`),
    uniqueIndex("signing_keys_one_next").on(table.ring).where(sql`state = 'next'`),
    index("signing_keys_ring_idx").on(table.ring),
  ],
);
