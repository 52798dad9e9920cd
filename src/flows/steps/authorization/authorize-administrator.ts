import type { Refusal } from "../../../base/problem.ts";
import { isUuid } from "../../../base/random.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { findOrganization } from "../../../models/organization/organization.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import { NO_SUCH_ORGANIZATION, organizationCallerOf, type ResponsibleCaller } from "./authorize-member.ts";
import { authorizePlatformRole, type PlatformCaller } from "./authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "./authorize-stepped-up-admin.ts";

/**
 * Authorizes a user with the platform role `least` for the members and invitations of any organization
 * (docs/contract.md, section 14.14). The role comes first: a caller without the role learns no organization.
 */
export async function authorizeOrganizationAdministrator(
  deps: StoreDeps,
  session: SessionView,
  organizationId: string,
  least: PlatformRole,
): Promise<Result<ResponsibleCaller, Refusal<"forbidden" | "mfa_required" | "not_found">>> {
  const caller = await authorizePlatformRole(deps, session, least);
  return caller.ok ? await findOrganizationCaller(deps, caller.value, organizationId) : caller;
}

/** Authorizes a platform Admin or higher with a step-up, for a change of any organization. */
export async function authorizeSteppedUpOrganizationAdministrator(
  deps: StoreDeps,
  session: SessionView,
  organizationId: string,
): Promise<Result<ResponsibleCaller, Refusal<"forbidden" | "mfa_required" | "not_found">>> {
  const caller = await authorizeSteppedUpAdmin(deps, session);
  return caller.ok ? await findOrganizationCaller(deps, caller.value, organizationId) : caller;
}

async function findOrganizationCaller(
  deps: StoreDeps,
  caller: PlatformCaller,
  organizationId: string,
): Promise<Result<ResponsibleCaller, Refusal<"not_found">>> {
  const organization = isUuid(organizationId)
    ? await deps.database.run("organization.find", (sql) => findOrganization(sql, organizationId))
    : undefined;
  return organization ? ok(organizationCallerOf(caller, organization.id)) : err(NO_SUCH_ORGANIZATION);
}
