import { decodeJwt } from "jose";
import * as oauth from "oauth4webapi";
import type { Clock } from "../../base/clock.ts";
import { IDENTITY_CLOCK_TOLERANCE_SECONDS, IDENTITY_DISCOVERY_MAX_AGE_MS } from "../../limits/provider-limits.ts";
import { type Claims, verifyTokenResponse } from "./id-token.ts";
import {
  type ClientSettings,
  callProvider,
  type Exchange,
  type Identity,
  type IdentityProvider,
  subjectOf,
  textOf,
} from "./identity-provider.ts";
import { authorizationUrl, callOptions, clientOf, isInvalidClient, redeem, resultOf } from "./oauth.ts";

export interface OpenidOptions {
  readonly client: ClientSettings;
  readonly clock: Clock;
  /** The first authority with metadata is used (OpenID Connect Discovery, section 4). */
  readonly authorities: readonly Authority[];
  readonly scope: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Client authentications (RFC 6749, section 2.3.1); the next authentication is tried after `invalid_client`. */
  readonly authentications: readonly (() => Promise<oauth.ClientAuth>)[];
  /**
   * The required issuer of an ID token with these claims; undefined: the issuer of the metadata. Throws for forbidden
   * claims.
   */
  readonly issuerOf?: (claims: Claims, metadataIssuer: string) => string;
  /** Whether the claims beside an address assert the verification of the address. */
  readonly emailVerified: (claims: Claims) => boolean;
}

/** Both objects have an identical subject. */
interface VerifiedClaims {
  readonly idToken: Claims;
  /** Claims of the userinfo endpoint, read only if the ID token has no address. */
  readonly userinfo: Claims;
}

export interface Authority {
  /** Base URL of the metadata. */
  readonly address: string;
  /** Permitted issuers in addition to the URL. */
  readonly issuers: readonly string[];
}

interface Metadata {
  readonly server: oauth.AuthorizationServer;
  readonly readAt: number;
}

/** A provider of OpenID Connect: code flow with PKCE and nonce; the ID token is verified including the signature. */
export function openidProvider(options: OpenidOptions): IdentityProvider {
  const { client: settings, scope, parameters } = options;
  const metadata = cachedMetadata(options);
  const exchangeCode = codeExchange(options);
  return {
    authorizationUrl: (exchange) =>
      resultOf(async () => {
        const server = await metadata();
        if (!server.authorization_endpoint) throw new Error("the provider names no authorization endpoint");
        const all = { scope, nonce: exchange.nonce, ...parameters };
        return await authorizationUrl(server.authorization_endpoint, settings, exchange, all);
      }),
    identify: (callback, exchange) =>
      resultOf(async () => identityOf(options, await exchangeCode(callback, exchange, await metadata()))),
  };
}

/**
 * Reads the metadata on demand and keeps the metadata for `IDENTITY_DISCOVERY_MAX_AGE_MS`. Concurrent calls share one
 * read.
 */
function cachedMetadata({ authorities, clock }: OpenidOptions): () => Promise<oauth.AuthorizationServer> {
  let cached: Promise<Metadata> | undefined;

  async function read(): Promise<Metadata> {
    return { server: await discover(authorities), readAt: clock.now() };
  }

  return async () => {
    const current = await cached;
    if (current && clock.now() - current.readAt < IDENTITY_DISCOVERY_MAX_AGE_MS) return current.server;
    const reading = read();
    cached = reading;
    reading.catch(() => {
      cached = undefined;
    });
    return (await reading).server;
  };
}

type ExchangeCode = (
  callback: URLSearchParams,
  exchange: Exchange,
  server: oauth.AuthorizationServer,
) => Promise<VerifiedClaims>;

/**
 * Redeems codes with the authentication that the provider accepted last, or with the next authentication after a
 * refusal.
 */
function codeExchange(options: OpenidOptions): ExchangeCode {
  const { client: settings, authentications } = options;
  const calls = callOptions(options.authorities[0]?.address ?? "");
  const client = clientOf(settings);
  const jwks: oauth.JWKSCacheInput = {};
  let accepted = 0;
  return async (callback, exchange, server) => {
    for (let tried = 0; ; tried += 1) {
      const index = (accepted + tried) % authentications.length;
      const authenticate = await authentications[index]?.();
      if (!authenticate) throw new Error("no client authentication is configured");
      try {
        const response = await redeem({ server, client }, settings, callback, exchange, authenticate, calls);
        const claims = await verifyTokens({ options, client, calls, jwks }, response, exchange, server);
        accepted = index;
        return claims;
      } catch (error) {
        if (!isInvalidClient(error) || tried + 1 >= authentications.length) throw error;
      }
    }
  };
}

interface Verification {
  readonly options: OpenidOptions;
  readonly client: oauth.Client;
  readonly calls: ReturnType<typeof callOptions>;
  readonly jwks: oauth.JWKSCacheInput;
}

async function verifyTokens(
  verification: Verification,
  response: Response,
  exchange: Exchange,
  metadataServer: oauth.AuthorizationServer,
): Promise<VerifiedClaims> {
  const { options, client, calls, jwks } = verification;
  const server = await withIssuerOfToken(options, response, metadataServer);
  const { tokens, claims } = await verifyTokenResponse(server, client, response, {
    nonce: exchange.nonce,
    clock: options.clock,
    skewSeconds: IDENTITY_CLOCK_TOLERANCE_SECONDS,
    calls: { ...calls, [oauth.jwksCache]: jwks },
  });
  const hasEmail = claims.email !== undefined;
  const userinfo = hasEmail ? {} : await readUserinfo(verification, tokens, String(claims.sub), metadataServer);
  return { idToken: claims, userinfo };
}

/** In the code flow a provider may return claims only from its userinfo endpoint (OpenID Connect Core, section 5.4). */
async function readUserinfo(
  { client, calls }: Verification,
  { access_token }: oauth.TokenEndpointResponse,
  subject: string,
  server: oauth.AuthorizationServer,
): Promise<Claims> {
  if (!server.userinfo_endpoint) return {};
  const response = await oauth.userInfoRequest(server, client, access_token, calls);
  return await oauth.processUserInfoResponse(server, client, subject, response);
}

/** Reads the metadata of the first authority with metadata. */
async function discover(authorities: readonly Authority[]): Promise<oauth.AuthorizationServer> {
  for (const [index, { address, issuers }] of authorities.entries()) {
    const url = `${address}/.well-known/openid-configuration`;
    const response = await callProvider(url, { headers: { accept: "application/json" } });
    if (response.status === 404 && index + 1 < authorities.length) continue;
    if (response.status !== 200) throw new Error(`the provider's metadata returned status ${response.status}`);
    const { issuer: named } = (await response.clone().json()) as { issuer?: unknown };
    const expected = issuers.find((issuer) => issuer === named) ?? address;
    return await oauth.processDiscoveryResponse(new URL(expected), response);
  }
  throw new Error("no authority is configured");
}

/**
 * The expected issuer of a multi-tenant provider depends on the tenant of the token, which is not verified yet here.
 */
async function withIssuerOfToken(
  { issuerOf }: OpenidOptions,
  response: Response,
  server: oauth.AuthorizationServer,
): Promise<oauth.AuthorizationServer> {
  if (!issuerOf || response.status !== 200) return server;
  const { id_token } = (await response.clone().json()) as { id_token?: unknown };
  if (typeof id_token !== "string") return server;
  return { ...server, issuer: issuerOf(decodeJwt(id_token), server.issuer) };
}

function identityOf({ emailVerified }: OpenidOptions, { idToken, userinfo }: VerifiedClaims): Identity {
  const claimsOfAddress = idToken.email === undefined ? userinfo : idToken;
  return {
    issuer: String(idToken.iss),
    subject: subjectOf(idToken.sub),
    email: textOf(claimsOfAddress.email),
    // An ID token without the address cannot verify the address of userinfo, but can deny the verification.
    emailVerified: emailVerified(claimsOfAddress) && emailVerified({ ...claimsOfAddress, ...idToken }),
    name: textOf(idToken.name ?? userinfo.name),
  };
}
