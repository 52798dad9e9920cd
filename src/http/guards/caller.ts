import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { identifyCaller } from "../../flows/steps/authorization/identify-caller.ts";
import { csrfTokenFits } from "../../models/csrf/csrf.ts";
import type { SessionView } from "../../models/session/session.ts";
import { type Cookies, CSRF_COOKIE } from "../cookies.ts";

export interface Caller {
  /** With the address of the request. */
  readonly session: SessionView;
  /** The cached view, one object for all requests until a change. */
  readonly view: SessionView;
  readonly via: "bearer" | "cookie";
}

export type CallerDeps = SessionDeps & Pick<Deps, "csrfKey">;

const CSRF_HEADER = "x-service-csrf";
/** Methods that need the CSRF header (docs/contract.md, section 3.3). */
const GUARDED_METHODS = new Set(["POST", "PUT", "PATCH"]);

export const CSRF_FAILED = refusal("csrf_failed", "The X-Service-CSRF header is missing or does not fit.");

/** Authenticates by an access token. */
export async function findCaller(
  deps: CallerDeps,
  via: Caller["via"],
  token: string | undefined,
): Promise<Result<Caller, Refusal<"authentication_required">>> {
  const session = await identifyCaller(deps, token);
  return session.ok ? ok({ session: session.value, view: session.value, via }) : session;
}

/** CSRF protection of requests with a cookie credential (G10). */
export function checkCsrf(
  deps: Pick<Deps, "csrfKey">,
  request: Request,
  cookies: Cookies,
  caller: Caller,
): Result<void, Refusal<"csrf_failed">> {
  if (caller.via === "bearer") return ok(undefined);
  if (!GUARDED_METHODS.has(request.method)) return checkFetchSite(request);
  const header = request.headers.get(CSRF_HEADER);
  const fits = csrfTokenFits(deps.csrfKey, header, cookies[CSRF_COOKIE], caller.session.id);
  return fits ? ok(undefined) : err(CSRF_FAILED);
}

const EMAIL_NOT_VERIFIED = refusal("forbidden", "Verify your email address to continue.");

/** Applies `SERVICE_REQUIRE_VERIFIED_EMAIL` (docs/contract.md, section 3.11). */
export function checkEmailVerified(
  { config }: Pick<Deps, "config">,
  caller: Caller | undefined,
): Result<void, Refusal<"forbidden">> {
  return config.requireVerifiedEmail && caller && !caller.session.emailVerified
    ? err(EMAIL_NOT_VERIFIED)
    : ok(undefined);
}

/** DELETE needs no CSRF header, but is refused if the browser marks the request as cross-site. */
function checkFetchSite(request: Request): Result<void, Refusal<"csrf_failed">> {
  const crossSite = request.method === "DELETE" && request.headers.get("sec-fetch-site") === "cross-site";
  return crossSite ? err(refusal("csrf_failed", "Cross-site requests are not accepted.")) : ok(undefined);
}
