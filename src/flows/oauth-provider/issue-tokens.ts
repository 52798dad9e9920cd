import { unixSeconds } from "../../base/clock.ts";
import type { Deps } from "../../deps.ts";
import { firstSecondOfOwnTokens, type OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import { makeRefreshToken } from "../../models/oauth-grant/refresh-token.ts";
import type { TokenFamily } from "../../models/oauth-grant/token-family.ts";
import {
  accessTokenHash,
  audienceOf,
  authenticationMethods,
  type IdClaims,
  type ProviderAccessClaims,
} from "../../models/token/provider-claims.ts";
import { signProviderToken } from "../steps/tokens/sign-provider-token.ts";
import { accessTokenAlgorithm } from "./requested.ts";
import { readIdTokenClaims } from "./scope-claims.ts";

export type IssueProviderTokensDeps = Pick<
  Deps,
  "config" | "database" | "keyRing" | "oauthResources" | "signing" | "codeKey"
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

/**
 * Signs the tokens of a family as of the last rotation. All claims of the access token come from the row and the
 * client, so an unchanged row gives equal tokens, as the two-tab grace requires: identical tokens with RS256 and EdDSA,
 * tokens with a different signature with ES256, which is not deterministic. Only the claims of the user in the ID token
 * are as of now.
 */
export async function issueFamilyTokens(deps: IssueProviderTokensDeps, issue: FamilyTokens): Promise<IssuedTokens> {
  const { family, client, scopes } = issue;
  const access = accessClaims(deps, issue);
  const [accessToken, ofUser] = await Promise.all([
    signProviderToken(deps, family.userId, {
      kind: "oauth_access",
      algorithm: accessTokenAlgorithm(deps, issue.resources),
      claims: access,
    }),
    readIdTokenClaims(deps, client, family, scopes),
  ]);
  // The protocol claims come last: no claim of a user may replace a protocol claim.
  const claims = { ...ofUser, ...idClaims(deps, issue, access, accessToken) };
  const algorithm = client.idTokenSignedResponseAlg;
  const idToken = scopes.includes("openid")
    ? { idToken: await signProviderToken(deps, family.userId, { kind: "id", algorithm, claims }) }
    : {};
  const refreshToken = client.grantTypes.includes("refresh_token")
    ? { refreshToken: makeRefreshToken(deps.codeKey, { familyId: family.id, jti: family.refreshJti }) }
    : {};
  const expiresInSeconds = access.exp - access.iat;
  const tokenType = tokenTypeOf(issue.thumbprint);
  return { accessToken, tokenType, expiresInSeconds, scope: scopes.join(" "), ...refreshToken, ...idToken };
}

function accessClaims(
  { config }: IssueProviderTokensDeps,
  { family, scopes, resources, thumbprint }: FamilyTokens,
): ProviderAccessClaims {
  const issuer = config.urls.publicBaseUrl;
  return {
    iss: issuer,
    typ: "oauth_access",
    sub: family.subject,
    aud: audienceOf(issuer, resources, scopes),
    client_id: family.clientId,
    scope: scopes.join(" "),
    sid: family.id,
    jti: family.accessJti,
    iat: unixSeconds(family.rotatedAt),
    exp: unixSeconds(family.accessExpiresAt),
    org: family.organizationId,
    acr: family.aal,
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
  { config }: IssueProviderTokensDeps,
  { family, client, withNonce }: FamilyTokens,
  access: ProviderAccessClaims,
  accessToken: string,
): IdClaims {
  return {
    iss: config.urls.publicBaseUrl,
    sub: family.subject,
    aud: family.clientId,
    sid: family.id,
    iat: access.iat,
    exp: access.exp,
    auth_time: unixSeconds(family.authTime),
    acr: family.aal,
    amr: authenticationMethods(family.authMethod, family.aal),
    ...(withNonce && family.nonce !== null ? { nonce: family.nonce } : {}),
    at_hash: accessTokenHash(accessToken, client.idTokenSignedResponseAlg),
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
  const expiresInSeconds = deps.config.tokens.accessExpirySeconds;
  const scope = scopes.join(" ");
  const aud = audienceOf(issuer, resources, scopes);
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
  const algorithm = accessTokenAlgorithm(deps, resources);
  const accessToken = await signProviderToken(deps, client.id, { kind: "oauth_access", algorithm, claims });
  return { accessToken, tokenType: tokenTypeOf(thumbprint), expiresInSeconds, scope };
}
