/** A provider by configuration: OpenID Connect or OAuth 2.0 (docs/contract.md, section 16.8). */
import * as oauth from "oauth4webapi";
import type { Clock } from "../../base/clock.ts";
import { IDENTITY_CLOCK_TOLERANCE_SECONDS, IDENTITY_DISCOVERY_MAX_AGE_MS } from "../../limits/provider-limits.ts";
import { issuerOfEpoch, type SocialProviderConfig } from "../../vocabulary/social-provider-config.ts";
import type { GuardedFetch } from "../guarded-fetch.ts";
import { addressAt, subjectAt, valueAt } from "./claim-pointers.ts";
import { boundedCalls, configuredCalls, readResource, usedMembers } from "./configured-calls.ts";
import { type Claims, verifyTokenResponse } from "./id-token.ts";
import { type Exchange, type Identity, type IdentityProvider, textOf } from "./identity-provider.ts";
import { authorizationUrl, clientOf, clientSecretBasic, type ProviderCalls, redeem, resultOf } from "./oauth.ts";
import { particularsOf } from "./particulars.ts";
import type { Particulars } from "./presets/particular.ts";
import { type Metadata, readMetadata } from "./read-metadata.ts";

export interface ConfiguredSettings {
  readonly provider: string;
  readonly config: SocialProviderConfig;
  readonly secret: string | undefined;
  /** Identities of former epochs name other users (`social_providers.identity_epoch`). */
  readonly identityEpoch: number;
}

export interface ConfiguredProviderOptions extends ConfiguredSettings {
  readonly redirectUri: string;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
}

interface Provider extends ConfiguredProviderOptions {
  readonly calls: ProviderCalls;
  readonly particulars: Particulars;
  readonly jwks: oauth.JWKSCacheInput;
}

/** The endpoints, as the settings name them, else from discovery. Rejects while discovery fails. */
type ReadServer = () => Promise<Metadata>;

export function configuredProvider(options: ConfiguredProviderOptions): IdentityProvider {
  const { config, fetch } = options;
  const base = config.issuer ?? config.userinfo_endpoint ?? "";
  const particulars = particularsOf(config.preset);
  const provider: Provider = { ...options, calls: configuredCalls(fetch, base), particulars, jwks: {} };
  const server = serverReader(provider);
  const bounded = boundedCalls();
  return {
    refusesSignUp: !config.sign_up,
    // All requests share one read of the metadata.
    authorizationUrl: (exchange) => resultOf(async () => await requestUrl(provider, await server(), exchange)),
    identify: (callback, exchange) =>
      resultOf(() => bounded(async () => await identify(provider, await server(), callback, exchange))),
  };
}

function serverReader(provider: Provider): ReadServer {
  const given = givenServer(provider.config);
  if (given) return async () => given;
  const { issuer } = provider.config;
  const { clock, calls } = provider;
  let cached: { readonly server: Metadata; readonly readAt: number } | undefined;
  let reading: Promise<Metadata> | undefined;
  return async () => {
    if (cached && clock.monotonic() - cached.readAt < IDENTITY_DISCOVERY_MAX_AGE_MS) return cached.server;
    reading ??= readMetadata(issuer ?? "", calls[oauth.customFetch]).finally(() => {
      reading = undefined;
    });
    const server = { ...(await reading), ...givenEndpoints(provider.config) };
    cached = { server, readAt: clock.monotonic() };
    return server;
  };
}

const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] as const;

function givenEndpoints(config: SocialProviderConfig): Partial<oauth.AuthorizationServer> {
  return Object.fromEntries(ENDPOINTS.flatMap((name) => (config[name] === null ? [] : [[name, config[name]]])));
}

/** Undefined: the settings leave endpoints to discovery. */
function givenServer(config: SocialProviderConfig): Metadata | undefined {
  const { protocol, issuer, userinfo_endpoint: userinfo } = config;
  const { authorization_endpoint: authorization, token_endpoint: token, jwks_uri: keys } = config;
  if (authorization === null || token === null || (protocol === "oidc" && keys === null)) return undefined;
  const name = protocol === "oidc" ? issuer : (issuer ?? new URL(userinfo ?? token).origin);
  return { ...givenEndpoints(config), issuer: name ?? "", authorization_endpoint: authorization };
}

async function requestUrl(provider: Provider, server: Metadata, exchange: Exchange): Promise<URL> {
  const { config, particulars } = provider;
  const parameters = { ...config.authorization_parameters, ...particulars.authorizationParameters };
  const endpoint = new URL(server.authorization_endpoint);
  // Set first: a parameter of the protocol replaces a parameter of the settings.
  for (const [name, value] of Object.entries(parameters)) endpoint.searchParams.set(name, value);
  return await authorizationUrl(endpoint.href, clientSettings(provider), exchange, {
    scope: config.scopes.length > 0 ? config.scopes.join(" ") : undefined,
    nonce: sendsNonce(config) ? exchange.nonce : undefined,
    ...(config.response_mode === "form_post" ? { response_mode: "form_post" } : {}),
    ...(config.pkce === "off" ? { code_challenge: undefined, code_challenge_method: undefined } : {}),
  });
}

function sendsNonce({ protocol, nonce }: SocialProviderConfig): boolean {
  return protocol === "oidc" && nonce;
}

function clientSettings({ config, secret, redirectUri }: Provider) {
  return { clientId: config.client_id ?? "", clientSecret: secret ?? "", redirectUri };
}

function authentication({ config, secret = "" }: Provider): oauth.ClientAuth {
  switch (config.token_auth) {
    case "client_secret_basic":
      return clientSecretBasic(secret);
    case "client_secret_post":
      return oauth.ClientSecretPost(secret);
    case "none":
      return oauth.None();
  }
}

async function identify(
  provider: Provider,
  server: Metadata,
  callback: URLSearchParams,
  exchange: Exchange,
): Promise<Identity> {
  const { config, calls } = provider;
  const settings = clientSettings(provider);
  const party = { server, client: clientOf(settings) };
  const proof = config.pkce === "off" ? ({ state: exchange.state, codeVerifier: oauth.nopkce } as const) : exchange;
  const parameters = config.protocol === "oauth2" ? withoutIssuer(config, callback) : callback;
  const redeemed = await redeem(party, settings, parameters, proof, authentication(provider), calls);
  const response = await usedMembers(redeemed, config.protocol === "oidc");
  const claims =
    config.protocol === "oidc"
      ? await openidClaims(provider, party, response, exchange)
      : await apiClaims(provider, party, response);
  return identityOf(provider, server.issuer, claims);
}

/**
 * OAuth 2.0 without the name of an issuer: a redirect URI of the provider alone prevents mix-up (RFC 9700, section
 * 4.4.2), and a provider may send `iss` (RFC 9207) that no setting names.
 */
function withoutIssuer({ issuer }: SocialProviderConfig, callback: URLSearchParams): URLSearchParams {
  if (issuer !== null) return callback;
  const parameters = new URLSearchParams(callback);
  parameters.delete("iss");
  return parameters;
}

interface Party {
  readonly server: Metadata;
  readonly client: oauth.Client;
}

/** The claims of the mapping, and the ID token, which can deny the verification of an address; `{}`: none. */
interface ReadClaims {
  readonly mapped: Claims;
  readonly idToken: Claims;
}

async function openidClaims(
  provider: Provider,
  { server, client }: Party,
  response: Response,
  exchange: Exchange,
): Promise<ReadClaims> {
  const { config, particulars, calls, clock, secret, jwks } = provider;
  const { tokens, claims } = await verifyTokenResponse(server, client, response, {
    nonce: sendsNonce(config) ? exchange.nonce : undefined,
    clock,
    skewSeconds: IDENTITY_CLOCK_TOLERANCE_SECONDS,
    signingSecret: particulars.signsBySecret ? secret : undefined,
    calls: { ...calls, [oauth.jwksCache]: jwks },
  });
  const isComplete = valueAt(claims, config.email_from) !== undefined;
  if (config.claims_from === "id_token" && (isComplete || !server.userinfo_endpoint)) {
    return { mapped: await converted(provider, claims, tokens.access_token), idToken: claims };
  }
  const userinfo = await userinfoOf(provider, server, tokens.access_token);
  // OpenID Connect Core, section 5.3.2: a response for another subject must not be used.
  if (userinfo.sub !== claims.sub) throw new Error("the userinfo endpoint names another subject");
  return { mapped: userinfo, idToken: claims };
}

async function apiClaims(provider: Provider, { server, client }: Party, response: Response): Promise<ReadClaims> {
  const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, response);
  return { mapped: await userinfoOf(provider, server, token), idToken: {} };
}

async function userinfoOf(provider: Provider, server: Metadata, accessToken: string): Promise<Claims> {
  const { calls, particulars } = provider;
  const { userinfo_endpoint: url } = server;
  if (!url) throw new Error("the provider names no userinfo endpoint");
  const { userinfoByPost: byPost, userinfoHeaders: headers } = particulars;
  return await converted(provider, await readResource(calls, { url, accessToken, byPost, headers }), accessToken);
}

async function converted(
  { particulars, calls, config }: Provider,
  claims: Claims,
  accessToken: string,
): Promise<Claims> {
  if (!particulars.convert) return claims;
  return await particulars.convert(claims, (path) =>
    readResource(calls, { url: `${config.userinfo_endpoint}${path}`, accessToken }),
  );
}

function identityOf({ config, identityEpoch }: Provider, issuer: string, { mapped, idToken }: ReadClaims): Identity {
  // UserInfo may omit an address that the signed ID token has. An empty address is a statement.
  const isOmitted = valueAt(mapped, config.email_from) === undefined;
  const { email, emailVerified } = addressAt(isOmitted ? idToken : mapped, config);
  const isDenied = deniesAddress(idToken, email) || (isOmitted && deniesAddress(mapped, email));
  // Subjects have one source, whether or not UserInfo was read for an address.
  const isFromToken = config.protocol === "oidc" && config.claims_from === "id_token";
  return {
    issuer: issuerOfEpoch(issuer, identityEpoch),
    subject: subjectAt(isFromToken ? idToken : mapped, config.subject_from),
    email,
    emailVerified: emailVerified && !(config.email_trust === "claim" && isDenied),
    name: textOf(valueAt(mapped, config.name_from) ?? valueAt(idToken, config.name_from)),
    claims: mapped,
  };
}

/** Where the ID token and the userinfo endpoint disagree about the address, the address is unverified. */
function deniesAddress(idToken: Claims, email: string | undefined): boolean {
  const { email: named, email_verified: verified } = idToken;
  return verified === false || verified === "false" || (typeof named === "string" && named !== email);
}
