/** The caller who creates and changes users, with the further permissions of the request. */
import type { RequestContext } from "../../base/request-context.ts";
import type { StoreDeps } from "../../deps.ts";
import { authorizeOrganizationAdministrator } from "../../flows/steps/authorization/authorize-administrator.ts";
import {
  leastRoleWith,
  type PlatformCaller,
  type Principal,
} from "../../flows/steps/authorization/authorize-platform-role.ts";
import { requireStepUp } from "../../flows/steps/sessions/step-up.ts";
import type { AccountAuthor } from "../../flows/users/account-author.ts";
import { hasScope } from "../../models/service-account/api-key.ts";
import { includesRole } from "../../models/user/platform-role.ts";

/** The organizations of a request are read once each: a batch names one organization in many rows. */
export function accountAuthor(
  deps: StoreDeps,
  principal: Principal,
  caller: PlatformCaller,
  client: RequestContext,
): AccountAuthor {
  const known = new Map<string, ReturnType<AccountAuthor["callerIn"]>>();
  return {
    caller,
    client,
    holds: holdsOf(deps, principal, caller.role),
    callerIn(organizationId) {
      const found = known.get(organizationId);
      if (found) return found;
      const asked = inOrganization(deps, principal, organizationId);
      known.set(organizationId, asked);
      return asked;
    },
  };
}

/**
 * Whether the caller has a further permission: a program by the scopes, a user by the platform role, and for
 * `users.credentials` with a step-up.
 */
export function holdsOf(
  deps: Pick<StoreDeps, "clock">,
  principal: Principal,
  role: PlatformCaller["role"],
): AccountAuthor["holds"] {
  return (permission) => {
    if ("key" in principal) return hasScope(principal.key, permission);
    const isRaised = permission !== "users.credentials" || requireStepUp(deps, principal.session).ok;
    return isRaised && includesRole(role, leastRoleWith(permission));
  };
}

async function inOrganization(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
): ReturnType<AccountAuthor["callerIn"]> {
  const caller = await authorizeOrganizationAdministrator(deps, principal, organizationId, "members.add");
  // The caller of a platform endpoint has presented the second factor that the role needs.
  if (!caller.ok && caller.error.code === "mfa_required")
    throw new Error("an authorized caller lost the second factor");
  return caller as Awaited<ReturnType<AccountAuthor["callerIn"]>>;
}
