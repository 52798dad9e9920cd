/** Tokens of token exchanges (RFC 8693; docs/contract.md, section 23.16). */
import { unixSeconds } from "../../../base/clock.ts";
import type { Deps } from "../../../deps.ts";
import { OAUTH_EXCHANGED_TOKEN_SECONDS } from "../../../limits/oauth-limits.ts";
import { clientIdOf, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import type { Actor, ProviderAccessClaims, ResourceClaims } from "../../../models/token/provider-claims.ts";
import { signProviderToken } from "../../steps/tokens/sign-provider-token.ts";
import type { MappedClaims } from "../claims/read-mapped-claims.ts";
import { countOutcomes, fitAccess } from "../claims/token-claims.ts";
import { accessTokenAlgorithm, registeredIdentifiers } from "../request/requested.ts";
import { confirmationOf, tokenTypeOf } from "../request/token-binding.ts";
import type { IssuedTokens, IssueProviderTokensDeps } from "./issue-tokens.ts";

/** RFC 8693, section 3. */
export const ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";

export interface TokenExchange {
  readonly client: OAuthClient;
  /** The claims of the received token. */
  readonly subject: ProviderAccessClaims;
  readonly actor: Actor;
  readonly scopes: readonly string[];
  readonly resource: string;
  /** The claims that the next API lists. */
  readonly ofApi: ResourceClaims;
  /** The claims by the mappings of the next API. */
  readonly mapped: MappedClaims;
  readonly thumbprint: string | undefined;
}

/** An access token for the next API: of the user and the family of the received token, and no longer valid. */
export async function issueExchangedToken(
  deps: IssueProviderTokensDeps & Pick<Deps, "clock" | "random">,
  { client, subject, actor, scopes, resource, ofApi, mapped, thumbprint }: TokenExchange,
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
  const fitted = countOutcomes(deps, fitAccess(deps, algorithm, claims, mapped));
  const access = { kind: "oauth_access", algorithm, claims: fitted.claims } as const;
  const accessToken = await signProviderToken(deps, client.id, access);
  const expiresInSeconds = exp - iat;
  return {
    ...(fitted.records.length === 0 ? {} : { claims: fitted.records }),
    accessToken,
    tokenType: tokenTypeOf(thumbprint),
    expiresInSeconds,
    scope,
    issuedTokenType: ACCESS_TOKEN_TYPE,
  };
}
