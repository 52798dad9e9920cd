import { unixSeconds } from "../../base/clock.ts";
import type { Deps } from "../../deps.ts";
import { firstSecondOfOwnTokens, type OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import { makeRefreshToken } from "../../models/oauth-grant/refresh-token.ts";
import type { TokenFamily } from "../../models/oauth-grant/token-family.ts";
import { encodeProviderHeader } from "../../models/token/compact.ts";
import {
  accessTokenHash,
  audienceOf,
  authenticationMethods,
  type IdClaims,
  type ProviderAccessClaims,
} from "../../models/token/provider-claims.ts";
import { signRs256 } from "../steps/tokens/issue-session-tokens.ts";
import { readIdTokenClaims } from "./scope-claims.ts";

export type IssueProviderTokensDeps = Pick<Deps, "config" | "database" | "keyRing" | "signing" | "codeKey">;

/** RFC 6749, section 5.1, and OpenID Connect Core, section 3.1.3.3. */
export interface IssuedTokens {
  readonly accessToken: string;
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
}

/**
 * Signs the tokens of a family as of the last rotation. All claims of the access token come from the row and the
 * client, and RS256 is deterministic, so an unchanged row gives identical tokens, as the two-tab grace requires. Only
 * the claims of the user in the ID token are as of now.
 */
export async function issueFamilyTokens(deps: IssueProviderTokensDeps, issue: FamilyTokens): Promise<IssuedTokens> {
  const { family, client, scopes } = issue;
  const access = accessClaims(deps, issue);
  const [accessToken, ofUser] = await Promise.all([
    sign(deps, family.userId, "oauth_access", access),
    readIdTokenClaims(deps, client, family, scopes),
  ]);
  // The protocol claims come last: no claim of a user may replace a protocol claim.
  const ofToken = idClaims(deps, issue, access, accessToken);
  const idToken = scopes.includes("openid")
    ? { idToken: await sign(deps, family.userId, "id", { ...ofUser, ...ofToken }) }
    : {};
  const refreshToken = client.grantTypes.includes("refresh_token")
    ? { refreshToken: makeRefreshToken(deps.codeKey, { familyId: family.id, jti: family.refreshJti }) }
    : {};
  const expiresInSeconds = access.exp - access.iat;
  return { accessToken, expiresInSeconds, scope: scopes.join(" "), ...refreshToken, ...idToken };
}

function accessClaims(
  { config }: IssueProviderTokensDeps,
  { family, scopes, resources }: FamilyTokens,
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
  };
}

function idClaims(
  { config }: IssueProviderTokensDeps,
  { family, withNonce }: FamilyTokens,
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
    at_hash: accessTokenHash(accessToken),
  };
}

/** A client's own access token (RFC 6749, section 4.4): of no user, no session and no family. */
export async function issueClientToken(
  deps: IssueProviderTokensDeps & Pick<Deps, "clock" | "random">,
  client: OAuthClient,
  scopes: readonly string[],
  resources: readonly string[],
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
  };
  return { accessToken: await sign(deps, client.id, "oauth_access", claims), expiresInSeconds, scope };
}

async function sign(
  deps: IssueProviderTokensDeps,
  fairnessKey: string,
  kind: "oauth_access" | "id",
  claims: object,
): Promise<string> {
  return await signRs256(deps, fairnessKey, claims, ({ kid }) => encodeProviderHeader(kind, kid));
}
