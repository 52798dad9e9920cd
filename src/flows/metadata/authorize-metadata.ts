import { ok, type Result } from "../../base/result.ts";
import type { EndpointPermission } from "../../vocabulary/key-scope.ts";
import { holds } from "../../vocabulary/member-power.ts";
import {
  authorizeKey,
  authorizeMember,
  type MembershipDeps,
  type MembershipProblem,
  type OrganizationCaller,
} from "../steps/authorization/authorize-member.ts";
import type { Principal } from "../steps/authorization/authorize-platform-role.ts";

/** A reader of metadata. */
export interface MetadataCaller {
  readonly caller: OrganizationCaller;
  /** Whether private metadata are within reach: for administrators with the permission, and keys. */
  readonly readsPrivate: boolean;
}

/** Authorizes any member for public metadata; `permission`: needed for private metadata. */
export async function authorizeMetadataReader(
  deps: MembershipDeps,
  principal: Principal,
  organizationId: string,
  permission: EndpointPermission,
): Promise<Result<MetadataCaller, MembershipProblem>> {
  if ("key" in principal) {
    const caller = await authorizeKey(deps, principal.key, organizationId);
    return caller.ok ? ok({ caller: caller.value, readsPrivate: true }) : caller;
  }
  const caller = await authorizeMember(deps, principal.session, organizationId);
  return caller.ok ? ok({ caller: caller.value, readsPrivate: holds(caller.value, permission) }) : caller;
}
