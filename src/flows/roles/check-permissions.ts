import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { CHECKED_PERMISSIONS_MAX } from "../../limits/role-limits.ts";
import { findPower } from "../../models/member/members.ts";
import { holds, type MemberPower } from "../../vocabulary/member-power.ts";
import { isProgramActor } from "../steps/audit/audit-event.ts";
import { lacksPermission, type OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { isKnownPermission } from "./known-permissions.ts";

export interface CheckPermissionsInput {
  readonly caller: OrganizationCaller;
  /** Undefined: the calling user. */
  readonly userId: string | undefined;
  readonly permissions: readonly string[];
}

const NO_SUCH_MEMBER = refusal("not_found", "There is no such member.");
const BAD_COUNT = invalidInput("permissions", "not_allowed", `1 to ${CHECKED_PERMISSIONS_MAX} names`);
const USER_REQUIRED = invalidInput("user_id", "required", "an API key checks the permissions of a member");

/**
 * POST /v1/orgs/:org_id/permissions/check (docs/contract.md, section 32.7), for the caller or, with `members.list`, for
 * a member. A permission that no role can contain is not allowed to anyone.
 */
export async function checkPermissions(
  deps: Pick<Deps, "database" | "oauthResources">,
  { caller, userId, permissions }: CheckPermissionsInput,
): Promise<Result<ReadonlyMap<string, boolean>, Refusal<"forbidden" | "invalid_input" | "not_found">>> {
  if (permissions.length === 0 || permissions.length > CHECKED_PERMISSIONS_MAX) return err(BAD_COUNT);
  const power = await findChecked(deps, caller, userId);
  if (!power.ok) return power;
  const registered = deps.oauthResources.index();
  const isAllowed = (name: string) => isKnownPermission(registered, name) && holds(power.value, name);
  return ok(new Map(permissions.map((name) => [name, isAllowed(name)])));
}

async function findChecked(
  deps: Pick<Deps, "database">,
  caller: OrganizationCaller,
  userId: string | undefined,
): Promise<Result<MemberPower, Refusal<"forbidden" | "invalid_input" | "not_found">>> {
  const { organizationId, actor } = caller;
  if (userId === undefined && isProgramActor(actor)) return err(USER_REQUIRED);
  if (userId === undefined || userId === actor.userId) return ok(caller);
  if (!holds(caller, "members.list")) return err(lacksPermission("members.list"));
  const power = await deps.database.run("member.find_power", (sql) => findPower(sql, organizationId, userId));
  return power ? ok(power) : err(NO_SUCH_MEMBER);
}
