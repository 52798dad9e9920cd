/** The address that an application named in an authorization request, for the sign-in page of the request. */
import { open, seal } from "../../base/seal.ts";
import type { Cookies } from "../../http/cookies.ts";
import { SSO_REQUEST_LIFETIME_SECONDS } from "../../limits/sso-sign-in-limits.ts";
import { keepForSignIn } from "../cookies.ts";
import type { SiteDeps } from "../view.tsx";

const HINT_COOKIE = "service_hint";
/** The result of a change of the language (src/pages/language.ts). */
export const LANGUAGE_CHANGED = "language";
/** Associated data: the hint of another request does not open. */
const identityOf = (returnTo: string) => `sign-in hint:${returnTo}`;

/** A cookie in place of a query parameter: no URL of this service contains an address. */
export function hintCookie(deps: Pick<SiteDeps, "config" | "random" | "sealing">, email: string, returnTo: string) {
  const value = seal(deps.sealing, deps.random, identityOf(returnTo), Buffer.from(email)).toString("base64url");
  return keepForSignIn(deps.config, { name: HINT_COOKIE, value, seconds: SSO_REQUEST_LIFETIME_SECONDS });
}

/** The address for the request to which the sign-in returns. */
export function hintedAddress({ sealing }: Pick<SiteDeps, "sealing">, cookies: Cookies, returnTo: string): string {
  const sealed = Buffer.from(cookies[HINT_COOKIE] ?? "", "base64url");
  return open(sealing, identityOf(returnTo), sealed)?.toString() ?? "";
}
