import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { clientIdOf, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { type FamilyOwner, findFamilyOwner } from "../../../models/oauth-grant/family-state.ts";
import { openRefreshToken } from "../../../models/oauth-grant/refresh-token.ts";
import { findFamilyState } from "../../../models/oauth-grant/token-family.ts";
import { fitValues, mergeClaims } from "../../../models/token/mapped-size.ts";
import {
  type Actor,
  audienceList,
  type ProviderAccessClaims,
  type ResourceClaims,
} from "../../../models/token/provider-claims.ts";
import type { ClaimRecord } from "../../../vocabulary/claim-mapping.ts";
import { type MappedClaimsDeps, readMappedClaims } from "../claims/read-mapped-claims.ts";
import { grantedData, NO_MAPPINGS, selectForApis } from "../claims/select-mappings.ts";
import { countOutcomes, ownerSubject, withTruncated } from "../claims/token-claims.ts";
import {
  type AuthenticateClientDeps,
  authenticateClient,
  type ClientCredentials,
  type ClientProblem,
} from "../request/authenticate-client.ts";
import { findLiveToken, type LiveToken, type LiveTokenDeps } from "../request/live-token.ts";
import { findResource } from "../request/requested.ts";
import { grantableScopes, presentScopes } from "../request/role-scopes.ts";

export type IntrospectDeps = AuthenticateClientDeps &
  LiveTokenDeps &
  MappedClaimsDeps &
  Pick<Deps, "codeKey" | "telemetry">;

/** The response with the outcomes of claim mappings. */
export interface Introspected {
  readonly state: Introspection;
  readonly records: readonly ClaimRecord[];
}

/** RFC 7662, section 2.2. */
export type Introspection =
  | { readonly active: false }
  | (ResourceClaims & {
      readonly active: true;
      readonly token_type: "Bearer" | "DPoP" | "refresh_token";
      readonly client_id: string;
      readonly scope: string;
      readonly sub: string;
      readonly iss: string;
      readonly sid: string;
      readonly exp: number;
      readonly iat: number;
      readonly aud?: string | string[];
      readonly jti?: string;
      readonly org?: string;
      readonly acr?: string;
      readonly auth_time?: number;
      readonly cnf?: { readonly jkt: string };
      /** The clients that act for the user, after an exchange. */
      readonly act?: Actor;
      /** The email address of the user, with the scope `email`. */
      readonly username?: string;
    });

const INACTIVE = { active: false } as const;

/**
 * POST /oauth2/introspect (docs/contract.md, section 23.7): whether a token is live, for a confidential client: tokens
 * issued to the client, and tokens with the client as audience. Every other token is inactive, without further members
 * (RFC 7662, section 4).
 */
export async function introspectToken(
  deps: IntrospectDeps,
  presented: ClientCredentials,
): Promise<Result<Introspected, ClientProblem | OAuthRefusal<"unauthorized_client">>> {
  const client = await authenticateClient(deps, presented);
  if (!client.ok) return client;
  if (client.value.tokenAuthMethod === "none") {
    return err(oauthRefusal("unauthorized_client", "A public client may not introspect tokens."));
  }
  const token = presented.parameters.one("token");
  if (token === undefined) return err(oauthRefusal("invalid_request", "token is missing."));
  const live = await findLiveToken(deps, token);
  if (!live) return ok(unmapped(await describeRefresh(deps, client.value, token)));
  return ok(mayRead(client.value, live.claims) ? await describeAccess(deps, live) : unmapped(INACTIVE));
}

function unmapped(state: Introspection): Introspected {
  return { state, records: [] };
}

function mayRead(client: OAuthClient, claims: ProviderAccessClaims): boolean {
  return (
    claims.client_id === clientIdOf(client) ||
    audienceList(claims).some((each) => findResource(client.audiences, each) !== undefined)
  );
}

interface Description {
  readonly scopes: readonly string[];
  readonly email: string | undefined;
  readonly state: Introspection;
}

/** By the claims of verified tokens, which the cache of tokens shares: an unchanged token has an identical state. */
const DESCRIBED = new WeakMap<object, Description>();

async function describeAccess(deps: IntrospectDeps, live: LiveToken): Promise<Introspected> {
  const scopes = await presentScopes(deps, live);
  if (scopes === undefined) return unmapped(INACTIVE);
  const state = describeToken(live, scopes);
  const { claims, client, owner } = live;
  if (!owner) return unmapped(state);
  const resources = audienceList(claims).filter((each) => each !== deps.config.urls.publicBaseUrl);
  // The token of an exchange is for an API alone, without a consent of the user.
  const data = claims.act ? null : grantedData(client, owner);
  const selected = selectForApis(deps, resources, { scopes, data, organizationId: owner.organizationId });
  if (selected === NO_MAPPINGS) return unmapped(state);
  // The values as of now, in place of the values of the token.
  const mapped = await readMappedClaims(deps, { ...ownerSubject(claims, client, owner), resources }, selected);
  const fitted = fitValues(mapped.claims);
  const named = new Set([...mapped.records.map(({ claim }) => claim), "claims_truncated"]);
  const rest = Object.fromEntries(Object.entries(state).filter(([name]) => !named.has(name)));
  const present = mergeClaims(rest as Introspection & { readonly active: true }, fitted.claims);
  return countOutcomes(deps, { state: present, records: withTruncated(mapped.records, fitted.truncated) });
}

/** The state of a token by its claims, without the claims of mappings as of now. */
function describeToken({ claims, owner }: LiveToken, scopes: readonly string[]): Introspection {
  const known = DESCRIBED.get(claims);
  if (known?.scopes === scopes && known.email === owner?.email) return known.state;
  const { typ: _typ, aud, ...rest } = claims;
  const tokenType = claims.cnf ? "DPoP" : "Bearer";
  const username = usernameOf(owner, scopes);
  const audience = typeof aud === "string" ? aud : [...aud];
  const texts = { scope: scopes.join(" "), ...username, aud: audience };
  const state: Introspection = { active: true, token_type: tokenType, ...rest, ...texts };
  DESCRIBED.set(claims, { scopes, email: owner?.email, state });
  return state;
}

/** `username` names the user for a resource server, by the scope that permits the email address. */
function usernameOf(owner: Pick<FamilyOwner, "email"> | undefined, scopes: readonly string[]) {
  return owner && scopes.includes("email") ? { username: owner.email } : {};
}

async function describeRefresh(deps: IntrospectDeps, client: OAuthClient, text: string): Promise<Introspection> {
  const token = openRefreshToken(deps.codeKey, text);
  if (!token) return INACTIVE;
  const at = new Date(deps.clock.now());
  const state = await deps.database.run("oauth_family.find", (sql) =>
    findFamilyState(sql, { familyId: token.familyId, clientId: client.id, at }),
  );
  if (!state?.live || state.family.refreshJti !== token.jti || state.family.expiresAt <= at.getTime()) return INACTIVE;
  const { family } = state;
  const scopes = await grantableScopes(deps, client, family, family);
  const owner = await deps.database.run("oauth_family.find_owner", (sql) => findFamilyOwner(sql, family.id, at));
  return {
    active: true,
    token_type: "refresh_token",
    ...usernameOf(owner, family.scopes),
    client_id: clientIdOf(client),
    scope: (scopes.ok ? scopes.value : []).join(" "),
    sub: family.subject,
    iss: deps.config.urls.publicBaseUrl,
    sid: family.id,
    exp: Math.floor(family.expiresAt / 1000),
    iat: Math.floor(family.rotatedAt / 1000),
  };
}
