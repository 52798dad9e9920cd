/**
 * Cookies that bind waiting requests to the browser that began the requests (docs/contract.md, section 3.2). Several
 * requests of a browser wait at a time, and requests that begin at once know nothing of the cookies of one another, so
 * each request has a cookie of its own, with a name by the request. The cookie with the plain name has the newest
 * token: later requests use this token again, and replicas of the previous release read no other name.
 */
import { stringifySetCookie } from "cookie";
import { bindingSuffix } from "../base/binding-suffix.ts";
import { isOpaqueToken } from "../base/opaque-token.ts";
import type { Config } from "../config/config.ts";
import { OAUTH_REQUEST_LIFETIME_MS, OPEN_REQUESTS_PER_BROWSER_MAX } from "../limits/oauth-limits.ts";
import { OAUTH_STATE_LIFETIME_SECONDS } from "../limits/provider-limits.ts";
import { SSO_REQUEST_LIFETIME_SECONDS } from "../limits/sso-sign-in-limits.ts";
import type { Cookies } from "./cookies.ts";

/** The cookies of one kind of request. */
export interface Binding {
  readonly name: string;
  readonly path: (config: Config) => string;
  readonly seconds: number;
}

/** Sign-ins at social providers (docs/contract.md, section 16.2). */
export const SOCIAL_BINDING: Binding = {
  name: "service_oauth",
  path: ({ urls }) => `${urls.routePrefix}/auth/oauth`,
  seconds: OAUTH_STATE_LIFETIME_SECONDS,
};

/** Sign-ins at identity providers of organizations (docs/contract.md, section 29.10). */
export const SSO_BINDING: Binding = {
  name: "service_sso",
  path: ({ urls }) => `${urls.routePrefix}/auth/sso`,
  seconds: SSO_REQUEST_LIFETIME_SECONDS,
};

/** Authorization requests of applications (docs/contract.md, section 23.4). */
export const AUTHORIZATION_BINDING: Binding = {
  name: "service_authorization",
  path: () => "/oauth2",
  seconds: OAUTH_REQUEST_LIFETIME_MS / 1000,
};

/** The token for new requests of the browser: of an earlier request, if there is one. */
export function presentToken(cookies: Cookies, { name }: Binding): string | undefined {
  const token = cookies[name];
  return isOpaqueToken(token) ? token : undefined;
}

/** Names a request: its handle, or the suffix of its cookie. */
type NamedRequest = { readonly handle: string | undefined } | { readonly suffix: string | undefined };

function suffixOf(request: NamedRequest): string | undefined {
  if ("suffix" in request) return request.suffix;
  return request.handle === undefined || request.handle === "" ? undefined : bindingSuffix(request.handle);
}

/** The token of one request, by the handle of the request or the suffix of its cookie. */
export function bindingToken(cookies: Cookies, { name }: Binding, request: NamedRequest): string | undefined {
  const suffix = suffixOf(request);
  return (suffix && cookies[`${name}_${suffix}`]) || cookies[name] || undefined;
}

interface BoundRequest {
  readonly handle: string;
  readonly browserToken: string;
}

/**
 * Set-Cookie values of a request. Beyond `OPEN_REQUESTS_PER_BROWSER_MAX` requests the cookies of the oldest requests
 * are deleted: browsers send the oldest cookies of a path first (RFC 6265, section 5.4).
 */
export function bindingCookies(
  config: Config,
  binding: Binding,
  { handle, browserToken }: BoundRequest,
  cookies: Cookies,
): string[] {
  const open = Object.keys(cookies).filter((name) => name.startsWith(`${binding.name}_`));
  const excess = open.slice(0, Math.max(0, open.length + 1 - OPEN_REQUESTS_PER_BROWSER_MAX));
  return [
    set(config, binding, binding.name, browserToken),
    set(config, binding, `${binding.name}_${bindingSuffix(handle)}`, browserToken),
    ...excess.map((name) => set(config, binding, name, "")),
  ];
}

/** Set-Cookie values after the end of a request. The plain name stays while another request has another token. */
export function clearedBinding(config: Config, binding: Binding, cookies: Cookies, request: NamedRequest): string[] {
  const suffix = suffixOf(request);
  const own = suffix === undefined ? undefined : `${binding.name}_${suffix}`;
  const token = own === undefined ? undefined : cookies[own];
  const isShared = token !== undefined && cookies[binding.name] !== token;
  return [
    ...(isShared ? [] : [set(config, binding, binding.name, "")]),
    ...(own === undefined || token === undefined ? [] : [set(config, binding, own, "")]),
  ];
}

function set(config: Config, { path, seconds }: Binding, name: string, value: string): string {
  const attributes = { path: path(config), httpOnly: true, sameSite: "lax", secure: config.cookies.secure } as const;
  const maxAge = value === "" ? 0 : seconds;
  return stringifySetCookie({ name, value, maxAge, ...attributes }, { encode: (text) => text });
}
