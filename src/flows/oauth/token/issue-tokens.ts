import { unixSeconds } from "../../../base/clock.ts";
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Database } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import type { RolesOfMember } from "../../../models/conditions/member-grants.ts";
import { clientIdOf, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { firstSecondOfOwnTokens } from "../../../models/oauth-client/own-tokens.ts";
import { makeRefreshToken } from "../../../models/oauth-grant/refresh-token.ts";
import type { TokenFamily } from "../../../models/oauth-grant/token-family.ts";
import {
  audienceOf,
  authenticationMethods,
  type IdClaims,
  type ProviderAccessClaims,
} from "../../../models/token/provider-claims.ts";
import { CUT_ACCESS_CLAIMS } from "../../../models/token/token-size.ts";
import type { ClaimRecord } from "../../../vocabulary/claim-mapping.ts";
import { isPersonalOrganization } from "../../../vocabulary/personal-organization.ts";
import { fitToken, signProviderPair, signProviderToken } from "../../steps/tokens/sign-provider-token.ts";
import { mapAccessClaims, mapIdClaims } from "../claims/token-claims.ts";
import { accessTokenSeconds } from "../request/lifetimes.ts";
import { accessTokenAlgorithm, registeredIdentifiers } from "../request/requested.ts";
import { assuranceFlaw, tokenAcr } from "../request/required-assurance.ts";
import { readResourceClaims } from "../request/resource-claims.ts";
import { bindScopes } from "../request/role-scopes.ts";
import { readIdTokenClaims } from "../request/scope-claims.ts";
import { confirmationOf, tokenTypeOf } from "../request/token-binding.ts";

export type IssueProviderTokensDeps = Pick<
  Deps,
  | "claimSources"
  | "clock"
  | "config"
  | "database"
  | "keyRing"
  | "oauthResources"
  | "signing"
  | "codeKey"
  | "telemetry"
  | "userClaims"
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
  /** Outcomes of claim mappings, for the record of the request. */
  readonly claims?: readonly ClaimRecord[];
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
  /** The groups of the user, if the access token depends on groups. */
  readonly groups: readonly string[] | undefined;
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
  const { familyId, ...access } = bound.value;
  const admitted = { ...requested, family: { ...requested.family, id: familyId }, ...access };
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
  const mapped = await mapAccessClaims(deps, issue, access);
  const { accessToken, idToken, records } = await signFamilyTokens(deps, issue, mapped.claims);
  const refreshToken = client.grantTypes.includes("refresh_token")
    ? { refreshToken: makeRefreshToken(deps.codeKey, { familyId: family.originId, jti: family.refreshJti }) }
    : {};
  // A repeated refresh returns the tokens of the first.
  const expiresInSeconds = Math.max(0, access.exp - Math.max(access.iat, unixSeconds(deps.clock.now())));
  const tokenType = tokenTypeOf(issue.thumbprint);
  const claims = [...mapped.records, ...records];
  return {
    accessToken,
    tokenType,
    expiresInSeconds,
    scope: scopes.join(" "),
    ...refreshToken,
    ...(idToken === undefined ? {} : { idToken }),
    ...(claims.length === 0 ? {} : { claims }),
  };
}

interface SignedTokens extends Pick<IssuedTokens, "accessToken" | "idToken"> {
  readonly records: readonly ClaimRecord[];
}

async function signFamilyTokens(
  deps: IssueProviderTokensDeps,
  issue: FamilyTokens,
  claims: ProviderAccessClaims,
): Promise<SignedTokens> {
  const { family, client, scopes, resources } = issue;
  const access = { algorithm: accessTokenAlgorithm(deps, client, resources), claims };
  if (!scopes.includes("openid")) {
    const accessToken = await signProviderToken(deps, family.userId, { ...access, kind: "oauth_access" });
    return { accessToken, records: [] };
  }
  const ofUser = await readIdTokenClaims(deps, client, family, scopes);
  // The protocol claims come last: no claim of a user may replace a protocol claim.
  const mapped = await mapIdClaims(deps, issue, { ...ofUser, ...idClaims(deps, issue, claims) });
  const id = { algorithm: client.idTokenSignedResponseAlg, claims: mapped.claims };
  return { ...(await signProviderPair(deps, family.userId, access, id)), records: mapped.records };
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
    ...(isPersonalOrganization(family) ? {} : { org: family.organizationId }),
    acr: tokenAcr(deps, client, resources, family),
    auth_time: unixSeconds(family.authTime),
    ...confirmationOf(thumbprint),
  };
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
