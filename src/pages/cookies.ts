/**
 * The short-lived cookies of pages, for values that must not be in an address: the token of a mailed link, the
 * mfa_token between two steps of a sign-in, the address that received a code, the result of a form. All cookies are
 * HttpOnly.
 */
import { stringifySetCookie } from "cookie";
import type { Config } from "../config/config.ts";
import { CHOSEN_LANGUAGE_COOKIE, type Cookies, LANGUAGE_COOKIE, MFA_COOKIE, SETUP_COOKIE } from "../http/cookies.ts";
import { SETUP_BROWSER_LIFETIME_SECONDS } from "../limits/setup-link-limits.ts";
import type { Language } from "../vocabulary/languages.ts";
import { STEP_UP } from "./addresses.ts";
import { HOME, localPath } from "./return-to.ts";

const LINK_COOKIE = "service_link";
const SETUP_PATH = "/setup";
const RESET_RETURN_COOKIE = "service_reset_return";
/** The reset, and the review after the reset. */
const RESET_PATH = "/reset-password";
const CODE_COOKIE = "service_code_address";
/** As long as an authorization request waits. */
const AUTHORIZATION_SECONDS = 3600;
const LINK_SECONDS = 3600;
/** A year, below the 400 days at which browsers cut the lifetime of a cookie (RFC 6265bis). */
const CHOSEN_LANGUAGE_SECONDS = 31_536_000;
const CODE_SECONDS = 600;
const RESULT_COOKIE = "service_done";
/** The next page reads the cookie at once; the rest is time for a slow network and the renewal of a session. */
const RESULT_SECONDS = 10;
const FORM_COOKIE = "service_form";
/** The time for a step-up, or for the set-up of a factor. */
export const FORM_SECONDS = 600;
const SIGN_IN = "/sign-in";
const FIRST_RUN_COOKIE = "service_first_run";
const FIRST_RUN_SECONDS = 31_536_000;
const HIDDEN = "hidden";

/** The page of the account offers no passkey while the cookie exists. */
const OFFER_COOKIE = "service_passkey_offer";
const OFFER_SECONDS = 30 * 24 * 3600;

interface Kept {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly seconds: number;
}

function keep(config: Config, { name, value, path, seconds }: Kept): string {
  const attributes = { path, maxAge: seconds, httpOnly: true, sameSite: "lax", secure: config.cookies.secure } as const;
  return stringifySetCookie({ name, value: encodeURIComponent(value), ...attributes }, { encode: (text) => text });
}

/** `readCookies` has decoded the value already. */
function read(cookies: Cookies, name: string): string | undefined {
  return cookies[name] || undefined;
}

/**
 * The token of a mailed link, for the page at `path` alone: a link of one kind cannot replace a link of another kind.
 */
export function linkCookie(config: Config, path: string, token: string): string {
  return keep(config, { name: LINK_COOKIE, value: token, path, seconds: LINK_SECONDS });
}

export function clearedLinkCookie(config: Config, path: string): string {
  return keep(config, { name: LINK_COOKIE, value: "", path, seconds: 0 });
}

export function linkToken(cookies: Cookies): string | undefined {
  return read(cookies, LINK_COOKIE);
}

/** The target of the sign-in from which the user asked for the reset of a password; the account deletes the cookie. */
export function resetReturnCookie(config: Config, to: string): string {
  const seconds = to === HOME ? 0 : LINK_SECONDS;
  return keep(config, { name: RESET_RETURN_COOKIE, value: to, path: RESET_PATH, seconds });
}

/** The target of the sign-in after a reset in the browser that asked for the reset; else the account. */
export function resetReturn(cookies: Cookies): string {
  return localPath(read(cookies, RESET_RETURN_COOKIE) ?? "") ?? HOME;
}

/** Binds a set-up link to the browser that began the set-up (docs/contract.md, section 29.51). */
export function setupCookie(config: Config, token: string): string {
  return keep(config, { name: SETUP_COOKIE, value: token, path: SETUP_PATH, seconds: SETUP_BROWSER_LIFETIME_SECONDS });
}

export function clearedSetupCookie(config: Config): string {
  return keep(config, { name: SETUP_COOKIE, value: "", path: SETUP_PATH, seconds: 0 });
}

export function setupToken(cookies: Cookies): string | undefined {
  return read(cookies, SETUP_COOKIE);
}

/**
 * The language of an authorization request, for all pages until the request ends. The empty text deletes the language
 * of an earlier request.
 */
export function languageCookie(config: Config, language: string): string {
  return keep(config, {
    name: LANGUAGE_COOKIE,
    value: language,
    path: "/",
    seconds: language ? AUTHORIZATION_SECONDS : 0,
  });
}

/** The language that the user chose on a page, for later visits of this browser. */
export function chosenLanguageCookie(config: Config, language: Language): string {
  return keep(config, { name: CHOSEN_LANGUAGE_COOKIE, value: language, path: "/", seconds: CHOSEN_LANGUAGE_SECONDS });
}

/** A sign-in that waits for its second factor. */
export interface WaitingSignIn {
  readonly mfaToken: string;
  readonly returnTo: string;
}

export function waitingSignIn(cookies: Cookies): WaitingSignIn | undefined {
  const [mfaToken = "", place = ""] = read(cookies, MFA_COOKIE)?.split(" ") ?? [];
  return mfaToken ? { mfaToken, returnTo: localPath(place) ?? "/account" } : undefined;
}

/** A cookie of the sign-in pages. */
export function keepForSignIn(config: Config, kept: Omit<Kept, "path">): string {
  return keep(config, { ...kept, path: SIGN_IN });
}

/** The address that receives the sign-in code. */
export function codeCookie(config: Config, email: string): string {
  return keepForSignIn(config, { name: CODE_COOKIE, value: email, seconds: CODE_SECONDS });
}

export function clearedCodeCookie(config: Config): string {
  return keepForSignIn(config, { name: CODE_COOKIE, value: "", seconds: 0 });
}

export function codeAddress(cookies: Cookies): string | undefined {
  return read(cookies, CODE_COOKIE);
}

export function declinedOfferCookie(config: Config): string {
  return keep(config, { name: OFFER_COOKIE, value: "declined", path: "/account", seconds: OFFER_SECONDS });
}

export function isPasskeyOfferDeclined(cookies: Cookies): boolean {
  return read(cookies, OFFER_COOKIE) !== undefined;
}

/**
 * The result of a form, for the next page alone: in the address, a result would appear again on reload, in the history
 * and in bookmarks. `location`: the address of the next page.
 */
export function resultCookie(config: Config, location: string, result: string): string {
  return keep(config, { name: RESULT_COOKIE, value: result, path: pathIn(location), seconds: RESULT_SECONDS });
}

export function clearedResultCookie(config: Config, location: string): string {
  return keep(config, { name: RESULT_COOKIE, value: "", path: pathIn(location), seconds: 0 });
}

export function resultIn(cookies: Cookies): string {
  return read(cookies, RESULT_COOKIE) ?? "";
}

function pathIn(location: string): string {
  return location.split(/[?#]/, 1)[0] ?? location;
}

/** A form that waits for a step-up (`continued-form.ts`). */
export function formCookie(config: Config, sealed: string): string {
  return keep(config, { name: FORM_COOKIE, value: sealed, path: STEP_UP, seconds: FORM_SECONDS });
}

export function clearedFormCookie(config: Config): string {
  return keep(config, { name: FORM_COOKIE, value: "", path: STEP_UP, seconds: 0 });
}

export function sealedForm(cookies: Cookies): string | undefined {
  return read(cookies, FORM_COOKIE);
}

/** The administrator has hidden the list of the first steps, in this browser. */
export function hiddenFirstRunCookie(config: Config): string {
  return keep(config, { name: FIRST_RUN_COOKIE, value: HIDDEN, path: "/admin", seconds: FIRST_RUN_SECONDS });
}

export function hidesFirstRun(cookies: Cookies): boolean {
  return read(cookies, FIRST_RUN_COOKIE) === HIDDEN;
}
