import { parseCookie, type SetCookie, stringifySetCookie } from "cookie";
import type { Config } from "../config/config.ts";
import type { TokenPair } from "../flows/steps/tokens/issue-session-tokens.ts";
import { EMAIL_CODE_LIFETIME_MS, TRUSTED_BROWSER_LIFETIME_SECONDS } from "../limits/credential-limits.ts";
import { MFA_TOKEN_LIFETIME_SECONDS } from "../limits/factor-limits.ts";
import { SETUP_BROWSER_LIFETIME_SECONDS } from "../limits/setup-link-limits.ts";
import { SSO_REQUEST_LIFETIME_SECONDS } from "../limits/sso-sign-in-limits.ts";

// docs/contract.md, section 3.2
export const ACCESS_COOKIE = "service_at";
export const REFRESH_COOKIE = "service_rt";
export const CSRF_COOKIE = "service_csrf";
export const TRUST_COOKIE = "service_trust";
/** Binds the link of an emailed code to the browser that asked for the email. */
export const CODE_BROWSER_COOKIE = "service_code";
/** The address that the user typed on the sign-in page, sealed, for the identity provider of a connection. */
export const SSO_HINT_COOKIE = "service_sso_hint";

/** The page language that an application requested, stored while the authorization request waits (`ui_locales`). */
export const LANGUAGE_COOKIE = "service_language";

/** The language that a user chose on a page. */
export const CHOSEN_LANGUAGE_COOKIE = "service_locale";

/** A sign-in on the pages that waits for its second factor: the mfa_token, and the return path. */
export const MFA_COOKIE = "service_mfa";
const SIGN_IN_PATH = "/sign-in";

/** The method of the last sign-in in this browser: the sign-in page marks the method. */
export const METHOD_COOKIE = "service_method";
const METHOD_SECONDS = 365 * 24 * 3600;

export type Cookies = Readonly<Record<string, string | undefined>>;

/**
 * Two cookies with equal names count as absent, whatever the order and the white space around the name: one cookie
 * belongs to another domain or path, so a sign-in does not replace that cookie (RFC 6265, section 8.6), and a browser
 * may send that cookie first.
 */
export function readCookies(request: Request): Cookies {
  const header = request.headers.get("cookie");
  if (header === null) return {};
  const cookies: Record<string, string | undefined> = parseCookie(header);
  const pairs = header.split(";").filter((pair) => pair.includes("="));
  if (pairs.length === Object.keys(cookies).length) return cookies;
  for (const name of repeatedNames(pairs)) cookies[name] = undefined;
  return cookies;
}

/** The names that occur in several pairs, as the parser reads names. */
function repeatedNames(pairs: readonly string[]): Set<string> {
  const first = new Map<string, string | undefined>();
  const repeated = new Set<string>();
  for (const pair of pairs) {
    const [[name, value] = ["", undefined]] = Object.entries(parseCookie(pair));
    // The service stores the token of a trusted browser under two paths. With an empty route prefix, a request matches
    // both paths.
    const isOwnCopy = name === TRUST_COOKIE && first.get(name) === value;
    if (first.has(name) && !isOwnCopy) repeated.add(name);
    else first.set(name, value);
  }
  return repeated;
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

/** Set-Cookie values of a new access token and of the CSRF value; the lifetimes are equal. */
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

/**
 * Set-Cookie value of the trusted browser for the sign-in pages, which are outside of the route prefix: without this
 * cookie the pages could not recognise a trusted browser. Browsers send a cookie of this path to the sign-in pages
 * only.
 */
export function pagesTrustCookie(config: Config, token: string): string {
  const maxAge = TRUSTED_BROWSER_LIFETIME_SECONDS;
  return setCookie(config, { name: TRUST_COOKIE, value: token, maxAge, path: SIGN_IN_PATH, httpOnly: true });
}

export function clearedTrustCookie(config: Config): string {
  return setTrustCookie(config, "", 0);
}

function setTrustCookie(config: Config, value: string, maxAge: number): string {
  return setCookie(config, { name: TRUST_COOKIE, value, maxAge, path: config.urls.routePrefix || "/", httpOnly: true });
}

/** Set-Cookie value that binds the link of an emailed code to the browser that asked for the email. */
export function codeBrowserCookie(config: Config, token: string): string {
  const maxAge = EMAIL_CODE_LIFETIME_MS / 1000;
  return setCookie(config, { name: CODE_BROWSER_COOKIE, value: token, maxAge, path: "/", httpOnly: true });
}

/** Set-Cookie value with an mfa_token for the challenge page, so that no address contains the token. */
export function mfaCookie(config: Config, mfaToken: string, returnTo: string): string {
  return setMfaCookie(config, encodeURIComponent(`${mfaToken} ${returnTo}`), MFA_TOKEN_LIFETIME_SECONDS);
}

export function clearedMfaCookie(config: Config): string {
  return setMfaCookie(config, "", 0);
}

function setMfaCookie(config: Config, value: string, maxAge: number): string {
  return setCookie(config, { name: MFA_COOKIE, value, maxAge, path: SIGN_IN_PATH, httpOnly: true });
}

/** Set-Cookie value of the method of a sign-in, for the sign-in page alone. */
export function methodCookie(config: Config, method: string): string {
  return setCookie(config, {
    name: METHOD_COOKIE,
    value: method,
    maxAge: METHOD_SECONDS,
    path: SIGN_IN_PATH,
    httpOnly: true,
  });
}

/** The browser of a set-up link, for the endpoints of front ends; the pages have a cookie of their own path. */
export const SETUP_COOKIE = "service_setup";

/** Set-Cookie value of a begun set-up link (docs/contract.md, section 29.53). */
export function setupLinkCookie(config: Config, token: string): string {
  return setSetupCookie(config, token, SETUP_BROWSER_LIFETIME_SECONDS);
}

export function clearedSetupLinkCookie(config: Config): string {
  return setSetupCookie(config, "", 0);
}

function setSetupCookie(config: Config, value: string, maxAge: number): string {
  const path = `${config.urls.routePrefix}/setup`;
  return setCookie(config, { name: SETUP_COOKIE, value, maxAge, path, httpOnly: true });
}

/** Set-Cookie value of a sealed address, for the start of a sign-in by single sign-on. */
export function ssoHintCookie(config: Config, sealed: string): string {
  const path = `${config.urls.routePrefix}/auth/sso`;
  return setCookie(config, {
    name: SSO_HINT_COOKIE,
    value: sealed,
    maxAge: SSO_REQUEST_LIFETIME_SECONDS,
    path,
    httpOnly: true,
  });
}

/** Set-Cookie values that delete the session cookies: equal names and paths, Max-Age 0. */
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

/** Whether Set-Cookie values end the session of the browser: the next request has no caller. */
export function endsSession(cookies: readonly string[]): boolean {
  return cookies.some((cookie) => cookie.startsWith(`${ACCESS_COOKIE}=;`));
}

function setCookie(config: Config, cookie: SetCookie): string {
  return stringifySetCookie({ ...cookie, sameSite: "lax", secure: config.cookies.secure }, { encode: (text) => text });
}
