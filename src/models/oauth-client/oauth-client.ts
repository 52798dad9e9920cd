import type { oauthClients } from "../../../db/schema/oauth-provider.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import type { RowOf } from "../../database/row.ts";
import type { ApplicationMapping } from "../../vocabulary/claim-mapping.ts";
import type { GrantType } from "../../vocabulary/grant-type.ts";
import { displayableUrls } from "./displayable-urls.ts";
import { changesIdentity } from "./provenance.ts";

type OauthClientRow = RowOf<typeof oauthClients>;

export type TokenAuthMethod = "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";
/** The authentication methods as presented: a secret in the header or in the form is one method. */
export type AuthenticationKind = "none" | "secret" | "private_key_jwt";

/** Basic and post are accepted alike, whichever of the two the client registered. */
export function authenticationKind({ tokenAuthMethod }: Pick<OAuthClient, "tokenAuthMethod">): AuthenticationKind {
  return tokenAuthMethod === "none" || tokenAuthMethod === "private_key_jwt" ? tokenAuthMethod : "secret";
}

/** A public key of a client, as registered (RFC 7517). */
export type ClientKey = Readonly<Record<string, unknown>> & { readonly kty: string };

/** A scope of the next API, and the scope of the subject token that permits the scope. */
export type ExchangedScope = string | { readonly from: string; readonly to: string };

/** A permitted token exchange: a token for the API `from` gives a token for the API `to`. */
export interface TokenExchangeRule {
  readonly from: string;
  readonly to: string;
  /** A name alone is the name of the scope at either API. */
  readonly scopes: readonly ExchangedScope[];
}

/** An application that uses this service as OpenID provider (docs/contract.md, section 23.2). */
export interface OAuthClient
  extends Pick<
    OauthClientRow,
    | "name"
    | "logoUrl"
    | "policyUri"
    | "tosUri"
    | "clientUri"
    | "registration"
    | "requireAcr"
    | "applicationType"
    | "requirePkce"
    | "requireNonceOrPkce"
    | "requirePushedRequests"
    | "dpopBoundAccessTokens"
    | "requireDpopNonce"
    | "idTokenClaims"
    | "idTokenSignedResponseAlg"
    | "requireSignedRequestObject"
    | "refreshTokenRotation"
    | "refreshRepeatSeconds"
    | "profile"
    | "jwksUri"
    | "kind"
    | "lastUsedAt"
    | "managedBy"
    | "preset"
  > {
  readonly id: OauthClientRow["id"];
  readonly tokenAuthMethod: TokenAuthMethod;
  readonly keys: readonly ClientKey[];
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly backchannelLogoutUri: string | null;
  readonly grantTypes: readonly GrantType[];
  readonly scopes: readonly string[];
  /** Resource servers for which the client may request tokens (RFC 8707). */
  readonly resources: readonly string[];
  /** Resource servers that the client operates. */
  readonly audiences: readonly string[];
  /** Token exchanges that the client may request (RFC 8693). */
  readonly exchanges: readonly TokenExchangeRule[];
  /** The only organizations whose members sign in to the application. Null: every organization. */
  readonly organizations: readonly string[] | null;
  /** Claims beside the claims of scopes. */
  readonly claimMappings: readonly ApplicationMapping[];
  /** The inputs of the product preset; null without a preset. */
  readonly presetInputs: Readonly<Record<string, string>> | null;
  /** Whether the client belongs to the operator: users are not asked for consent. */
  readonly firstParty: boolean;
  readonly subjectType: "public" | "pairwise";
  /** Host that separates pairwise subjects. */
  readonly sector: string | null;
  readonly disabled: boolean;
  /** Time at which the client was last enabled again; null: the client never was disabled. */
  readonly tokensValidFrom: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly secrets: readonly ClientSecret[];
  /** Null: registered with the service. */
  readonly document: ClientDocument | null;
}

/** The metadata document that identifies a client (docs/contract.md, section 23.30). */
export interface ClientDocument {
  /** The `client_id` of the client in requests and tokens. */
  readonly url: string;
  readonly hash: string;
  readonly fetchedAt: Date;
  /** Until then the document is used without a fetch. */
  readonly freshUntil: Date;
}

/** The `client_id` in requests and tokens. */
export function clientIdOf({ id, document }: Pick<OAuthClient, "document" | "id">): string {
  return document?.url ?? id;
}

/** Whether members of the organization may sign in to the application (docs/contract.md, section 23.33). */
export function servesOrganization(
  { organizations }: Pick<OAuthClient, "organizations">,
  organizationId: string,
): boolean {
  return organizations === null || organizations.includes(organizationId);
}

/** Whether every token of the client is bound to a key (RFC 9449, section 5.2; FAPI 2.0, section 5.3.2.1). */
export function requiresBoundTokens(client: Pick<OAuthClient, "dpopBoundAccessTokens" | "profile">): boolean {
  return client.dpopBoundAccessTokens || client.profile === "fapi2";
}

/** Algorithms of signatures by clients: public keys only, and without PKCS #1 v1.5 in FAPI 2.0 (section 5.4.1). */
const CLIENT_ALGORITHMS = ["ES256", "PS256", "EdDSA"] as const;
export const ASSERTION_ALGORITHMS = [...CLIENT_ALGORITHMS, "RS256"] as const;

/** The algorithms that the service accepts in assertions and proofs of possession of a client. */
export function assertionAlgorithmsOf({ profile }: Pick<OAuthClient, "profile">): readonly string[] {
  return profile === "fapi2" ? CLIENT_ALGORITHMS : ASSERTION_ALGORITHMS;
}

/** A secret is stored as SHA-256, because 256 random bits need no slow hash. */
export interface ClientSecret {
  readonly id: string;
  readonly hash: Buffer;
  readonly createdAt: Date;
}

/**
 * Redis stream that announces changes to the replicas. If the stream is lost, replicas poll PostgreSQL every few
 * seconds.
 */
export const OAUTH_CLIENT_STREAM = "service:oauth-clients";

/** Columns of `OAuthClient` except the secrets, of the table alias `c`. */
export function clientColumns(sql: Sql): Fragment {
  return sql`
    c.id, c.name, c.logo_url as "logoUrl", c.policy_uri as "policyUri", c.tos_uri as "tosUri",
    c.client_uri as "clientUri", c.require_acr as "requireAcr", c.registration,
    c.application_type as "applicationType", c.require_pkce as "requirePkce",
    c.require_nonce_or_pkce as "requireNonceOrPkce", c.refresh_repeat_seconds as "refreshRepeatSeconds",
    c.require_pushed_requests as "requirePushedRequests",
    c.dpop_bound_access_tokens as "dpopBoundAccessTokens", c.require_dpop_nonce as "requireDpopNonce",
    c.id_token_claims as "idTokenClaims",
    c.id_token_signed_response_alg as "idTokenSignedResponseAlg", c.managed_by as "managedBy",
    c.require_signed_request_object as "requireSignedRequestObject",
    c.refresh_token_rotation as "refreshTokenRotation", c.profile, c.jwks_uri as "jwksUri", c.exchanges, c.kind,
    c.organizations, c.claim_mappings as "claimMappings", c.preset, c.preset_inputs as "presetInputs",
    c.last_used_at as "lastUsedAt",
    c.token_auth_method as "tokenAuthMethod", coalesce(c.jwks, '[]'::jsonb) as keys,
    c.redirect_uris as "redirectUris", c.post_logout_redirect_uris as "postLogoutRedirectUris",
    c.backchannel_logout_uri as "backchannelLogoutUri", c.grant_types as "grantTypes", c.scopes, c.resources,
    c.audiences, c.first_party as "firstParty", c.subject_type as "subjectType", c.sector,
    c.external_id as url, c.document_hash as hash, c.fetched_at as "fetchedAt", c.fresh_until as "freshUntil",
    c.disabled_at is not null as disabled, c.tokens_valid_from as "tokensValidFrom", c.created_at as "createdAt",
    c.updated_at as "updatedAt"`;
}

type StoredSecret = { readonly id: string; readonly hash: string; readonly createdAt: string };
export type ClientRow = Omit<OAuthClient, "document" | "secrets"> &
  (ClientDocument | { readonly [Member in keyof ClientDocument]: null }) & {
    readonly secrets: readonly StoredSecret[];
  };

/** JSON has neither bytes nor times. */
export function toClient({ url, hash, fetchedAt, freshUntil, ...row }: ClientRow): OAuthClient {
  const document = url === null ? null : { url, hash, fetchedAt, freshUntil };
  const secrets = row.secrets.map(({ id, hash, createdAt }) => ({
    id,
    hash: Buffer.from(hash, "hex"),
    createdAt: new Date(createdAt),
  }));
  return { ...row, ...displayableUrls(row), secrets, document };
}

export function secretsOf(sql: Sql): Fragment {
  return sql`coalesce((
      select json_agg(json_build_object('id', s.id, 'hash', encode(s.secret_hash, 'hex'), 'createdAt', s.created_at)
                      order by s.created_at, s.id)
      from oauth_client_secrets s where s.client_id = c.id
    ), '[]')`;
}

export async function findClient(sql: Sql, id: string): Promise<OAuthClient | undefined> {
  const [row] = await sql<ClientRow[]>`
    select ${clientColumns(sql)}, ${secretsOf(sql)} as secrets from oauth_clients c where c.id = ${id}`;
  return row && toClient(row);
}

/** The client that a metadata document identifies. */
export async function findClientOfDocument(sql: Sql, url: string): Promise<OAuthClient | undefined> {
  const [row] = await sql<ClientRow[]>`
    select ${clientColumns(sql)}, ${secretsOf(sql)} as secrets from oauth_clients c where c.external_id = ${url}`;
  return row && toClient(row);
}

/** Locks the client, so that changes of a client run in sequence. */
export async function lockClient(sql: Sql, id: string): Promise<OAuthClient | undefined> {
  const [row] = await sql<ClientRow[]>`
    select ${clientColumns(sql)}, ${secretsOf(sql)} as secrets from oauth_clients c where c.id = ${id} for update of c`;
  return row && toClient(row);
}

export type NewClient = Omit<OAuthClient, "secrets" | "disabled" | "document" | "tokensValidFrom" | "lastUsedAt">;

/** CTE fragment: inserts a client, unless the id is in use or there are already `max` of the kind. */
export function insertClient(sql: Sql, client: NewClient, max: number): Fragment {
  const { createdAt } = client;
  return sql`
    insert into oauth_clients (
      id, name, logo_url, application_type, token_auth_method, jwks, redirect_uris, post_logout_redirect_uris,
      backchannel_logout_uri, grant_types, scopes, resources, audiences, first_party, subject_type, sector, policy_uri,
      tos_uri, require_pkce, require_pushed_requests, dpop_bound_access_tokens, require_dpop_nonce, id_token_claims,
      id_token_signed_response_alg, require_signed_request_object, refresh_token_rotation, profile, jwks_uri, exchanges,
      kind, managed_by, client_uri, require_acr, require_nonce_or_pkce, refresh_repeat_seconds,
      organizations, claim_mappings, preset, preset_inputs, registration, created_at, updated_at)
    select ${client.id}::uuid, ${client.name}, ${client.logoUrl}::text, ${client.applicationType},
           ${client.tokenAuthMethod}, ${json(sql, client.keys)}::jsonb, ${[...client.redirectUris]}::text[],
           ${[...client.postLogoutRedirectUris]}::text[], ${client.backchannelLogoutUri}::text,
           ${[...client.grantTypes]}::text[], ${[...client.scopes]}::text[], ${[...client.resources]}::text[],
           ${[...client.audiences]}::text[], ${client.firstParty}::boolean, ${client.subjectType},
           ${client.sector}::text, ${client.policyUri}::text, ${client.tosUri}::text, ${client.requirePkce}::boolean,
           ${client.requirePushedRequests}::boolean, ${client.dpopBoundAccessTokens}::boolean,
           ${client.requireDpopNonce}::boolean, ${client.idTokenClaims}, ${client.idTokenSignedResponseAlg},
           ${client.requireSignedRequestObject}::boolean,
           ${client.refreshTokenRotation}::boolean, ${client.profile}, ${client.jwksUri}::text,
           ${json(sql, client.exchanges)}::jsonb, ${client.kind}, ${client.managedBy}::text,
           ${client.clientUri}::text, ${client.requireAcr}::text, ${client.requireNonceOrPkce}::boolean,
           ${client.refreshRepeatSeconds}::integer, ${organizationsOf(client)}::uuid[],
           ${json(sql, client.claimMappings)}::jsonb,
           ${client.preset}::text, ${client.presetInputs && json(sql, client.presetInputs)}::jsonb,
           ${client.registration}::text, ${createdAt}::timestamptz, ${createdAt}::timestamptz
    where (select count(*) from oauth_clients where kind = ${client.kind}) < ${max}
    on conflict (id) do nothing
    returning id`;
}

/** CTE fragment: replaces the settings of a client. Another identity voids the consents and approvals from before. */
export function updateClient(
  sql: Sql,
  before: OAuthClient,
  client: Omit<OAuthClient, "document" | "secrets">,
): Fragment {
  return sql`
    update oauth_clients set
      name = ${client.name}, logo_url = ${client.logoUrl}, policy_uri = ${client.policyUri},
      tos_uri = ${client.tosUri}, client_uri = ${client.clientUri}, require_acr = ${client.requireAcr},
      registration = ${client.registration},
      application_type = ${client.applicationType},
      token_auth_method = ${client.tokenAuthMethod}, subject_type = ${client.subjectType}, sector = ${client.sector},
      require_nonce_or_pkce = ${client.requireNonceOrPkce}, refresh_repeat_seconds = ${client.refreshRepeatSeconds},
      require_pkce = ${client.requirePkce}, require_pushed_requests = ${client.requirePushedRequests},
      dpop_bound_access_tokens = ${client.dpopBoundAccessTokens},
      require_dpop_nonce = ${client.requireDpopNonce}, id_token_claims = ${client.idTokenClaims},
      id_token_signed_response_alg = ${client.idTokenSignedResponseAlg}, managed_by = ${client.managedBy},
      require_signed_request_object = ${client.requireSignedRequestObject},
      refresh_token_rotation = ${client.refreshTokenRotation}, profile = ${client.profile},
      jwks_uri = ${client.jwksUri}, exchanges = ${json(sql, client.exchanges)},
      jwks = ${json(sql, client.keys)}, organizations = ${organizationsOf(client)}::uuid[],
      claim_mappings = ${json(sql, client.claimMappings)},
      preset = ${client.preset}::text, preset_inputs = ${client.presetInputs && json(sql, client.presetInputs)}::jsonb,
      redirect_uris = ${[...client.redirectUris]}::text[],
      post_logout_redirect_uris = ${[...client.postLogoutRedirectUris]}::text[],
      backchannel_logout_uri = ${client.backchannelLogoutUri}, grant_types = ${[...client.grantTypes]}::text[],
      scopes = ${[...client.scopes]}::text[], resources = ${[...client.resources]}::text[],
      audiences = ${[...client.audiences]}::text[], first_party = ${client.firstParty},
      tokens_valid_from = case when disabled_at is not null and not ${client.disabled}::boolean
                               then ${client.updatedAt}::timestamptz else tokens_valid_from end,
      consent_from = case when ${changesIdentity(before, client)}::boolean
                          then ${client.updatedAt}::timestamptz else consent_from end,
      disabled_at = case when ${client.disabled}::boolean then coalesce(disabled_at, ${client.updatedAt}) end,
      updated_at = ${client.updatedAt}
    where id = ${client.id}
    returning id`;
}

function organizationsOf({ organizations }: Pick<OAuthClient, "organizations">): string[] | null {
  return organizations && [...organizations];
}

/** CTE fragment: deletes a client; one row (id). */
export function deleteClient(sql: Sql, id: string): Fragment {
  return sql`delete from oauth_clients where id = ${id} returning id`;
}
