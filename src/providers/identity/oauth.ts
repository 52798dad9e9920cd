import * as oauth from "oauth4webapi";
import { ok, type Result } from "../../base/result.ts";
import { IDENTITY_CLOCK_TOLERANCE_SECONDS } from "../../limits/provider-limits.ts";
import {
  type ClientSettings,
  callProvider,
  type Exchange,
  type Identity,
  type IdentityFailure,
  type IdentityProvider,
  Unreachable,
} from "./identity-provider.ts";

/** Parameters of oauth4webapi: the metadata of the provider (RFC 8414) and the registration of this service. */
export interface Party {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
}

/** Options of calls of the library. */
export interface ProviderCalls {
  readonly [oauth.customFetch]: (url: string, init: unknown) => Promise<Response>;
  readonly [oauth.allowInsecureRequests]: boolean;
}

/** Calls go through `callProvider`. Plain http is allowed only if the configured URL is http. */
export function callOptions(base: string): ProviderCalls {
  return {
    [oauth.customFetch]: (url: string, init: unknown) => callProvider(url, init as RequestInit),
    [oauth.allowInsecureRequests]: base.startsWith("http:"),
  };
}

export function clientOf({ clientId }: ClientSettings): oauth.Client {
  return { client_id: clientId, [oauth.clockTolerance]: IDENTITY_CLOCK_TOLERANCE_SECONDS };
}

/**
 * RFC 6749, section 2.3.1. The library also encodes `-`, `_` and `.`, which identity providers without the decoding of
 * the RFC refuse: most client ids have a hyphen, and no client id needs the encoding.
 */
export function clientSecretBasic(secret: string): oauth.ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    const credentials = [id, secret].map((text) => new URLSearchParams([["", text]]).toString().slice(1)).join(":");
    headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
  };
}

/**
 * The authorization request (RFC 6749, section 4.1.1) with PKCE by S256 (RFC 7636). A parameter of `parameters`
 * replaces a parameter of the protocol; undefined removes the parameter.
 */
export async function authorizationUrl(
  endpoint: string,
  { clientId, redirectUri }: Pick<ClientSettings, "clientId" | "redirectUri">,
  { state, codeVerifier }: Exchange,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<URL> {
  const url = new URL(endpoint);
  const all = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    ...parameters,
  };
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

/**
 * Redeems the code (RFC 6749, section 4.1.3). Validates the parameters first: `state`, the provider's error, and `iss`
 * against mix-up attacks (RFC 9207).
 */
export async function redeem(
  { server, client }: Party,
  { redirectUri }: ClientSettings,
  callback: URLSearchParams,
  exchange: { readonly state: string; readonly codeVerifier: string | typeof oauth.nopkce },
  authenticate: oauth.ClientAuth,
  options: ProviderCalls,
): Promise<Response> {
  const parameters = oauth.validateAuthResponse(server, client, callback, exchange.state);
  const { codeVerifier } = exchange;
  return await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authenticate,
    parameters,
    redirectUri,
    codeVerifier,
    options,
  );
}

export interface ApiProviderOptions {
  readonly client: ClientSettings;
  /** Substitute for the issuer, absent from the provider's responses. */
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly scope: string;
  /** Reads the user of an access token from the provider's API. */
  readonly readIdentity: (accessToken: string) => Promise<Identity>;
}

/** A provider without OpenID Connect: its API replaces the ID token. */
export function apiProvider(options: ApiProviderOptions): IdentityProvider {
  const { client: settings, issuer, scope } = options;
  const server = { issuer, token_endpoint: options.tokenEndpoint };
  const client = clientOf(settings);
  const calls = callOptions(options.tokenEndpoint);
  return {
    authorizationUrl: (exchange) =>
      resultOf(() => authorizationUrl(options.authorizationEndpoint, settings, exchange, { scope })),
    identify: (callback, exchange) =>
      resultOf(async () => {
        const authenticate = oauth.ClientSecretPost(settings.clientSecret);
        const response = await redeem({ server, client }, settings, callback, exchange, authenticate, calls);
        const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, response);
        return await options.readIdentity(token);
      }),
  };
}

/** Whether the provider refused this client authentication (RFC 6749, section 5.2). */
export function isInvalidClient(error: unknown): boolean {
  if (error instanceof oauth.ResponseBodyError) return error.error === "invalid_client";
  return error instanceof oauth.WWWAuthenticateChallengeError;
}

/** Converts exceptions of the library to failures. The library's messages name claims and endpoints, never tokens. */
export async function resultOf<T>(work: () => Promise<T>): Promise<Result<T, IdentityFailure>> {
  try {
    return ok(await work());
  } catch (error) {
    const cause = error instanceof Error ? error.message : "unknown";
    if (error instanceof oauth.AuthorizationResponseError)
      return failure("denied", `the provider returned the error ${error.error}`);
    if (error instanceof Unreachable) return failure("unavailable", cause);
    if (error instanceof oauth.ResponseBodyError)
      return failure("not_accepted", `the provider returned the error ${error.error}`);
    return failure("not_accepted", cause);
  }
}

function failure(kind: IdentityFailure["kind"], cause: string): Result<never, IdentityFailure> {
  return { ok: false, error: { kind, cause } };
}
