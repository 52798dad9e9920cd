import type { Refusal } from "../../../base/problem.ts";
import { isUuid } from "../../../base/random.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { findOrganization } from "../../../models/organization/organization.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { EndpointPermission } from "../../../vocabulary/key-scope.ts";
import {
  authorizeKey,
  NO_SUCH_ORGANIZATION,
  type OrganizationCaller,
  OUT_OF_REACH,
  organizationCallerOf,
  type ResponsibleCaller,
} from "./authorize-member.ts";
import {
  authorizePlatformInReach,
  authorizePlatformRole,
  isInReach,
  leastRoleWith,
  type PlatformCaller,
  type PlatformUser,
  type Principal,
} from "./authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "./authorize-stepped-up-admin.ts";
import { requirePersonalStepUp } from "./personal-step-up.ts";
import { requireResponsible } from "./require-responsible.ts";

type AdministratorProblem = Refusal<"forbidden" | "mfa_required" | "not_found">;

/**
 * Authorizes a user of the platform, or a program of the platform, for any organization (docs/contract.md, section
 * 14.14). The permission comes first: a caller without the permission learns no organization.
 */
export async function authorizeOrganizationAdministrator(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
  permission: EndpointPermission,
): Promise<Result<OrganizationCaller, AdministratorProblem>> {
  if ("key" in principal) return await authorizeKey(deps, principal.key, organizationId);
  const caller = await authorizePlatformRole(deps, principal.session, leastRoleWith(permission));
  return caller.ok ? await findOrganizationCaller(deps, caller.value, organizationId) : caller;
}

/** As `authorizeOrganizationAdministrator`, with a step-up of a user, for a change of an organization. */
export async function authorizeSteppedUpOrganizationAdministrator(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
): Promise<Result<ResponsibleCaller, AdministratorProblem>> {
  if ("session" in principal) return await authorizeSteppedUpPlatformUser(deps, principal.session, organizationId);
  const program = await authorizeKey(deps, principal.key, organizationId);
  return program.ok ? await requireResponsible(deps, program.value) : program;
}

/** A platform Admin or higher with a step-up, for a change of any organization in the console. */
export async function authorizeSteppedUpPlatformUser(
  deps: StoreDeps,
  session: SessionView,
  organizationId: string,
): Promise<Result<ResponsibleCaller, AdministratorProblem>> {
  const caller = await authorizeSteppedUpAdmin(deps, session);
  return caller.ok ? await findOrganizationCaller(deps, caller.value, organizationId) : caller;
}

/**
 * Authorizes a caller of the platform for a change of one organization as a whole. An organization outside the reach of
 * a program is `not_found`.
 */
export async function authorizePlatformFor(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
  permission: EndpointPermission,
): Promise<Result<PlatformCaller, AdministratorProblem>> {
  const caller = await authorizePlatformInReach(deps, principal, permission);
  return caller.ok && !isInReach(caller.value, organizationId) ? err(OUT_OF_REACH) : caller;
}

/** As `authorizePlatformFor`, with a step-up of a user. */
export async function authorizeSteppedUpPlatformFor(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
  permission: EndpointPermission,
): Promise<Result<PlatformCaller, AdministratorProblem>> {
  const caller = await authorizePlatformFor(deps, principal, organizationId, permission);
  const steppedUp = caller.ok ? requirePersonalStepUp(deps, principal) : caller;
  return steppedUp.ok ? caller : steppedUp;
}

async function findOrganizationCaller(
  deps: StoreDeps,
  caller: PlatformUser,
  organizationId: string,
): Promise<Result<ResponsibleCaller, Refusal<"not_found">>> {
  const organization = isUuid(organizationId)
    ? await deps.database.run("organization.find", (sql) => findOrganization(sql, organizationId))
    : undefined;
  return organization ? ok(organizationCallerOf(caller, organization.id)) : err(NO_SUCH_ORGANIZATION);
}
