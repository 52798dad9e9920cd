import { NOT_SIGNED_IN, type Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { admitSession, type ServedSession } from "../../flows/steps/sessions/organization-rules.ts";
import { csrfTokenFits } from "../../models/csrf/csrf.ts";
import { ACCESS_COOKIE, type Cookies, CSRF_COOKIE } from "../cookies.ts";
import { type Caller, type CallerDeps, CSRF_FAILED, checkEmailVerified, findCaller } from "./caller.ts";

export type FormCallerProblem = "authentication_required" | "csrf_failed" | "forbidden" | "mfa_required";

interface FormCall {
  readonly caller: Caller | undefined;
  readonly request: Request;
  readonly cookies: Cookies;
  readonly client: Pick<RequestContext, "ipAddress">;
}

/**
 * The caller of a link or a step-up: the CSRF value comes in the header, or in the field of a form. The guards of the
 * endpoint do not identify the session of a form, so this function applies the rules of the session's organization.
 */
export async function formCaller(
  deps: CallerDeps & Pick<Deps, "config">,
  { caller, request, cookies, client }: FormCall,
  csrf: string | undefined,
  served: ServedSession | undefined,
): Promise<Result<Caller, Refusal<FormCallerProblem>>> {
  const found = caller ? ok(caller) : await findFormCaller(deps, request, cookies, csrf);
  if (!found.ok) return found;
  const session = { ...found.value.session, address: () => client.ipAddress };
  const admitted = admitSession(session, served);
  if (!admitted.ok) return admitted;
  const verified = checkEmailVerified(deps, found.value);
  return verified.ok ? ok({ ...found.value, session }) : verified;
}

async function findFormCaller(
  deps: CallerDeps & Pick<Deps, "config">,
  { headers }: Request,
  cookies: Cookies,
  csrf = "",
): Promise<Result<Caller, Refusal<"authentication_required" | "csrf_failed">>> {
  if (headers.get("authorization") !== null) return err(NOT_SIGNED_IN);
  const found = await findCaller(deps, "cookie", cookies[ACCESS_COOKIE]);
  if (!found.ok) return found;
  const fits = csrfTokenFits(deps.csrfKey, csrf, cookies[CSRF_COOKIE], found.value.session.id);
  return fits ? found : err(CSRF_FAILED);
}
