import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type Admission, admit } from "../../flows/steps/sign-in/admission.ts";
import { looksLikeKey } from "../../models/service-account/key-format.ts";
import { ACCESS_COOKIE, type Cookies } from "../cookies.ts";
import { findKey, type KeyCaller, PEOPLE_ONLY } from "./api-key.ts";
import { bearerToken } from "./bearer.ts";
import { type Caller, type CallerDeps, findCaller } from "./caller.ts";
import { refuseExhausted } from "./limit.ts";
import { type ContextReader, findProgramCaller, type ProgramTokenDeps } from "./program-token.ts";

/**
 * The callers of an endpoint, and with them its kind (docs/contract.md, section 35.1). `none` and `optional`: public; a
 * valid caller is recognised by `optional`, and every further caller is anonymous. `own`: a signed-in user, for the
 * user's own data; `own_or_program`: or a program, for its own credential. `administrative`: a user or a program with
 * the permission of the endpoint; `people`: a user alone, listed in `PEOPLE_ONLY_OPERATIONS`.
 */
export type Authentication = keyof typeof KINDS;

export const KINDS = {
  none: "public",
  optional: "public",
  own: "own",
  own_or_program: "own",
  people: "administrative",
  administrative: "administrative",
} as const;

/** Whether programs are served: a program needs the permission of an administrative endpoint. */
export function servesPrograms({ auth }: CallerRule): boolean {
  return auth === "administrative" || auth === "own_or_program";
}

/** Whether an endpoint refuses anonymous requests. */
export function requiresCaller({ auth }: CallerRule): boolean {
  return KINDS[auth] !== "public";
}

/** What an endpoint says about its callers. */
export interface CallerRule {
  readonly auth: Authentication;
}

export type AnyCallerDeps = CallerDeps & ProgramTokenDeps & Pick<Deps, "apiKeyIds" | "exhaustedLimits" | "state">;

/**
 * The caller that the request presents: a user, or a key that `checkKeyUse` must still check. Undefined: the caller is
 * anonymous, and the endpoint serves anonymous callers.
 * `keyMisses`: the limit of unknown keys.
 */
export async function findAnyCaller(
  deps: AnyCallerDeps,
  rule: CallerRule,
  request: Request,
  cookies: Cookies,
  unknownKeyLimit: () => Admission | undefined,
  context: ContextReader,
): Promise<Result<Caller | KeyCaller | undefined, Refusal>> {
  const { auth } = rule;
  if (auth === "none") return ok(undefined);
  const authorization = request.headers.get("authorization");
  // If a request has a header and a cookie, the header counts, valid or not (docs/contract.md, section 3.1).
  const via = authorization === null ? "cookie" : "bearer";
  const token = authorization === null ? cookies[ACCESS_COOKIE] : bearerToken(authorization);
  if (via === "bearer" && token !== undefined && looksLikeKey(token)) {
    if (auth === "optional") return ok(undefined);
    if (!servesPrograms(rule)) return err(PEOPLE_ONLY);
    const admission = unknownKeyLimit();
    const limit = { open: () => refuseExhausted(deps, admission), count: () => admit(deps, admission) };
    return await findKey(deps, token, limit);
  }
  const program = authorization === null ? undefined : await findProgramCaller(deps, request, authorization, context);
  if (program && auth === "optional") return ok(undefined);
  if (program) return program.ok && !servesPrograms(rule) ? err(PEOPLE_ONLY) : program;
  const caller = await findCaller(deps, via, token);
  return caller.ok || auth !== "optional" ? caller : ok(undefined);
}
