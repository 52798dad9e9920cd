import type { Refusal } from "../../../base/problem.ts";
import { isUuid } from "../../../base/random.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { findOrganization } from "../../../models/organization/organization.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import { NO_SUCH_ORGANIZATION, type OrganizationCaller, organizationCallerOf } from "./authorize-member.ts";
import { authorizePlatformRole } from "./authorize-platform-role.ts";

/**
 * Authorizes a user with the platform role `least` for the members and invitations of any organization
 * (docs/contract.md, section 14.14). The role comes first: a caller without the role learns no organization.
 */
export async function authorizeOrganizationAdministrator(
  deps: StoreDeps,
  session: SessionView,
  organizationId: string,
  least: PlatformRole,
): Promise<Result<OrganizationCaller, Refusal<"forbidden" | "mfa_required" | "not_found">>> {
  const caller = await authorizePlatformRole(deps, session, least);
  if (!caller.ok) return caller;
  const organization = isUuid(organizationId)
    ? await deps.database.run("organization.find", (sql) => findOrganization(sql, organizationId))
    : undefined;
  return organization ? ok(organizationCallerOf(caller.value, organization.id)) : err(NO_SUCH_ORGANIZATION);
}
