import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { findMembership, type MemberRole, type Permission, permissionsOf } from "../../../models/member/member.ts";
import type { KeyView } from "../../../models/service-account/api-key.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { Actor } from "../audit/audit-event.ts";
import type { CallerCredential } from "../credentials/lock-credential.ts";

export const NO_SUCH_ORGANIZATION = refusal("not_found", "There is no such organization.");

declare const authorized: unique symbol;

/**
 * A member, or an API key of the organization, that was authorized for this request. Only this file constructs one, so
 * a flow with this parameter cannot be called without the check.
 */
export interface OrganizationCaller {
  readonly [authorized]: true;
  /** Who acts, in audit records. */
  readonly actor: Actor;
  /** For `deps.reads`. */
  readonly reader: { readonly userId: string; readonly authTime: number };
  /** Need not be the organization of the session. */
  readonly organizationId: string;
  /** A key acts as an admin: it cannot change what is above those who may make one. */
  readonly role: MemberRole;
  readonly credential: CallerCredential;
  /** The person in whose name it invites: the member, or who made the key. Null if that user was deleted. */
  readonly inviterId: string | null;
}

/** A caller whose membership was read for this request. */
export interface MemberCaller extends OrganizationCaller {
  readonly session: SessionView;
}

/** Who asks: a person, or a program with a key whose scope the endpoint has checked. */
export type Principal = { readonly session: SessionView } | { readonly key: KeyView };

/**
 * Authorizes a member of an organization, whatever the role (docs/contract.md, section 3.10). Refuses with `not_found`
 * for an organization that the caller does not belong to, whether it exists or not, and `forbidden` while it is
 * suspended.
 */
export async function authorizeMember(
  deps: Pick<Deps, "database">,
  session: SessionView,
  organizationId: string,
): Promise<Result<MemberCaller, Refusal<"forbidden" | "not_found">>> {
  const membership = await deps.database.run("member.find", (sql) =>
    findMembership(sql, session.userId, organizationId),
  );
  if (!membership) return err(NO_SUCH_ORGANIZATION);
  if (membership.suspended) return err(refusal("forbidden", "This organization is suspended."));
  const { userId } = session;
  const actor = { userId, organizationId };
  const credential = { kind: "session", id: session.id, userId } as const;
  const identity = { actor, credential, reader: session, inviterId: userId };
  const caller = { session, ...identity, organizationId, role: membership.role };
  return ok(caller as unknown as MemberCaller);
}

/**
 * Authorizes a member whose role has a permission. Refuses as `authorizeMember` does, and with `forbidden` without it.
 */
export async function authorizePermission(
  deps: Pick<Deps, "database">,
  session: SessionView,
  organizationId: string,
  permission: Permission,
): Promise<Result<MemberCaller, Refusal<"forbidden" | "not_found">>> {
  const caller = await authorizeMember(deps, session, organizationId);
  if (!caller.ok || permissionsOf(caller.value.role).includes(permission)) return caller;
  return err(refusal("forbidden", `This needs the permission ${permission}.`));
}

/**
 * The same for an endpoint that also accepts keys. A key belongs to one organization and finds no other; its scope is
 * the permission, and was checked when it was identified. Refuses as `authorizePermission` does.
 */
export async function authorizePrincipal(
  deps: Pick<Deps, "database">,
  principal: Principal,
  organizationId: string,
  permission: Permission,
): Promise<Result<OrganizationCaller, Refusal<"forbidden" | "not_found">>> {
  if ("session" in principal) return await authorizePermission(deps, principal.session, organizationId, permission);
  return authorizeKey(principal.key, organizationId);
}

/** A key in its own organization. Refuses with `not_found` for any other. */
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
    inviterId: key.createdBy,
  } as unknown as OrganizationCaller);
}

/** A key as audit records name it. */
export function keyActor({ id, organizationId }: KeyView): Actor {
  return { userId: id, organizationId, type: "api_key" };
}
