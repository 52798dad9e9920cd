import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type Admission, admit } from "../../flows/steps/sign-in/admission.ts";
import { looksLikeKey } from "../../models/service-account/key-format.ts";
import { ACCESS_COOKIE, type Cookies } from "../cookies.ts";
import { findKey, type KeyCaller, PEOPLE_ONLY, type RequiredScope } from "./api-key.ts";
import { bearerToken } from "./bearer.ts";
import { type Caller, type CallerDeps, findCaller } from "./caller.ts";
import { refuseExhausted } from "./limit.ts";

/**
 * `caller`: a user must be signed in. `caller_or_key`: a user must be signed in, or the request has an API key with the
 * scope of the endpoint; no further endpoint accepts keys. `optional`: a valid caller is recognised, and every further
 * caller is anonymous.
 */
export type Authentication = "none" | "optional" | "caller" | "caller_or_key";

/** What an endpoint says about its callers. */
export interface CallerRule {
  readonly auth: Authentication;
  /** The scope that a key needs; undefined if the endpoint accepts no key. */
  readonly scope?: RequiredScope;
}

export type AnyCallerDeps = CallerDeps & Pick<Deps, "apiKeyIds" | "exhaustedLimits" | "state">;

/**
 * The caller that the request presents: a user, or a key that `checkKeyUse` must still check. Undefined: the caller is
 * anonymous, and the endpoint serves anonymous callers.
 * `keyMisses`: the limit of unknown keys.
 */
export async function findAnyCaller(
  deps: AnyCallerDeps,
  { auth, scope }: CallerRule,
  request: Request,
  cookies: Cookies,
  unknownKeyLimit: () => Admission | undefined,
): Promise<Result<Caller | KeyCaller | undefined, Refusal>> {
  if (auth === "none") return ok(undefined);
  const authorization = request.headers.get("authorization");
  // If a request has a header and a cookie, the header counts, valid or not (docs/contract.md, section 3.1).
  const via = authorization === null ? "cookie" : "bearer";
  const token = authorization === null ? cookies[ACCESS_COOKIE] : bearerToken(authorization);
  if (via === "bearer" && token !== undefined && looksLikeKey(token)) {
    if (auth === "optional") return ok(undefined);
    if (auth !== "caller_or_key" || scope === undefined) return err(PEOPLE_ONLY);
    const admission = unknownKeyLimit();
    const limit = { open: () => refuseExhausted(deps, admission), count: () => admit(deps, admission) };
    return await findKey(deps, token, limit);
  }
  const caller = await findCaller(deps, via, token);
  return caller.ok || auth !== "optional" ? caller : ok(undefined);
}
