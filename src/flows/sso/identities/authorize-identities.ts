import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { KeyView } from "../../../models/service-account/api-key.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { IdentityScope } from "../../../models/sso-identity/identity-list.ts";
import { holds } from "../../../vocabulary/member-power.ts";
import { authorizeKey, authorizeMember, type OrganizationCaller } from "../../steps/authorization/authorize-member.ts";
import type { Principal } from "../../steps/authorization/authorize-platform-role.ts";
import { requireStepUp } from "../../steps/sessions/step-up.ts";

/** A caller with the identities within reach: of the organization for administrators, own identities for members. */
export interface IdentityCaller {
  readonly caller: OrganizationCaller;
  readonly scope: IdentityScope;
}

/** Authorizes the reading of identities: a member, or a key with `sso.read`. */
export async function authorizeIdentityReader(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
): Promise<Result<IdentityCaller, Refusal<"forbidden" | "mfa_required" | "not_found" | "sso_required">>> {
  if ("session" in principal) return await authorizeIdentityMember(deps, principal.session, organizationId);
  return await authorizeIdentityProgram(deps, principal.key, organizationId);
}

async function authorizeIdentityProgram(
  deps: StoreDeps,
  key: KeyView,
  organizationId: string,
): Promise<Result<IdentityCaller, Refusal<"not_found">>> {
  const caller = await authorizeKey(deps, key, organizationId);
  return caller.ok ? ok({ caller: caller.value, scope: { organizationId } }) : caller;
}

/** Authorizes the removal of identities: an administrator with a step-up, or a member for own identities. */
export async function authorizeIdentityRemoval(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
): Promise<Result<IdentityCaller, Refusal<"forbidden" | "mfa_required" | "not_found" | "sso_required">>> {
  if ("key" in principal) return await authorizeIdentityProgram(deps, principal.key, organizationId);
  const { session } = principal;
  const found = await authorizeIdentityMember(deps, session, organizationId);
  if (!found.ok || found.value.scope.userId !== undefined) return found;
  const steppedUp = requireStepUp(deps, session);
  return steppedUp.ok ? found : steppedUp;
}

async function authorizeIdentityMember(
  deps: StoreDeps,
  session: SessionView,
  organizationId: string,
): Promise<Result<IdentityCaller, Refusal<"forbidden" | "mfa_required" | "not_found" | "sso_required">>> {
  const caller = await authorizeMember(deps, session, organizationId);
  if (!caller.ok) return caller;
  const isAdministrator = holds(caller.value, "sso.manage");
  return ok({
    caller: caller.value,
    scope: isAdministrator ? { organizationId } : { organizationId, userId: session.userId },
  });
}
