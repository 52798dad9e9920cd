/** The calls of a set-up link by a front end of the deployment (docs/contract.md, section 29.53). */
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, type Result } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import {
  authorizeSetupLink,
  type SetupCaller,
  type SetupProblem,
} from "../../flows/steps/authorization/authorize-setup-link.ts";
import { csrfTokenFits, makeCsrfToken } from "../../models/csrf/csrf.ts";
import type { SetupLink } from "../../models/setup-link/setup-link.ts";
import type { SetupIntent } from "../../vocabulary/setup-intent.ts";
import { type Cookies, SETUP_COOKIE } from "../cookies.ts";

export type SetupCallDeps = StoreDeps & Pick<Deps, "csrfKey">;

interface SetupRequest {
  readonly request: Request;
  readonly cookies: Cookies;
}

/** Without a caller: the credential is the token, and then the cookie of the link. */
export const ofLink = { tag: "Set-up links", auth: "none" } as const;

const NO_CSRF = refusal("csrf_failed", "The X-Service-CSRF header is missing or does not fit.");

/** The problems of every call of a set-up link; a change adds `csrf_failed`. */
export const SETUP_READ_PROBLEMS = ["authentication_required", "forbidden"] as const;
export const SETUP_CHANGE_PROBLEMS = [...SETUP_READ_PROBLEMS, "csrf_failed"] as const;

/** Authorizes the browser of a begun link for a task. */
export async function readSetupCaller(
  deps: SetupCallDeps,
  { cookies }: SetupRequest,
  intent?: SetupIntent,
): Promise<Result<SetupCaller, SetupProblem>> {
  return await authorizeSetupLink(deps, cookies[SETUP_COOKIE], intent);
}

/**
 * Authorizes a change: the header of the front end has the value of the link. A page of a sibling domain has the cookie
 * in its requests (SameSite is about sites), and not the value.
 */
export async function changeSetupCaller(
  deps: SetupCallDeps,
  call: SetupRequest,
  intent?: SetupIntent,
): Promise<Result<SetupCaller, SetupProblem | Refusal<"csrf_failed">>> {
  const setup = await readSetupCaller(deps, call, intent);
  if (!setup.ok) return setup;
  const header = call.request.headers.get("x-service-csrf");
  return csrfTokenFits(deps.csrfKey, header, header ?? undefined, setup.value.link.id) ? setup : err(NO_CSRF);
}

/** The value of the header for the changes of a link. */
export function setupCsrfToken(deps: Pick<Deps, "csrfKey" | "random">, { id }: Pick<SetupLink, "id">): string {
  return makeCsrfToken(deps.csrfKey, deps.random, id);
}
