/** The token request and the verification of the response (docs/contract.md, section 29.11). */
import * as oauth from "oauth4webapi";
import { isAbsent } from "../../base/absent.ts";
import { parseJsonObject } from "../../vocabulary/json-object.ts";
import { type Claims, verifyTokenResponse } from "../identity/id-token.ts";
import type { Exchange } from "../identity/identity-provider.ts";
import { clientSecretBasic, isInvalidClient } from "../identity/oauth.ts";
import type { Metadata } from "../identity/read-metadata.ts";
import { type OpenidReason, step } from "./openid-failure.ts";
import { type ClientCredential, callOptions, clientOf, type OpenidPartyOptions } from "./openid-options.ts";

/** Claims under a verified signature, or from the userinfo endpoint for the subject of the ID token. */
export interface VerifiedClaims {
  readonly idToken: Claims;
  /** The claims to which the mapping of the connection applies. */
  readonly mapped: Claims;
  /** Whether the claims of the userinfo endpoint are included. */
  readonly usesUserinfo: boolean;
}

export type RedeemCode = (
  server: Metadata,
  callback: URLSearchParams,
  exchange: Exchange,
  maxAge: number | undefined,
) => Promise<VerifiedClaims>;

/** A code exchange with the keys of the identity provider cached: one refresh a minute for an unknown key id. */
export function codeExchange(options: OpenidPartyOptions): RedeemCode {
  const calls = { ...callOptions(options), [oauth.jwksCache]: {} as oauth.JWKSCacheInput };
  const client = clientOf(options);
  return async (server, callback, exchange, maxAge) => {
    const code = await step(
      "issuer",
      () => oauth.validateAuthResponse(server, client, callback, exchange.state),
      (error) => (error instanceof oauth.AuthorizationResponseError ? "provider_error" : "issuer"),
    );
    const response = await step("token_request", () => requestTokens(options, server, code, exchange));
    const { clock, clockSkewSeconds: skewSeconds } = options;
    const expected = { nonce: exchange.nonce, maxAge, clock, skewSeconds, calls };
    const verify = () => verifyTokenResponse(server, client, response, expected);
    const { tokens, claims } = await step("id_token", verify, reasonOfTokens);
    const fromUserinfo = options.claimsFrom === "userinfo";
    const isComplete = options.requiredClaims.every((name) => !isAbsent(claims[name]));
    if (!fromUserinfo && (isComplete || !server.userinfo_endpoint)) {
      return { idToken: claims, mapped: claims, usesUserinfo: false };
    }
    const userinfo = await step("userinfo", () => readUserinfo(client, server, tokens, claims, calls));
    const mapped = fromUserinfo ? withPresent(claims, userinfo) : withPresent(userinfo, claims);
    return { idToken: claims, mapped, usesUserinfo: true };
  };
}

/** Claims of two sources. A claim without a value in the preferred source hides no claim of the other source. */
function withPresent(other: Claims, preferred: Claims): Claims {
  const present = Object.entries(preferred).filter(([name, value]) => !isAbsent(value) || !Object.hasOwn(other, name));
  return { ...other, ...Object.fromEntries(present) };
}

type Calls = ReturnType<typeof callOptions> & { readonly [oauth.jwksCache]: oauth.JWKSCacheInput };

/**
 * The token request. With a client secret, the authentications that the metadata names are tried in turn: a provider
 * accepts only the method that the client was registered with, and refuses the other before the code is read.
 */
async function requestTokens(
  options: OpenidPartyOptions,
  server: Metadata,
  code: URLSearchParams,
  { codeVerifier }: Exchange,
): Promise<Response> {
  const [client, calls] = [clientOf(options), callOptions(options)];
  const [first, second] = authentications(await options.credential(), server);
  const request = (authenticate: oauth.ClientAuth) =>
    oauth.authorizationCodeGrantRequest(server, client, authenticate, code, options.redirectUri, codeVerifier, calls);
  const response = await request(first);
  if (!second || !(await refusesClient(server, client, response))) return await withoutNulls(response);
  return await withoutNulls(await request(second));
}

/** The token response without members that are null: some providers write an absent member so. */
async function withoutNulls(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  return new Response(presentMembers(text) ?? text, { status, headers });
}

function presentMembers(text: string): string | undefined {
  const parsed = parseJsonObject(text);
  return parsed && JSON.stringify(Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null)));
}

async function refusesClient(server: Metadata, client: oauth.Client, response: Response): Promise<boolean> {
  if (response.status !== 400 && response.status !== 401) return false;
  const reading = oauth.processAuthorizationCodeResponse(server, client, response.clone());
  return await reading.then(() => false, isInvalidClient);
}

/** RFC 6749, section 2.3.1; OpenID Connect Core, section 9. Without metadata, `client_secret_basic` is the default. */
function authentications(credential: ClientCredential, server: Metadata): [oauth.ClientAuth, ...oauth.ClientAuth[]] {
  if (credential.kind === "private_key") return [oauth.PrivateKeyJwt({ key: credential.key, kid: credential.kid })];
  const [basic, post] = [clientSecretBasic(credential.secret), oauth.ClientSecretPost(credential.secret)];
  const named = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  if (!named.includes("client_secret_basic")) return [post];
  return named.includes("client_secret_post") ? [basic, post] : [basic];
}

const NO_TOKEN_RESPONSE: readonly unknown[] = [oauth.RESPONSE_IS_NOT_CONFORM, oauth.RESPONSE_IS_NOT_JSON];

/** The reason of a refused token response, by the claim at fault. */
function reasonOfTokens(error: unknown): OpenidReason {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError) {
    return "token_request";
  }
  if (error instanceof oauth.OperationProcessingError && NO_TOKEN_RESPONSE.includes(error.code)) return "token_request";
  const isFromLibrary =
    error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError;
  const cause = isFromLibrary ? error.cause : undefined;
  if (hasNoBearerToken(cause)) return "token_request";
  const claim = claimAtFault(cause);
  if (claim === "nonce") return "nonce";
  return claim === "iss" ? "issuer" : "id_token";
}

/** Whether the response at fault has no Bearer token: `cause` of the library is the response, or the claims. */
function hasNoBearerToken(cause: unknown): boolean {
  if (typeof cause !== "object" || cause === null || !("body" in cause)) return false;
  const { access_token: token, token_type: type } = cause.body as Claims;
  return typeof token !== "string" || type !== "bearer";
}

/** The claim with a wrong value, or a required claim that is missing. */
function claimAtFault(cause: unknown): unknown {
  if (typeof cause !== "object" || cause === null) return undefined;
  if ("claim" in cause) return cause.claim;
  const claims = "claims" in cause ? cause.claims : undefined;
  if (typeof claims !== "object" || claims === null) return undefined;
  return ["iss", "nonce"].find((name) => !(name in claims));
}

async function readUserinfo(
  client: oauth.Client,
  server: Metadata,
  tokens: oauth.TokenEndpointResponse,
  { sub }: Claims,
  calls: Calls,
): Promise<Claims> {
  const response = await oauth.userInfoRequest(server, client, tokens.access_token, calls);
  const isSigned = response.headers.get("content-type")?.startsWith("application/jwt") ?? false;
  const claims = await oauth.processUserInfoResponse(server, client, String(sub), response);
  if (isSigned) await oauth.validateApplicationLevelSignature(server, response, calls);
  return claims;
}
