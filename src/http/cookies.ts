import { parseCookie, type SetCookie, stringifySetCookie } from "cookie";
import { OAUTH_STATE_LIFETIME_SECONDS, TRUSTED_BROWSER_LIFETIME_SECONDS } from "../base/limits.ts";
import type { Config } from "../config/config.ts";
import type { TokenPair } from "../flows/steps/issue-tokens.ts";

// docs/contract.md, section 3.2
export const ACCESS_COOKIE = "service_at";
export const REFRESH_COOKIE = "service_rt";
export const CSRF_COOKIE = "service_csrf";
export const TRUST_COOKIE = "service_trust";
/** Binds a social sign-in to the browser that began it (docs/contract.md, section 16.2). */
export const OAUTH_COOKIE = "service_oauth";

export type Cookies = Readonly<Record<string, string | undefined>>;

/** The result has no prototype. Of several cookies with one name the first counts. */
export function readCookies(request: Request): Cookies {
  const header = request.headers.get("cookie");
  return header === null ? {} : parseCookie(header);
}

/** Set-Cookie values of a new or rotated session. */
export function sessionCookies(config: Config, tokens: TokenPair, csrfToken: string): string[] {
  const [access = "", csrf = ""] = accessCookies(config, tokens.accessToken, csrfToken);
  return [
    access,
    setCookie(config, {
      name: REFRESH_COOKIE,
      value: tokens.refreshToken,
      maxAge: config.tokens.refreshMaxAgeSeconds,
      path: config.urls.routePrefix || "/",
      httpOnly: true,
    }),
    csrf,
  ];
}

/** Set-Cookie values of a new access token and of the CSRF value, which has the same lifetime. */
export function accessCookies(config: Config, accessToken: string, csrfToken: string): string[] {
  const common = { maxAge: config.tokens.accessExpirySeconds, path: "/" };
  return [
    setCookie(config, { name: ACCESS_COOKIE, value: accessToken, httpOnly: true, ...common }),
    setCookie(config, { name: CSRF_COOKIE, value: csrfToken, httpOnly: false, ...common }),
  ];
}

/** Set-Cookie value of a trusted browser. */
export function trustCookie(config: Config, token: string): string {
  return setTrustCookie(config, token, TRUSTED_BROWSER_LIFETIME_SECONDS);
}

export function clearedTrustCookie(config: Config): string {
  return setTrustCookie(config, "", 0);
}

function setTrustCookie(config: Config, value: string, maxAge: number): string {
  return setCookie(config, { name: TRUST_COOKIE, value, maxAge, path: config.urls.routePrefix || "/", httpOnly: true });
}

/** Set-Cookie value of a started social sign-in. */
export function oauthCookie(config: Config, token: string): string {
  return setOauthCookie(config, token, OAUTH_STATE_LIFETIME_SECONDS);
}

export function clearedOauthCookie(config: Config): string {
  return setOauthCookie(config, "", 0);
}

function setOauthCookie(config: Config, value: string, maxAge: number): string {
  const path = `${config.urls.routePrefix}/auth/oauth`;
  return setCookie(config, { name: OAUTH_COOKIE, value, maxAge, path, httpOnly: true });
}

/** Set-Cookie values that delete the session cookies: same names and paths, Max-Age 0. */
export function clearedCookies(config: Config): string[] {
  return [
    setCookie(config, { name: ACCESS_COOKIE, value: "", maxAge: 0, path: "/", httpOnly: true }),
    setCookie(config, {
      name: REFRESH_COOKIE,
      value: "",
      maxAge: 0,
      path: config.urls.routePrefix || "/",
      httpOnly: true,
    }),
    setCookie(config, { name: CSRF_COOKIE, value: "", maxAge: 0, path: "/", httpOnly: false }),
  ];
}

function setCookie(config: Config, cookie: SetCookie): string {
  return stringifySetCookie({ ...cookie, sameSite: "lax", secure: config.cookies.secure }, { encode: (text) => text });
}
