/** Logout tokens of identity providers (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
import { createRemoteJWKSet, customFetch, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import { ID_TOKEN_MAX_AGE_SECONDS } from "../../limits/provider-limits.ts";
import {
  SSO_KEYS_MAX_AGE_MS,
  SSO_KEYS_REFRESH_MS,
  SSO_SUBJECT_MAX_CHARACTERS,
} from "../../limits/sso-sign-in-limits.ts";
import { type Claims, ID_TOKEN_ALGORITHMS } from "../identity/id-token.ts";
import type { Metadata } from "../identity/read-metadata.ts";
import { step } from "./openid-failure.ts";
import { callOptions, type OpenidPartyOptions } from "./openid-options.ts";

/** A verified logout token with at least one of `sub` and `sid`. */
export interface LogoutToken {
  readonly claims: Claims;
  readonly jti: string;
}

export type VerifyLogoutToken = (server: Metadata, token: string) => Promise<LogoutToken>;

const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Without a type, or of the type that the specification recommends; `JWT` for providers from before the type. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, "logout+jwt", "application/logout+jwt", "JWT"]);

/** Verifies logout tokens with the keys of the identity provider: one refresh a minute for an unknown key id. */
export function logoutTokenVerifier(options: OpenidPartyOptions): VerifyLogoutToken {
  let keys: { readonly uri: string; readonly find: JWTVerifyGetKey } | undefined;
  const keysOf = ({ jwks_uri: uri = "" }: Metadata) => {
    if (keys?.uri !== uri) keys = { uri, find: remoteKeys(options, uri) };
    return keys.find;
  };
  return async (server, token) =>
    await step("id_token", async () => {
      const { issuer, clientId, clockSkewSeconds, clock } = options;
      const { payload, protectedHeader } = await jwtVerify(token, keysOf(server), {
        algorithms: [...ID_TOKEN_ALGORITHMS],
        issuer,
        audience: clientId,
        requiredClaims: ["iat", "jti", "events"],
        maxTokenAge: ID_TOKEN_MAX_AGE_SECONDS,
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(clock.now()),
      });
      if (!TYPES.has(protectedHeader.typ)) throw new Error("the token has another type");
      return readLogoutToken(payload);
    });
}

/** The keys of the identity provider, by checked connections. */
export function remoteKeys(options: OpenidPartyOptions, uri: string): JWTVerifyGetKey {
  const guardedFetch = callOptions(options)[oauth.customFetch];
  return createRemoteJWKSet(new URL(uri), {
    [customFetch]: (url, { method, headers }) => guardedFetch(url, { method, headers: Object.fromEntries(headers) }),
    cooldownDuration: SSO_KEYS_REFRESH_MS,
    cacheMaxAge: SSO_KEYS_MAX_AGE_MS,
  });
}

function readLogoutToken(claims: JWTPayload): LogoutToken {
  const { sub, sid, jti = "", nonce, events } = claims;
  if (nonce !== undefined) throw new Error("the token has a nonce");
  const isLogout = typeof events === "object" && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
  if (!isLogout) throw new Error("the token has no logout event");
  if (jti === "" || jti.length > SSO_SUBJECT_MAX_CHARACTERS) throw new Error("the token has no usable jti");
  if (sub === undefined && sid === undefined) throw new Error("the token names no subject and no session");
  return { claims, jti };
}
