/** CSRF protection of the forms of pages (docs/pages.md). JSON endpoints: docs/contract.md, section 3.3. */
import { type Refusal, refusal } from "../base/problem.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Deps } from "../deps.ts";
import { csrfTokenFits, makeCsrfToken } from "../models/csrf/csrf.ts";

export const CSRF_FIELD = "csrf";

/** The organization that the session was in when the form was shown. */
export const ORGANIZATION_FIELD = "organization";

const NOT_FROM_HERE = refusal("csrf_failed", "Open the form again and send it from this site.");

/** The value of the hidden field of a form that a session is shown. */
export function formCsrfToken(deps: Pick<Deps, "csrfKey" | "random">, sessionId: string): string {
  return makeCsrfToken(deps.csrfKey, deps.random, sessionId);
}

/**
 * Whether the browser says that a page of this origin sent the form: this also protects the forms before a session,
 * such as the sign-in. Browsers send `Sec-Fetch-Site` to https and to localhost, and `Origin` everywhere. Refuses with
 * `csrf_failed`.
 */
export function checkFormOrigin(
  { config }: Pick<Deps, "config">,
  { headers }: Request,
): Result<void, Refusal<"csrf_failed">> {
  const site = headers.get("sec-fetch-site");
  const same = site === null ? headers.get("origin") === config.urls.publicBaseUrl : site === "same-origin";
  return same ? ok(undefined) : err({ ...NOT_FROM_HERE, cause: "the form came from another origin" });
}

/**
 * Whether the hidden field is bound to the session. The cookie is not compared: it expires with the access token, and
 * only this service can make a value for a session. Refuses with `csrf_failed`.
 */
export function checkFormToken(
  { csrfKey }: Pick<Deps, "csrfKey">,
  field: string,
  sessionId: string,
): Result<void, Refusal<"csrf_failed">> {
  return csrfTokenFits(csrfKey, field, field, sessionId) ? ok(undefined) : err(NOT_FROM_HERE);
}

/** The session keeps its id, and with it the value of its forms, when the user switches organizations. */
const SWITCHED_ORGANIZATION = {
  ...refusal("conflict", "You have switched to another organization."),
  reason: "organization_switched",
} as const;

/**
 * Whether the session is still in the organization that the form was shown for. `shown`: undefined in a form of an
 * earlier release. Refuses with `conflict`.
 */
export function checkFormOrganization(
  displayed: string | undefined,
  organizationId: string,
): Result<void, Refusal<"conflict">> {
  return displayed === undefined || displayed === organizationId ? ok(undefined) : err(SWITCHED_ORGANIZATION);
}

/** Shows that a page of this origin was displayed in the browser that has the refresh cookie. */
export function makeRefreshProof({ csrfKey, random }: Pick<Deps, "csrfKey" | "random">, refreshToken: string): string {
  return makeCsrfToken(csrfKey, random, refreshSubject(refreshToken));
}

export function isRefreshProof({ csrfKey }: Pick<Deps, "csrfKey">, proof: string, refreshToken: string): boolean {
  return csrfTokenFits(csrfKey, proof, proof, refreshSubject(refreshToken));
}

/** Equals no session id, so that no CSRF value of a form is a proof. */
function refreshSubject(refreshToken: string): string {
  return `refresh ${refreshToken}`;
}
