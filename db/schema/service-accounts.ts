import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { organizations } from "./organizations.ts";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** A program that calls the API with keys (docs/contract.md, section 25.1). */
export const serviceAccounts = pgTable(
  "service_accounts",
  {
    id: uuid().primaryKey(),
    /** Null: a service account of the platform, not of one organization. */
    organizationId: uuid("organization_id").references(() => organizations.id, { onDelete: "cascade" }),
    name: text().notNull(),
    createdBy: uuid("created_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("service_accounts_organization_idx").on(table.organizationId, table.createdAt),
    index("service_accounts_created_by_idx").on(table.createdBy),
  ],
);

/** A key of a service account. Only the hash is stored (G50). */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: uuid().primaryKey(),
    serviceAccountId: uuid("service_account_id")
      .notNull()
      .references(() => serviceAccounts.id, { onDelete: "cascade" }),
    /** Chosen at the creation; null: without a name, such as a key from before migration 0047. */
    name: text(),
    /** The eight characters after `sk_`, which lists display. */
    keyId: text("key_id").notNull(),
    /** SHA-256 of the whole key. */
    keyHash: bytea("key_hash").notNull(),
    /** The scopes that the release before migration 0086 understands; without a scope that it would serve wider. */
    scopes: text().array().notNull(),
    /** The scopes under the rule of chapter 35; null: a key of a former release, which reaches the former endpoints. */
    permissions: text().array(),
    /** The organizations in which a key of the platform acts; null: every organization. */
    organizations: uuid().array(),
    /** The key that made the key, and whose end ends the key; no foreign key: ended keys are deleted. Null: a user. */
    createdByCredential: uuid("created_by_credential"),
    /** CIDR ranges; empty: every address. */
    allowedIps: text("allowed_ips").array().notNull(),
    /** Origins; empty: any origin, or no origin. */
    allowedReferrers: text("allowed_referrers").array().notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    /** The days before the expiry of the last warning; null: no warning was sent. */
    warnedDays: integer("warned_days"),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
    /** Rounded down, and written some minutes later. */
    lastUsedAt: timestamp("last_used_at", { withTimezone: true }),
    createdBy: uuid("created_by").references(() => users.id, { onDelete: "set null" }),
    /** The power of `createdBy` at that time (src/models/channel/channel-holder.ts); written by a trigger. */
    setUpPower: jsonb("set_up_power"),
    /** The set-up link that made the key; no foreign key: the key outlives the row of an ended link. Null: no link. */
    setupLinkId: uuid("setup_link_id"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("api_keys_key_hash_key").on(table.keyHash),
    index("api_keys_service_account_idx").on(table.serviceAccountId, table.createdAt),
    index("api_keys_created_by_idx").on(table.createdBy),
    index("api_keys_created_by_credential_idx")
      .on(table.createdByCredential)
      .where(sql`created_by_credential is not null`),
    // Serves the keys that end soon, on the overview of the console.
    index("api_keys_expires_at_idx").on(table.expiresAt).where(sql`revoked_at is null`),
  ],
);

/** The rule by which a service account accepts the tokens of an external issuer (docs/contract.md, section 35.11). */
export const serviceAccountTrusts = pgTable(
  "service_account_trusts",
  {
    id: uuid().primaryKey(),
    serviceAccountId: uuid("service_account_id")
      .notNull()
      .references(() => serviceAccounts.id, { onDelete: "cascade" }),
    name: text().notNull(),
    issuer: text().notNull(),
    /** Public keys of the issuer (RFC 7517); null: the keys are at `jwks_uri`, or found by OpenID discovery. */
    keys: jsonb(),
    jwksUri: text("jwks_uri"),
    audiences: text().array().notNull(),
    /** All must hold: `[{claim, equals}, {claim, one_of}, {claim, starts_with}]`. */
    conditions: jsonb().notNull(),
    scopes: text().array().notNull(),
    /** The only organizations of a trust of the platform; null: every organization. */
    organizations: uuid().array(),
    /** CIDR ranges; empty: every address. */
    allowedIps: text("allowed_ips").array().notNull(),
    tokenSeconds: integer("token_seconds").notNull(),
    maxAgeSeconds: integer("max_age_seconds").notNull(),
    singleUse: boolean("single_use").notNull(),
    disabled: boolean().notNull(),
    createdBy: uuid("created_by").references(() => users.id, { onDelete: "set null" }),
    /** As of keys. */
    setUpPower: jsonb("set_up_power"),
    /** The key or trust of the program that created the trust; null: a person. */
    createdByCredential: uuid("created_by_credential"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
    /** Access tokens from before are invalid: a rule changed. Null: no rule changed. */
    tokensValidFrom: timestamp("tokens_valid_from", { withTimezone: true }),
    /** Rounded down, and written some minutes later. */
    lastUsedAt: timestamp("last_used_at", { withTimezone: true }),
  },
  (table) => [
    index("service_account_trusts_account_idx").on(table.serviceAccountId, table.createdAt),
    index("service_account_trusts_created_by_idx").on(table.createdBy),
  ],
);

/**
 * The used assertions of external issuers, until their expiry. No foreign key: an exchange then needs no lock of the
 * trust.
 */
export const federationUses = pgTable(
  "federation_uses",
  {
    trustId: uuid("trust_id").notNull(),
    jtiHash: bytea("jti_hash").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ name: "federation_uses_pkey", columns: [table.trustId, table.jtiHash] }),
    index("federation_uses_expires_at_idx").on(table.expiresAt),
  ],
);
