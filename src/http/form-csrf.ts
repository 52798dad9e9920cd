/** CSRF protection of the forms of pages (docs/pages.md). JSON endpoints: docs/contract.md, section 3.3. */
import { type Refusal, refusal } from "../base/problem.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Deps } from "../deps.ts";
import { csrfTokenFits, makeCsrfToken } from "../models/csrf/csrf.ts";

export const CSRF_FIELD = "csrf";

/** The organization of the session when the form was displayed. */
export const ORGANIZATION_FIELD = "organization";

const NOT_FROM_HERE = refusal("csrf_failed", "Open the form again and send it from this site.");

/** The value of the hidden field in the forms of a session. */
export function formCsrfToken(deps: Pick<Deps, "csrfKey" | "random">, sessionId: string): string {
  return makeCsrfToken(deps.csrfKey, deps.random, sessionId);
}

/**
 * Whether the browser reports that a page of this origin sent the form. The check also protects the forms before a
 * session, such as the sign-in. Browsers send `Sec-Fetch-Site` to https and to localhost, and `Origin` everywhere.
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
 * Whether the hidden field is bound to the session. The cookie is not compared: the cookie expires with the access
 * token, and only this service can create a value for a session.
 */
export function checkFormToken(
  { csrfKey }: Pick<Deps, "csrfKey">,
  field: string,
  sessionId: string,
): Result<void, Refusal<"csrf_failed">> {
  return csrfTokenFits(csrfKey, field, field, sessionId) ? ok(undefined) : err(NOT_FROM_HERE);
}

/** The session keeps the id, and therefore the value of its forms, when the user switches organizations. */
const SWITCHED_ORGANIZATION = {
  ...refusal("conflict", "You have switched to another organization."),
  reason: "organization_switched",
} as const;

/**
 * Whether the session is still in the organization of the displayed form. `displayed`: undefined in a form of an
 * earlier release.
 */
export function checkFormOrganization(
  displayed: string | undefined,
  organizationId: string,
): Result<void, Refusal<"conflict">> {
  return displayed === undefined || displayed === organizationId ? ok(undefined) : err(SWITCHED_ORGANIZATION);
}

/** Proves that a page of this origin was displayed in the browser with the refresh cookie. */
export function makeRefreshProof({ csrfKey, random }: Pick<Deps, "csrfKey" | "random">, refreshToken: string): string {
  return makeCsrfToken(csrfKey, random, refreshSubject(refreshToken));
}

export function isRefreshProof({ csrfKey }: Pick<Deps, "csrfKey">, proof: string, refreshToken: string): boolean {
  return csrfTokenFits(csrfKey, proof, proof, refreshSubject(refreshToken));
}

/** The subject equals no session id, so that no CSRF value of a form is a proof. */
function refreshSubject(refreshToken: string): string {
  return `refresh ${refreshToken}`;
}
