import { sql } from "drizzle-orm";
import { boolean, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";

/** An API for which applications request access tokens (RFC 8707), with the scopes of the API. */
export const oauthResources = pgTable(
  "oauth_resources",
  {
    id: uuid().primaryKey(),
    /** The resource indicator, as registered. */
    identifier: text().notNull(),
    /** The form of the identifier for comparisons: equivalent URIs have one key. */
    identifierKey: text("identifier_key").notNull(),
    name: text().notNull(),
    /** A list of scopes, each with `name`, a description for every language, `permission`, `public` and `sensitive`. */
    scopes: jsonb().notNull(),
    /** `alg` of access tokens for the API. */
    signingAlg: text("signing_alg", { enum: ["RS256", "ES256", "EdDSA"] })
      .notNull()
      .default("RS256"),
    /** `required`: access tokens for the API are bound to a key of the client (RFC 9449). */
    dpop: text({ enum: ["allowed", "required"] })
      .notNull()
      .default("allowed"),
    /** Lifetime of access tokens for the API. Null: the lifetime for sessions. */
    tokenLifetimeSeconds: integer("token_lifetime_seconds"),
    /** The least assurance of a sign-in for the API; `phr`: a passkey with user verification. */
    minAcr: text("min_acr", { enum: ["aal1", "aal2", "phr"] }),
    /** Further claims of access tokens for the API. */
    claims: text().array().notNull().default([]),
    /** Claims by mapping: a list (docs/contract.md, section 23.34). */
    claimMappings: jsonb("claim_mappings").notNull().default(sql`'[]'::jsonb`),
    /** `any`: clients without registration may request tokens too. */
    openTo: text("open_to", { enum: ["registered", "any"] })
      .notNull()
      .default("registered"),
    /** The only organizations whose members receive tokens for the API. Null: every organization. */
    organizations: uuid().array(),
    /** The product preset of the registration, and the inputs of its instructions. Null: no product. */
    preset: text(),
    presetInputs: jsonb("preset_inputs"),
    disabled: boolean().notNull().default(false),
    /** Set of `resources apply` that manages the API; only runs for the set delete the API. */
    managedBy: text("managed_by"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [uniqueIndex("oauth_resources_identifier_key_key").on(table.identifierKey)],
);
