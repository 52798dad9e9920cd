import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type Admission, admit } from "../../flows/steps/sign-in/admission.ts";
import { looksLikeKey } from "../../models/service-account/key-format.ts";
import { ACCESS_COOKIE, type Cookies } from "../cookies.ts";
import type { Endpoint } from "../endpoint.ts";
import { findKey, type KeyCaller, PEOPLE_ONLY } from "./api-key.ts";
import { bearerToken } from "./bearer.ts";
import { type Caller, type CallerDeps, findCaller } from "./caller.ts";
import { refuseExhausted } from "./limit.ts";

export type AnyCallerDeps = CallerDeps & Pick<Deps, "apiKeyIds" | "exhaustedLimits" | "state">;

/**
 * The caller that the request presents: a user, or a key that `checkKeyUse` must still check. Undefined: the caller is
 * anonymous, and the endpoint serves anonymous callers.
 * `keyMisses`: the limit of unknown keys.
 */
export async function findAnyCaller(
  deps: AnyCallerDeps,
  { auth, scope }: Endpoint,
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
