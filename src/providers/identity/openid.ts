import { decodeJwt } from "jose";
import * as oauth from "oauth4webapi";
import type { Clock } from "../../base/clock.ts";
import { IDENTITY_DISCOVERY_MAX_AGE_MS } from "../../base/limits.ts";
import {
  type ClientSettings,
  callProvider,
  type Exchange,
  type Identity,
  type IdentityProvider,
  subjectOf,
  textOf,
} from "./identity-provider.ts";
import { authorizationUrl, callOptions, clientOf, failing, isInvalidClient, redeem } from "./oauth.ts";

/** The claims of an ID token that held. */
export type IdClaims = Readonly<Record<string, unknown>>;

export interface OpenidOptions {
  readonly client: ClientSettings;
  readonly clock: Clock;
  /** Whose metadata is used: the first that has any (OpenID Connect Discovery, section 4). */
  readonly authorities: readonly Authority[];
  readonly scope: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Ways to show who we are; the next one is tried when the provider knows no such client (RFC 6749, section 2.3.1). */
  readonly authentications: readonly (() => Promise<oauth.ClientAuth>)[];
  /** The issuer that an ID token with these claims must name; undefined: the one of the metadata. Throws for one that may not enter. */
  readonly issuerOf?: (claims: IdClaims, metadataIssuer: string) => string;
  /** Whether the claims beside an address say that it is verified. */
  readonly emailVerified: (claims: IdClaims) => boolean;
}

/** Who signed in. Both speak of the same subject. */
interface Answered {
  readonly idToken: IdClaims;
  /** Claims of the userinfo endpoint, where the ID token names no address. */
  readonly userinfo: IdClaims;
}

export interface Authority {
  /** Where the metadata is. */
  readonly address: string;
  /** What it may call itself beside that address. */
  readonly issuers: readonly string[];
}

interface Metadata {
  readonly server: oauth.AuthorizationServer;
  readonly readAt: number;
}

/** A provider of OpenID Connect: code flow with PKCE and nonce, the ID token judged whole, its signature included. */
export function openidProvider(options: OpenidOptions): IdentityProvider {
  const { client: settings, clock } = options;
  const calls = callOptions(options.authorities[0]?.address ?? "");
  const client = clientOf(settings);
  const jwks: oauth.JWKSCacheInput = {};
  let known: Promise<Metadata> | undefined;
  /** Index of the authentication that the provider took last. */
  let accepted = 0;

  async function read(): Promise<Metadata> {
    return { server: await discover(options.authorities), readAt: clock.now() };
  }

  async function metadata(): Promise<oauth.AuthorizationServer> {
    const at = await known;
    if (at && clock.now() - at.readAt < IDENTITY_DISCOVERY_MAX_AGE_MS) return at.server;
    const reading = read();
    known = reading;
    reading.catch(() => {
      known = undefined;
    });
    return (await reading).server;
  }

  async function exchangeCode(callback: URLSearchParams, exchange: Exchange, server: oauth.AuthorizationServer) {
    for (let tried = 0; ; tried += 1) {
      const index = (accepted + tried) % options.authentications.length;
      const authenticate = await options.authentications[index]?.();
      if (!authenticate) throw new Error("no way to show who we are");
      try {
        const response = await redeem({ server, client }, settings, callback, exchange, authenticate, calls);
        const claims = await judge(response, exchange, server);
        accepted = index;
        return claims;
      } catch (error) {
        if (!isInvalidClient(error) || tried + 1 >= options.authentications.length) throw error;
      }
    }
  }

  /** OpenID Connect Core, section 3.1.3.7: issuer, audience, times, nonce, signature. */
  async function judge(response: Response, exchange: Exchange, server: oauth.AuthorizationServer): Promise<Answered> {
    const judging = await withIssuerOfToken(options, response, server);
    const answer = await oauth.processAuthorizationCodeResponse(judging, client, response, {
      expectedNonce: exchange.nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(judging, response, { ...calls, [oauth.jwksCache]: jwks });
    const claims = oauth.getValidatedIdTokenClaims(answer);
    if (!claims) throw new Error("there is no ID token");
    return {
      idToken: claims,
      userinfo: claims.email === undefined ? await askUserinfo(answer, claims.sub, server) : {},
    };
  }

  /** In the code flow a provider may keep the claims of a scope for its userinfo endpoint (OpenID Connect Core, section 5.4). */
  async function askUserinfo(
    { access_token }: oauth.TokenEndpointResponse,
    subject: string,
    server: oauth.AuthorizationServer,
  ): Promise<IdClaims> {
    if (!server.userinfo_endpoint) return {};
    const response = await oauth.userInfoRequest(server, client, access_token, calls);
    return await oauth.processUserInfoResponse(server, client, subject, response);
  }

  return {
    authorizationUrl: (exchange) =>
      failing(async () => {
        const server = await metadata();
        if (!server.authorization_endpoint) throw new Error("the provider names no authorization endpoint");
        const { scope, parameters } = options;
        const all = { scope, nonce: exchange.nonce, ...parameters };
        return await authorizationUrl(server.authorization_endpoint, settings, exchange, all);
      }),
    identify: (callback, exchange) =>
      failing(async () => identityOf(options, await exchangeCode(callback, exchange, await metadata()))),
  };
}

/** An authority without metadata leaves the word to the next one. */
async function discover(authorities: readonly Authority[]): Promise<oauth.AuthorizationServer> {
  for (const [index, { address, issuers }] of authorities.entries()) {
    const url = `${address}/.well-known/openid-configuration`;
    const response = await callProvider(url, { headers: { accept: "application/json" } });
    if (response.status === 404 && index + 1 < authorities.length) continue;
    if (response.status !== 200) throw new Error(`the provider's metadata answered ${response.status}`);
    const { issuer: named } = (await response.clone().json()) as { issuer?: unknown };
    const expected = issuers.find((issuer) => issuer === named) ?? address;
    return await oauth.processDiscoveryResponse(new URL(expected), response);
  }
  throw new Error("there is nobody to ask");
}

/** Of a provider of many tenants the expected issuer depends on the token's tenant; everything is judged after this, signature included. */
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

function identityOf({ emailVerified }: OpenidOptions, { idToken, userinfo }: Answered): Identity {
  const addressed = idToken.email === undefined ? userinfo : idToken;
  return {
    issuer: String(idToken.iss),
    subject: subjectOf(idToken.sub),
    email: textOf(addressed.email),
    // What the ID token says of no address is nothing in favour of userinfo's, but it may deny what userinfo says.
    emailVerified: emailVerified(addressed) && emailVerified({ ...addressed, ...idToken }),
    name: textOf(idToken.name ?? userinfo.name),
  };
}
