import { unixSeconds } from "../../../base/clock.ts";
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Database } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { OAUTH_EXCHANGED_TOKEN_SECONDS } from "../../../limits/oauth-limits.ts";
import type { RolesOfMember } from "../../../models/conditions/member-grants.ts";
import { clientIdOf, firstSecondOfOwnTokens, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { makeRefreshToken } from "../../../models/oauth-grant/refresh-token.ts";
import type { TokenFamily } from "../../../models/oauth-grant/token-family.ts";
import {
  type Actor,
  audienceOf,
  authenticationMethods,
  type IdClaims,
  type ProviderAccessClaims,
  type ResourceClaims,
} from "../../../models/token/provider-claims.ts";
import { CUT_ACCESS_CLAIMS } from "../../../models/token/token-size.ts";
import { fitToken, signProviderPair, signProviderToken } from "../../steps/tokens/sign-provider-token.ts";
import { accessTokenSeconds } from "../request/lifetimes.ts";
import { accessTokenAlgorithm, registeredIdentifiers } from "../request/requested.ts";
import { assuranceFlaw, tokenAcr } from "../request/required-assurance.ts";
import { readResourceClaims } from "../request/resource-claims.ts";
import { bindScopes } from "../request/role-scopes.ts";
import { readIdTokenClaims } from "../request/scope-claims.ts";

/** RFC 8693, section 3. */
export const ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";

export type IssueProviderTokensDeps = Pick<
  Deps,
  "clock" | "config" | "database" | "keyRing" | "oauthResources" | "signing" | "codeKey" | "userClaims"
>;

/** RFC 6749, section 5.1, and OpenID Connect Core, section 3.1.3.3. */
export interface IssuedTokens {
  readonly accessToken: string;
  /** DPoP: bound to the key of the proof (RFC 9449, section 5). */
  readonly tokenType: "Bearer" | "DPoP";
  readonly expiresInSeconds: number;
  readonly scope: string;
  readonly refreshToken?: string;
  readonly idToken?: string;
  /** Type of an exchanged token (RFC 8693, section 2.2.1). */
  readonly issuedTokenType?: string;
}

export interface FamilyTokens {
  readonly family: TokenFamily;
  readonly client: OAuthClient;
  /** The scopes of the access token, a subset of the family's scopes. */
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /**
   * Whether the ID token repeats the nonce: only the ID token of the authorization does (OpenID Connect Core, section
   * 12.2).
   */
  readonly withNonce: boolean;
  /** The thumbprint of the key to which the access token is bound; undefined: a Bearer token. */
  readonly thumbprint: string | undefined;
}

/** A refusal of tokens, which precedes the use of the code or refresh token. */
export type IssueRefusal = OAuthRefusal<"invalid_grant" | "invalid_scope" | "invalid_target">;

/** The tokens of a family, with the scopes and the power that the present roles of the user give. */
export interface AdmittedTokens extends FamilyTokens {
  readonly power: RolesOfMember | undefined;
}

/**
 * Decides whether the tokens of a family may be issued, and binds the family to the roles of the user. The scopes
 * follow the present roles. `deps.database` may be the transaction that uses the code or refresh token: a refusal then
 * uses nothing.
 */
export async function admitFamilyTokens(
  deps: Pick<Deps, "config" | "keyRing" | "oauthResources"> & { readonly database: Pick<Database, "run"> },
  requested: FamilyTokens,
): Promise<Result<AdmittedTokens, IssueRefusal>> {
  const { client, resources } = requested;
  const weak = assuranceFlaw(deps, client, resources, requested.family);
  if (weak) return err(weak);
  const bound = await bindScopes(deps, client, requested.family, requested);
  if (!bound.ok) return bound;
  const { familyId, scopes, power } = bound.value;
  const admitted = { ...requested, family: { ...requested.family, id: familyId }, scopes, power };
  const algorithm = accessTokenAlgorithm(deps, client, resources);
  // What the cut of a token without room leaves of the claims of APIs.
  const least = { ...CUT_ACCESS_CLAIMS, ...accessClaims(deps, admitted) };
  return fitToken(deps, "oauth_access", algorithm, least) ? ok(admitted) : err(TOKEN_TOO_LONG);
}

/**
 * Signs the tokens of a family as of the last rotation. All claims of the access token come from the row and the
 * client, so an unchanged row gives equal tokens, as the two-tab grace requires: identical tokens with RS256 and EdDSA,
 * tokens with a different signature with ES256, which is not deterministic. The claims of the user are as of now.
 */
export async function issueFamilyTokens(deps: IssueProviderTokensDeps, issue: AdmittedTokens): Promise<IssuedTokens> {
  const { client, family, resources, scopes } = issue;
  const ofApis = await readResourceClaims(deps, family, resources, issue.power);
  const access = { ...ofApis, ...accessClaims(deps, issue) };
  const { accessToken, ...idToken } = await signFamilyTokens(deps, issue, access);
  const refreshToken = client.grantTypes.includes("refresh_token")
    ? { refreshToken: makeRefreshToken(deps.codeKey, { familyId: family.originId, jti: family.refreshJti }) }
    : {};
  // A repeated refresh returns the tokens of the first.
  const expiresInSeconds = Math.max(0, access.exp - Math.max(access.iat, unixSeconds(deps.clock.now())));
  const tokenType = tokenTypeOf(issue.thumbprint);
  return { accessToken, tokenType, expiresInSeconds, scope: scopes.join(" "), ...refreshToken, ...idToken };
}

async function signFamilyTokens(
  deps: IssueProviderTokensDeps,
  issue: FamilyTokens,
  claims: ProviderAccessClaims,
): Promise<Pick<IssuedTokens, "accessToken" | "idToken">> {
  const { family, client, scopes, resources } = issue;
  const access = { algorithm: accessTokenAlgorithm(deps, client, resources), claims };
  if (!scopes.includes("openid")) {
    return { accessToken: await signProviderToken(deps, family.userId, { ...access, kind: "oauth_access" }) };
  }
  const ofUser = await readIdTokenClaims(deps, client, family, scopes);
  // The protocol claims come last: no claim of a user may replace a protocol claim.
  const id = { algorithm: client.idTokenSignedResponseAlg, claims: { ...ofUser, ...idClaims(deps, issue, claims) } };
  return await signProviderPair(deps, family.userId, access, id);
}

const TOKEN_TOO_LONG = oauthRefusal(
  "invalid_scope",
  "The access token would be longer than 4 KiB: name fewer scopes or resources.",
);

function accessClaims(
  deps: Pick<Deps, "config" | "oauthResources">,
  { family, client, scopes, resources, thumbprint }: FamilyTokens,
): ProviderAccessClaims {
  const issuer = deps.config.urls.publicBaseUrl;
  const endsAt = Math.min(family.accessExpiresAt, family.rotatedAt + accessTokenSeconds(deps, resources) * 1000);
  return {
    iss: issuer,
    typ: "oauth_access",
    sub: family.subject,
    aud: audienceOf(issuer, registeredIdentifiers(deps, resources), scopes),
    client_id: clientIdOf(client),
    scope: scopes.join(" "),
    sid: family.id,
    jti: family.accessJti,
    iat: unixSeconds(family.rotatedAt),
    exp: unixSeconds(endsAt),
    org: family.organizationId,
    acr: tokenAcr(deps, client, resources, family),
    auth_time: unixSeconds(family.authTime),
    ...confirmationOf(thumbprint),
  };
}

/** RFC 9449, section 6.1. */
function confirmationOf(thumbprint: string | undefined): Pick<ProviderAccessClaims, "cnf"> {
  return thumbprint === undefined ? {} : { cnf: { jkt: thumbprint } };
}

function tokenTypeOf(thumbprint: string | undefined): IssuedTokens["tokenType"] {
  return thumbprint === undefined ? "Bearer" : "DPoP";
}

function idClaims(
  { config }: Pick<Deps, "config">,
  { family, client, withNonce }: FamilyTokens,
  access: ProviderAccessClaims,
): Omit<IdClaims, "at_hash"> {
  return {
    iss: config.urls.publicBaseUrl,
    sub: family.subject,
    aud: clientIdOf(client),
    sid: family.originId,
    iat: access.iat,
    exp: access.exp,
    auth_time: unixSeconds(family.authTime),
    acr: family.aal,
    amr: authenticationMethods(family.authMethod, family.aal),
    ...(withNonce && family.nonce !== null ? { nonce: family.nonce } : {}),
  };
}

/** A client's own access token (RFC 6749, section 4.4): of no user, no session and no family. */
export async function issueClientToken(
  deps: IssueProviderTokensDeps & Pick<Deps, "clock" | "random">,
  { client, scopes, resources, thumbprint }: Omit<FamilyTokens, "family" | "withNonce">,
): Promise<IssuedTokens> {
  const issuer = deps.config.urls.publicBaseUrl;
  const jti = deps.random.uuid();
  const iat = Math.max(unixSeconds(deps.clock.now()), firstSecondOfOwnTokens(client));
  const expiresInSeconds = accessTokenSeconds(deps, resources);
  const scope = scopes.join(" ");
  const aud = audienceOf(issuer, registeredIdentifiers(deps, resources), scopes);
  const claims: ProviderAccessClaims = {
    iss: issuer,
    typ: "oauth_access",
    sub: client.id,
    aud,
    client_id: client.id,
    scope,
    sid: jti,
    jti,
    iat,
    exp: iat + expiresInSeconds,
    ...confirmationOf(thumbprint),
  };
  const algorithm = accessTokenAlgorithm(deps, client, resources);
  const accessToken = await signProviderToken(deps, client.id, { kind: "oauth_access", algorithm, claims });
  return { accessToken, tokenType: tokenTypeOf(thumbprint), expiresInSeconds, scope };
}

export interface TokenExchange {
  readonly client: OAuthClient;
  /** The claims of the received token. */
  readonly subject: ProviderAccessClaims;
  readonly actor: Actor;
  readonly scopes: readonly string[];
  readonly resource: string;
  /** The claims that the next API lists. */
  readonly ofApi: ResourceClaims;
  readonly thumbprint: string | undefined;
}

/** An access token for the next API: of the user and the family of the received token, and no longer valid. */
export async function issueExchangedToken(
  deps: IssueProviderTokensDeps & Pick<Deps, "clock" | "random">,
  { client, subject, actor, scopes, resource, ofApi, thumbprint }: TokenExchange,
): Promise<IssuedTokens> {
  const { iss, typ, sub, sid, org, acr, auth_time: authTime } = subject;
  const ofUser = {
    ...(org === undefined ? {} : { org }),
    ...(acr === undefined ? {} : { acr }),
    ...(authTime === undefined ? {} : { auth_time: authTime }),
  };
  const iat = Math.max(unixSeconds(deps.clock.now()), subject.iat);
  const exp = Math.min(subject.exp, iat + OAUTH_EXCHANGED_TOKEN_SECONDS);
  const scope = scopes.join(" ");
  const claims: ProviderAccessClaims = {
    ...ofApi,
    ...ofUser,
    iss,
    typ,
    sub,
    sid,
    aud: registeredIdentifiers(deps, [resource])[0] ?? resource,
    client_id: clientIdOf(client),
    scope,
    jti: deps.random.uuid(),
    iat,
    exp,
    act: actor,
    ...confirmationOf(thumbprint),
  };
  const algorithm = accessTokenAlgorithm(deps, client, [resource]);
  const accessToken = await signProviderToken(deps, client.id, { kind: "oauth_access", algorithm, claims });
  const expiresInSeconds = exp - iat;
  return {
    accessToken,
    tokenType: tokenTypeOf(thumbprint),
    expiresInSeconds,
    scope,
    issuedTokenType: ACCESS_TOKEN_TYPE,
  };
}
