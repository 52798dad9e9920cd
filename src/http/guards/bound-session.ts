import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { NO_SUCH_ORGANIZATION } from "../../flows/steps/authorization/authorize-member.ts";
import type { Endpoint } from "../endpoint.ts";
import type { KeyCaller } from "./api-key.ts";
import type { Caller } from "./caller.ts";

const OUT_OF_REACH = refusal("forbidden", "A session of single sign-on reaches its organization only.");
const ORGANIZATION_PATH = "/orgs/:org_id";

/**
 * The caller of an endpoint, with a session that is bound to an organization kept in this organization (docs/
 * contract.md, section 3.13). Every other organization is `not_found`, also where the user is a member: the identity
 * provider of one organization learns no other membership.
 */
export function checkBoundSession(
  { boundSession, path }: Pick<Endpoint, "boundSession" | "path">,
  caller: Caller | KeyCaller | undefined,
  params: Readonly<Record<string, string>>,
): Result<Caller | KeyCaller | undefined, Refusal<"forbidden" | "not_found">> {
  if (caller === undefined || caller.via === "key" || !caller.session.organizationBound) return ok(caller);
  if (boundSession === "served") return ok(caller);
  if (boundSession === "anonymous") return ok(undefined);
  if (!path.startsWith(ORGANIZATION_PATH)) return err(OUT_OF_REACH);
  return params.org_id === caller.session.organizationId ? ok(caller) : err(NO_SUCH_ORGANIZATION);
}
