import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { NO_SUCH_ORGANIZATION } from "../../flows/steps/authorization/authorize-member.ts";
import type { KeyCaller } from "./api-key.ts";
import type { Caller } from "./caller.ts";

const OUT_OF_REACH = refusal("forbidden", "A session of single sign-on reaches its organization only.");
const FACTOR_MISSING = refusal("mfa_required", "Your organization requires a second factor after single sign-on.");
/**
 * How a bound session counts (docs/contract.md, section 3.13): `served` in its organization, `before_factor` also
 * before the factor of section 29.18, `own_factor` only while this factor is required, `anonymous` without a caller.
 * Default: refused, except below `/orgs/:org_id` in its organization.
 */
export type BoundSessionRule = "served" | "before_factor" | "own_factor" | "anonymous";

const ORGANIZATION_PATH = "/orgs/:org_id";

/**
 * The caller of an endpoint, with a session that is bound to an organization kept in this organization (docs/
 * contract.md, section 3.13). Every other organization is `not_found`, also where the user is a member: the identity
 * provider of one organization learns no other membership. `mfa_required`: the organization requires a factor of its
 * own, and the session has not verified this factor (section 29.18).
 */
export function checkBoundSession(
  endpoint: { readonly boundSession?: BoundSessionRule; readonly path: string },
  caller: Caller | KeyCaller | undefined,
  params: Readonly<Record<string, string>>,
): Result<Caller | KeyCaller | undefined, Refusal<"forbidden" | "mfa_required" | "not_found">> {
  if (caller === undefined || caller.via === "key" || !caller.session.organizationBound) return ok(caller);
  const { boundSession, path } = endpoint;
  const { organizationId, ownFactor } = caller.session;
  if (boundSession === "before_factor") return ok(caller);
  if (boundSession === "anonymous") return ok(undefined);
  if (boundSession === "own_factor") return ownFactor === "off" ? err(OUT_OF_REACH) : ok(caller);
  if (boundSession !== "served" && !path.startsWith(ORGANIZATION_PATH)) return err(OUT_OF_REACH);
  if (boundSession !== "served" && params.org_id !== organizationId) return err(NO_SUCH_ORGANIZATION);
  return ownFactor === "required" ? err(FACTOR_MISSING) : ok(caller);
}
