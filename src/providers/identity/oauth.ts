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

/** Calls go through `callProvider`. Plain http is allowed only if the configured URL is http. */
export function callOptions(base: string) {
  return {
    [oauth.customFetch]: (url: string, init: unknown) => callProvider(url, init as RequestInit),
    [oauth.allowInsecureRequests]: base.startsWith("http:"),
  };
}

export function clientOf({ clientId }: ClientSettings): oauth.Client {
  return { client_id: clientId, [oauth.clockTolerance]: IDENTITY_CLOCK_TOLERANCE_SECONDS };
}

/** The authorization request (RFC 6749, section 4.1.1) with PKCE by S256 (RFC 7636). */
export async function authorizationUrl(
  endpoint: string,
  { clientId, redirectUri }: Pick<ClientSettings, "clientId" | "redirectUri">,
  { state, codeVerifier }: Exchange,
  parameters: Readonly<Record<string, string>>,
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
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
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
  exchange: Exchange,
  authenticate: oauth.ClientAuth,
  options: ReturnType<typeof callOptions>,
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
