import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./types.ts";
import { users } from "./users.ts";

/** An application that signs users in with this service, or that requests client-credentials tokens. */
export const oauthClients = pgTable(
  "oauth_clients",
  {
    /** The `client_id`. */
    id: uuid().primaryKey(),
    name: text().notNull(),
    logoUrl: text("logo_url"),
    /** Page with the privacy policy of the application (`policy_uri`). */
    policyUri: text("policy_uri"),
    /** Page with the terms of service of the application (`tos_uri`). */
    tosUri: text("tos_uri"),
    /** A native application may use any port of a loopback redirect URI (RFC 8252, section 7.3). */
    applicationType: text("application_type", { enum: ["web", "native"] }).notNull(),
    tokenAuthMethod: text("token_auth_method", {
      enum: ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
    }).notNull(),
    /** Public keys for private_key_jwt. */
    jwks: jsonb(),
    /** Address of the public keys, in place of `jwks`. */
    jwksUri: text("jwks_uri"),
    redirectUris: text("redirect_uris").array().notNull(),
    postLogoutRedirectUris: text("post_logout_redirect_uris").array().notNull(),
    backchannelLogoutUri: text("backchannel_logout_uri"),
    grantTypes: text("grant_types").array().notNull(),
    scopes: text().array().notNull(),
    /** Resource servers for which the client may request tokens (RFC 8707). */
    resources: text().array().notNull(),
    /** Resource servers that the client operates: the client may introspect their tokens. */
    audiences: text().array().notNull(),
    /** Permitted token exchanges (RFC 8693): a list of `from`, `to` and `scopes`. */
    exchanges: jsonb().notNull().default(sql`'[]'::jsonb`),
    /** Claims beside the claims of scopes: a list of mappings (docs/contract.md, section 23.34). */
    claimMappings: jsonb("claim_mappings").notNull().default(sql`'[]'::jsonb`),
    firstParty: boolean("first_party").notNull(),
    subjectType: text("subject_type", { enum: ["public", "pairwise"] }).notNull(),
    /** Host that separates pairwise subjects. */
    sector: text(),
    /** False only for a client that authenticates: a request without a challenge needs a nonce (RFC 9700, 2.1.1). */
    requirePkce: boolean("require_pkce").notNull().default(true),
    /** False: a request of an authenticating client needs neither a challenge nor a nonce. */
    requireNonceOrPkce: boolean("require_nonce_or_pkce").notNull().default(true),
    /** The only organizations whose members sign in to the application. Null: every organization. */
    organizations: uuid().array(),
    /** The mode of registrations for the application (docs/contract.md, chapter 37); null: of the deployment. */
    registration: text({ enum: ["organization", "personal", "invitation"] }),
    /** The product preset of the registration, and the inputs of its instructions. Null: no product. */
    preset: text(),
    presetInputs: jsonb("preset_inputs"),
    requirePushedRequests: boolean("require_pushed_requests").notNull().default(false),
    /** Every token request needs a proof of possession (RFC 9449). */
    dpopBoundAccessTokens: boolean("dpop_bound_access_tokens").notNull().default(false),
    /** Every proof of possession needs a nonce of the service (RFC 9449, section 8). */
    requireDpopNonce: boolean("require_dpop_nonce").notNull().default(false),
    /** Whether ID tokens contain the claims of the granted scopes. Rows of releases without the column have `none`. */
    idTokenClaims: text("id_token_claims", { enum: ["scope", "none"] })
      .notNull()
      .default("none"),
    /** `alg` of ID tokens and logout tokens. */
    idTokenSignedResponseAlg: text("id_token_signed_response_alg", { enum: ["RS256", "ES256", "EdDSA"] })
      .notNull()
      .default("RS256"),
    /** Every authorization request is a signed request object (RFC 9101). */
    requireSignedRequestObject: boolean("require_signed_request_object").notNull().default(false),
    /** Whether a refresh replaces the refresh token. */
    refreshTokenRotation: boolean("refresh_token_rotation").notNull().default(true),
    /** How long the previous refresh token repeats the response of the refresh that replaced the token. */
    refreshRepeatSeconds: integer("refresh_repeat_seconds").notNull().default(10),
    /** A security profile whose rules hold beside the settings. */
    profile: text({ enum: ["none", "fapi2"] })
      .notNull()
      .default("none"),
    /** `dynamic`: registered by the client itself (RFC 7591); `document`: identified by a metadata document. */
    kind: text({ enum: ["registered", "dynamic", "document"] })
      .notNull()
      .default("registered"),
    /** Hash of the token by which a dynamic client reads, changes and deletes the registration (RFC 7592). */
    registrationTokenHash: bytea("registration_token_hash"),
    /** Last use of a dynamic client, to the day. */
    lastUsedAt: timestamp("last_used_at", { withTimezone: true }),
    /** The least assurance of every sign-in for the client; `phr`: a passkey with user verification. */
    requireAcr: text("require_acr", { enum: ["aal1", "aal2", "phr"] }),
    /** The `client_id` of a client that is identified by a metadata document: the URL of the document. */
    externalId: text("external_id").unique("oauth_clients_external_id_key"),
    /** Web page of the application (`client_uri`). */
    clientUri: text("client_uri"),
    documentHash: text("document_hash"),
    /** Time of the last change of the displayed identity by the document: an older consent does not count. */
    consentFrom: timestamp("consent_from", { withTimezone: true }),
    fetchedAt: timestamp("fetched_at", { withTimezone: true }),
    /** Until then the stored document is used without a fetch. */
    freshUntil: timestamp("fresh_until", { withTimezone: true }),
    /** Name of the set of `clients apply` that manages the client; null for a client outside of every set. */
    managedBy: text("managed_by"),
    disabledAt: timestamp("disabled_at", { withTimezone: true }),
    /** Time at which the client was last enabled again: an older client-credentials token stays invalid. */
    tokensValidFrom: timestamp("tokens_valid_from", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    // Replicas list the registered clients; the oldest clients of a kind make room.
    index("oauth_clients_kind_idx").on(table.kind, table.createdAt, table.id),
    // Read by releases that list every client but the clients of documents.
    index("oauth_clients_registered_idx").on(table.createdAt, table.id).where(sql`kind <> 'document'`),
    index("oauth_clients_document_idx").on(table.fetchedAt).where(sql`kind = 'document'`),
  ],
);

/** The secrets of a client, at most two, so that a secret can be replaced without a gap. */
export const oauthClientSecrets = pgTable(
  "oauth_client_secrets",
  {
    id: uuid().primaryKey(),
    clientId: uuid("client_id")
      .notNull()
      .references(() => oauthClients.id, { onDelete: "cascade" }),
    secretHash: bytea("secret_hash").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("oauth_client_secrets_client_id_idx").on(table.clientId)],
);

/**
 * An authorization request that waits for the user, bound to the browser of the request; or a pushed request, whose
 * `parameters` are the form, until a browser presents the reference.
 */
export const oauthRequests = pgTable(
  "oauth_requests",
  {
    handleHash: bytea("handle_hash").primaryKey(),
    /** Hash of the browser's cookie. Null: a pushed request. */
    browserHash: bytea("browser_hash"),
    clientId: uuid("client_id")
      .notNull()
      .references(() => oauthClients.id, { onDelete: "cascade" }),
    /** The user to whom a page of the request was last displayed. Null after the end. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** Empty after the end: the row remains for a while, so that a page can name the application. */
    parameters: jsonb().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("oauth_requests_expires_at_idx").on(table.expiresAt),
    index("oauth_requests_user_id_idx").on(table.userId),
    index("oauth_requests_pushed_idx").on(table.clientId, table.expiresAt).where(sql`browser_hash is null`),
    // The rows that still have content, for the sweep of expired requests.
    index("oauth_requests_filled_idx")
      .on(table.expiresAt)
      .where(sql`browser_hash is null or parameters <> '{}' or user_id is not null`),
  ],
);

/** The scopes and resources that a user allowed a client. Deletion revokes every token issued from the grant. */
export const oauthGrants = pgTable(
  "oauth_grants",
  {
    id: uuid().primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    clientId: uuid("client_id")
      .notNull()
      .references(() => oauthClients.id, { onDelete: "cascade" }),
    scopes: text().array().notNull(),
    resources: text().array().notNull(),
    /**
     * The subset of `scopes` and `resources` to which the user consented on a page: a first-party client needs no
     * consent.
     */
    consentedScopes: text("consented_scopes").array().notNull().default([]),
    consentedResources: text("consented_resources").array().notNull().default([]),
    /** The data behind claim mappings to which the user consented on a page, beside the scopes. */
    consentedData: text("consented_data").array().notNull().default([]),
    /** The identity provider of an organization allowed the access (identity assertion grants). */
    byOrganization: boolean("by_organization").notNull().default(false),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("oauth_grants_user_client_key").on(table.userId, table.clientId),
    index("oauth_grants_client_id_idx").on(table.clientId),
    // The latest consents of a user keep unregistered clients.
    index("oauth_grants_user_updated_idx").on(table.userId, table.updatedAt),
  ],
);

/** An authorization code. An exchange deletes the row, so that at most one exchange succeeds. */
export const oauthCodes = pgTable(
  "oauth_codes",
  {
    codeHash: bytea("code_hash").primaryKey(),
    grantId: uuid("grant_id")
      .notNull()
      .references(() => oauthGrants.id, { onDelete: "cascade" }),
    clientId: uuid("client_id").notNull(),
    userId: uuid("user_id").notNull(),
    sessionId: uuid("session_id").notNull(),
    /** The organization that the user was asked for. Null: written by a release without this column. */
    organizationId: uuid("organization_id"),
    /** Null: the code of a device, which no browser receives. */
    redirectUri: text("redirect_uri"),
    /** Null: the request had no challenge. */
    codeChallenge: text("code_challenge"),
    nonce: text(),
    scopes: text().array().notNull(),
    resources: text().array().notNull(),
    subject: text().notNull(),
    /** The data behind claim mappings that the consent covers. */
    consentedData: text("consented_data").array().notNull().default([]),
    /** The user's epoch at the issue: a code from before a change of credentials is invalid. */
    credentialsEpoch: integer("credentials_epoch").notNull(),
    /** Thumbprint of the only key for which the code gives tokens (RFC 9449, section 10). Null: of no key. */
    dpopJkt: text("dpop_jkt"),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("oauth_codes_expires_at_idx").on(table.expiresAt),
    index("oauth_codes_grant_id_idx").on(table.grantId),
  ],
);

/**
 * The tokens of one authorization code, like the tokens of one sign-in in `sessions`. The id is the claim `sid` of the
 * access tokens, so that a revocation reaches resource servers by the log of session events.
 */
export const oauthTokenFamilies = pgTable(
  "oauth_token_families",
  {
    /** Replaced when the member loses a permission or role of the access tokens, which end thereby. */
    id: uuid().primaryKey(),
    /** The first id: `sid` of ID tokens and logout tokens, and the id in refresh tokens. Null: equal to `id`. */
    originId: uuid("origin_id"),
    grantId: uuid("grant_id")
      .notNull()
      .references(() => oauthGrants.id, { onDelete: "cascade" }),
    clientId: uuid("client_id").notNull(),
    userId: uuid("user_id").notNull(),
    organizationId: uuid("organization_id").notNull(),
    /** The session of the authorization; no foreign key, because an offline family outlives the session. */
    sessionId: uuid("session_id").notNull(),
    /** Hash of the code: a second use of the code revokes the family. */
    codeHash: bytea("code_hash").notNull(),
    scopes: text().array().notNull(),
    resources: text().array().notNull(),
    /** `offline_access`: does not end with the session. */
    offline: boolean().notNull(),
    subject: text().notNull(),
    nonce: text(),
    authMethod: text("auth_method", {
      enum: ["password", "passkey", "social_oauth", "email_otp", "sso", "ticket"],
    }).notNull(),
    /** As in `sessions`, at the exchange of the code. */
    identityProvider: text("identity_provider"),
    aal: text({ enum: ["aal1", "aal2"] }).notNull(),
    phishingResistant: boolean("phishing_resistant").notNull().default(false),
    authTime: timestamp("auth_time", { withTimezone: true }).notNull(),
    refreshJti: uuid("refresh_jti").notNull(),
    previousRefreshJti: uuid("previous_refresh_jti"),
    accessJti: uuid("access_jti").notNull(),
    /** Expiry of the newest access token: until then a revocation is in the log of session events. */
    accessExpiresAt: timestamp("access_expires_at", { withTimezone: true }).notNull(),
    rotatedAt: timestamp("rotated_at", { withTimezone: true }).notNull(),
    /** Expiry of the current refresh token. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    /** Expiry of the family, which refreshes do not extend. */
    endsAt: timestamp("ends_at", { withTimezone: true }).notNull(),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
    revokedReason: text("revoked_reason"),
    /** Thumbprint of the key to which the refresh tokens are bound (RFC 9449, section 5). Null: of no key. */
    dpopJkt: text("dpop_jkt"),
    /** The permissions of applications, and the roles, on which access tokens with this id depend. */
    permissions: text().array().notNull().default([]),
    roles: text().array().notNull().default([]),
    /** The groups on which access tokens with this id depend. */
    groups: text().array().notNull().default([]),
    /** The data behind claim mappings that the consent of the authorization covers. */
    consentedData: text("consented_data").array().notNull().default([]),
    /** Time at which the client was notified of the end of the session. */
    loggedOutAt: timestamp("logged_out_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("oauth_token_families_code_hash_key").on(table.codeHash),
    index("oauth_token_families_grant_id_idx").on(table.grantId, table.createdAt),
    index("oauth_token_families_session_id_idx").on(table.sessionId),
    index("oauth_token_families_user_id_idx").on(table.userId),
    uniqueIndex("oauth_token_families_origin_id_key").on(table.originId),
    index("oauth_token_families_ends_at_idx").on(table.endsAt),
  ],
);
