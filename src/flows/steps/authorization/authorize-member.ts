import type { Permission } from "../../../base/permissions.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { findMembership, hasPermission, holds, type MemberRole } from "../../../models/member/member.ts";
import type { KeyView } from "../../../models/service-account/api-key.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import type { Actor } from "../audit/audit-event.ts";
import type { CallerCredential } from "../credentials/lock-credential.ts";
import type { PlatformCaller } from "./authorize-platform-role.ts";
import { assuranceIn, ssoRequired } from "./sso-required.ts";

export { hasPermission, holds };

export const NO_SUCH_ORGANIZATION = refusal("not_found", "There is no such organization.");

declare const authorized: unique symbol;

export type MembershipDeps = Pick<Deps, "clock" | "database">;
export type MembershipProblem = Refusal<"forbidden" | "not_found" | "sso_required">;

/**
 * A member, an API key of the organization, or a platform administrator, authorized for this request. Only this file
 * constructs a caller, so a flow with this parameter cannot be called without the check.
 */
export interface OrganizationCaller {
  readonly [authorized]: true;
  /** The actor in audit records. */
  readonly actor: Actor;
  /** The reader passed to `deps.reads`. */
  readonly reader: { readonly userId: string; readonly authTime: number };
  /** The organization may differ from the organization of the session. */
  readonly organizationId: string;
  /** A key acts as an admin: a key cannot change resources above the role of the users who may create keys. */
  readonly role: MemberRole;
  /** The permissions of additional roles. */
  readonly granted: readonly string[];
  readonly credential: CallerCredential;
  /** The inviting user: the member, or the creator of the key. Null after the deletion of that user. */
  readonly inviterId: string | null;
  /** The platform role of an administrator who acts without a membership; undefined for members and keys. */
  readonly platformRole?: PlatformRole;
}

/** A caller whose membership was read for this request. */
export interface MemberCaller extends OrganizationCaller {
  readonly session: SessionView;
}

/** The principal of a request: a user, or a program with a key whose scope the endpoint has checked. */
export type Principal = { readonly session: SessionView } | { readonly key: KeyView };

/**
 * Authorizes a member of an organization, in any role (docs/contract.md, section 3.10). `not_found` means that the
 * caller has no membership, for existing and unknown organizations alike; `forbidden` a suspended organization;
 * `sso_required` an organization that requires single sign-on of this session.
 */
export async function authorizeMember(
  deps: MembershipDeps,
  session: SessionView,
  organizationId: string,
): Promise<Result<MemberCaller, MembershipProblem>> {
  const caller = await authorizeLeaving(deps, session, organizationId);
  if (!caller.ok) return caller;
  return caller.value.ssoRequired ? err(ssoRequired(organizationId)) : ok(caller.value.caller);
}

interface LeavingMember {
  readonly caller: MemberCaller;
  /** The requirement of single sign-on does not keep a member from leaving (docs/contract.md, section 29.46). */
  readonly ssoRequired: boolean;
}

/** Authorizes a member in any role as `authorizeMember`, without a decision about single sign-on. */
export async function authorizeLeaving(
  deps: MembershipDeps,
  session: SessionView,
  organizationId: string,
): Promise<Result<LeavingMember, Refusal<"forbidden" | "not_found">>> {
  if (session.organizationBound && session.organizationId !== organizationId) return err(NO_SUCH_ORGANIZATION);
  const at = new Date(deps.clock.now());
  const membership = await deps.database.run("member.find", (sql) =>
    findMembership(sql, session.userId, organizationId, assuranceIn(session, organizationId), at),
  );
  if (!membership) return err(NO_SUCH_ORGANIZATION);
  if (membership.suspended) return err(refusal("forbidden", "This organization is suspended."));
  const { userId } = session;
  const actor = { userId, organizationId };
  const credential = { kind: "session", id: session.id, userId } as const;
  const identity = { actor, credential, reader: session, inviterId: userId };
  const { role, granted } = membership;
  const caller = { session, ...identity, organizationId, role, granted } as unknown as MemberCaller;
  return ok({ caller, ssoRequired: membership.ssoRequired });
}

/**
 * Authorizes a member with a permission: the one guard of every endpoint and page of an organization (docs/contract.md,
 * section 32.3). `forbidden` means a missing permission or a suspended organization.
 */
export async function authorizePermission(
  deps: MembershipDeps,
  session: SessionView,
  organizationId: string,
  permission: Permission,
): Promise<Result<MemberCaller, MembershipProblem>> {
  const caller = await authorizeMember(deps, session, organizationId);
  if (!caller.ok || holds(caller.value, permission)) return caller;
  return err(lacksPermission(permission));
}

/** The problem of a caller without a permission. */
export function lacksPermission(permission: Permission): Refusal<"forbidden"> {
  return refusal("forbidden", `This needs the permission ${permission}.`);
}

/**
 * Authorizes a member or a key. A key belongs to one organization and finds no other; the scope of the key is the
 * permission, and was checked when the key was identified.
 */
export async function authorizePrincipal(
  deps: MembershipDeps,
  principal: Principal,
  organizationId: string,
  permission: Permission,
): Promise<Result<OrganizationCaller, MembershipProblem>> {
  if ("session" in principal) return await authorizePermission(deps, principal.session, organizationId, permission);
  return authorizeKey(principal.key, organizationId);
}

/** Authorizes a key in the key's own organization; any other organization is `not_found`. */
export function authorizeKey(
  key: KeyView,
  organizationId: string,
): Result<OrganizationCaller, Refusal<"forbidden" | "not_found">> {
  if (key.organizationId !== organizationId) return err(NO_SUCH_ORGANIZATION);
  return ok({
    actor: keyActor(key),
    credential: { kind: "api_key", id: key.id },
    reader: { userId: key.id, authTime: key.createdAt },
    organizationId,
    role: "admin",
    granted: [],
    inviterId: key.createdBy,
  } as unknown as OrganizationCaller);
}

/** Returns the actor of a key in audit records. */
export function keyActor({ id, organizationId }: KeyView): Actor {
  return { userId: id, organizationId, type: "api_key" };
}

/**
 * A platform administrator in an organization, with the role of an owner (docs/contract.md, section 14.14). The records
 * belong to the organization and name the administrator as actor.
 */
export function organizationCallerOf({ session, role }: PlatformCaller, organizationId: string): OrganizationCaller {
  const { userId } = session;
  return {
    actor: { userId, organizationId },
    credential: { kind: "session", id: session.id, userId },
    reader: session,
    organizationId,
    role: "owner",
    granted: [],
    inviterId: userId,
    platformRole: role,
  } as unknown as OrganizationCaller;
}
