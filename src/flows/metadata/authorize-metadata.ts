import { ok, type Result } from "../../base/result.ts";
import { holds } from "../../vocabulary/member-power.ts";
import type { Permission } from "../../vocabulary/permissions.ts";
import {
  authorizeKey,
  authorizeMember,
  type MembershipDeps,
  type MembershipProblem,
  type OrganizationCaller,
  type Principal,
} from "../steps/authorization/authorize-member.ts";

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
  permission: Permission,
): Promise<Result<MetadataCaller, MembershipProblem>> {
  if ("key" in principal) {
    const caller = authorizeKey(principal.key, organizationId);
    return caller.ok ? ok({ caller: caller.value, readsPrivate: true }) : caller;
  }
  const caller = await authorizeMember(deps, principal.session, organizationId);
  return caller.ok ? ok({ caller: caller.value, readsPrivate: holds(caller.value, permission) }) : caller;
}
