/**
 * The relying party of OpenID Connect for connections of organizations (docs/contract.md, section 29.11): code flow
 * with PKCE, nonce and issuer, one failure reason of a closed set, and every call by checked connections.
 */
import type { Result } from "../../base/result.ts";
import type { Exchange } from "../identity/identity-provider.ts";
import { authorizationUrl } from "../identity/oauth.ts";
import type { Metadata } from "../identity/read-metadata.ts";
import { assertionVerifier, type ExpectedAssertion, type VerifiedAssertion } from "./openid-assertion.ts";
import { type OpenidFailure, resultOfSteps } from "./openid-failure.ts";
import { type LogoutToken, logoutTokenVerifier } from "./openid-logout-token.ts";
import { cachedMetadata } from "./openid-metadata.ts";
import type { OpenidPartyOptions } from "./openid-options.ts";
import { codeExchange, type VerifiedClaims } from "./openid-tokens.ts";

export interface AuthorizationDetails {
  /** From the user, never from a URL of this service. */
  readonly loginHint?: string | undefined;
  /** Seconds: the user authenticates anew if the last authentication is older. */
  readonly maxAge?: number | undefined;
}

export interface OpenidParty {
  /** The authorization request. Never rejects. */
  authorizationUrl(exchange: Exchange, details: AuthorizationDetails): Promise<Result<URL, OpenidFailure>>;
  /** Redeems the code of the callback and verifies the response. Never rejects. */
  redeem(
    callback: URLSearchParams,
    exchange: Exchange,
    details: Pick<AuthorizationDetails, "maxAge">,
  ): Promise<Result<VerifiedClaims, OpenidFailure>>;
  /** Verifies an identity assertion grant for a client of this service. Never rejects. */
  verifyAssertion(assertion: string, expected: ExpectedAssertion): Promise<Result<VerifiedAssertion, OpenidFailure>>;
  /** Verifies a logout token of the identity provider. Never rejects. */
  verifyLogoutToken(token: string): Promise<Result<LogoutToken, OpenidFailure>>;
}

export function openidParty(options: OpenidPartyOptions): OpenidParty {
  const metadata = cachedMetadata(options);
  const redeem = codeExchange(options);
  const verifyLogoutToken = logoutTokenVerifier(options);
  const verifyAssertion = assertionVerifier(options);
  return {
    authorizationUrl: (exchange, details) =>
      resultOfSteps(async () => await requestUrl(options, await metadata(), exchange, details)),
    redeem: (callback, exchange, { maxAge }) =>
      resultOfSteps(async () => await redeem(await metadata(), callback, exchange, maxAge)),
    verifyAssertion: (assertion, expected) =>
      resultOfSteps(async () => await verifyAssertion(await metadata(), assertion, expected)),
    verifyLogoutToken: (token) => resultOfSteps(async () => await verifyLogoutToken(await metadata(), token)),
  };
}

async function requestUrl(
  options: OpenidPartyOptions,
  server: Metadata,
  exchange: Exchange,
  { loginHint, maxAge }: AuthorizationDetails,
): Promise<URL> {
  const endpoint = new URL(server.authorization_endpoint);
  // Set first: a parameter of the protocol replaces a parameter of the connection.
  for (const [name, value] of Object.entries(options.extraParameters)) endpoint.searchParams.set(name, value);
  return await authorizationUrl(endpoint.href, options, exchange, {
    scope: options.scope,
    nonce: exchange.nonce,
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
    ...(maxAge === undefined ? {} : { max_age: String(maxAge), prompt: "login" }),
  });
}
