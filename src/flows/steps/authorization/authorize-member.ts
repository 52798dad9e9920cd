import { type Refusal, refusal } from "../../../base/problem.ts";
import { isUuid } from "../../../base/random.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { findMembership } from "../../../models/member/member.ts";
import { findOrganization } from "../../../models/organization/organization.ts";
import type { KeyView } from "../../../models/service-account/api-key.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { SetupLink } from "../../../models/setup-link/setup-link.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import { type EndpointPermission, includesPermission, type KeyScope } from "../../../vocabulary/key-scope.ts";
import { holds, type MemberPower, type MemberRole } from "../../../vocabulary/member-power.ts";
import type { Permission } from "../../../vocabulary/permissions.ts";
import { isPersonalOrganization } from "../../../vocabulary/personal-organization.ts";
import type { AccessRule } from "../../../vocabulary/policy-settings.ts";
import { byRule } from "../../../vocabulary/program-rules.ts";
import type { SetupIntent } from "../../../vocabulary/setup-intent.ts";
import type { Actor } from "../audit/audit-event.ts";
import { programActor } from "../audit/program-actor.ts";
import { type CallerCredential, isProgramCredential } from "../credentials/lock-credential.ts";
import { assuranceIn, refusalOf, WRONG_ADDRESS } from "../sessions/organization-rules.ts";
import { isInReach, type PlatformUser, type Principal } from "./authorize-platform-role.ts";
import { authorized } from "./authorized.ts";
import { programCredential } from "./program-credential.ts";

export const NO_SUCH_ORGANIZATION = refusal("not_found", "There is no such organization.");
/** The response of an organization that exists, or not, outside of the reach of a program. */
export const OUT_OF_REACH = byRule("reach", NO_SUCH_ORGANIZATION);

declare const mark: unique symbol;

export type MembershipDeps = Pick<Deps, "clock" | "database">;
export type MembershipProblem = Refusal<"forbidden" | "mfa_required" | "not_found" | "sso_required">;

/**
 * A member, an API key of the organization, or a platform administrator, authorized for this request. Only this file
 * constructs a caller, so a flow with this parameter cannot be called without the check.
 */
export interface OrganizationCaller {
  readonly [mark]: true;
  /** The actor in audit records. */
  readonly actor: Actor;
  /** The reader passed to `deps.reads`. */
  readonly reader: { readonly userId: string; readonly authTime: number };
  /** The organization may differ from the organization of the session. */
  readonly organizationId: string;
  /** The role of a program is in `powerOfKey`. */
  readonly role: MemberRole;
  /** The permissions of additional roles, or the scopes of a program. */
  readonly granted: readonly string[];
  readonly credential: CallerCredential;
  /** The session of a member. */
  readonly session?: SessionView;
  /** The member, or the creator of the key or set-up link. Null after the deletion of the user. */
  readonly responsibleId: string | null;
  /**
   * The platform role of an administrator who acts without a membership; null for programs, which rank below every
   * role; undefined for members and set-up links.
   */
  readonly platformRole?: PlatformRole | null;
  /** Set for a program of the platform. */
  readonly platformProgram?: PlatformProgram;
}

/** A program of the platform in an organization of its reach. */
export interface PlatformProgram {
  /** True: with `organizations.write`, the program grants and withdraws the role `owner`. */
  readonly changesOwners: boolean;
  /** True: with `users.credentials`, the program receives links in place of emails. */
  readonly receivesLinks: boolean;
}

/** A caller who changes settings on behalf of a user: a member, a platform administrator, or a set-up link. */
export interface ResponsibleCaller extends OrganizationCaller {
  readonly responsibleId: string;
}

/** A caller whose membership was read for this request. */
export interface MemberCaller extends ResponsibleCaller {
  readonly session: SessionView;
}

/**
 * Authorizes a member of an organization, in any role (docs/contract.md, section 3.10). `not_found` means that the
 * caller has no membership, for existing and unknown organizations alike; `forbidden` a suspended organization, or a
 * policy of the organization; `sso_required` and `mfa_required` an organization that requires these of this session.
 */
export async function authorizeMember(
  deps: MembershipDeps,
  session: SessionView,
  organizationId: string,
): Promise<Result<MemberCaller, MembershipProblem>> {
  const caller = await authorizeLeaving(deps, session, organizationId);
  if (!caller.ok) return caller;
  const { refusal: rule } = caller.value;
  return rule ? err(refusalOf(rule, organizationId)) : ok(caller.value.caller);
}

interface LeavingMember {
  readonly caller: MemberCaller;
  /** The rule that keeps the session from everything except leaving (docs/contract.md, section 33.3). */
  readonly refusal: Exclude<AccessRule, "address"> | null;
}

/** Authorizes a member in any role as `authorizeMember`, with the permitted addresses as the only rule for sessions. */
export async function authorizeLeaving(
  deps: MembershipDeps,
  session: SessionView,
  organizationId: string,
): Promise<Result<LeavingMember, Refusal<"forbidden" | "not_found">>> {
  if (session.organizationBound && session.organizationId !== organizationId) return err(NO_SUCH_ORGANIZATION);
  if (isPersonalOrganization({ userId: session.userId, organizationId })) return err(NO_SUCH_ORGANIZATION);
  const at = new Date(deps.clock.now());
  const membership = await deps.database.run("member.find", (sql) =>
    findMembership(sql, session.userId, organizationId, assuranceIn(session, organizationId), at),
  );
  if (!membership) return err(NO_SUCH_ORGANIZATION);
  if (membership.suspended) return err(refusal("forbidden", "This organization is suspended."));
  const { refusal: rule } = membership;
  if (rule === "address") return err(WRONG_ADDRESS);
  const { userId } = session;
  const actor = { userId, organizationId };
  const credential = { kind: "session", id: session.id, userId } as const;
  const identity = { actor, credential, reader: session, responsibleId: userId };
  const { role, granted } = membership;
  const caller = authorized<MemberCaller>({ session, ...identity, organizationId, role, granted });
  return ok({ caller, refusal: rule });
}

/**
 * Authorizes a member with a permission: the one guard of every endpoint and page of an organization (docs/contract.md,
 * section 32.3). `forbidden` means a missing permission or a suspended organization.
 */
export async function authorizePermission(
  deps: MembershipDeps,
  session: SessionView,
  organizationId: string,
  permission: EndpointPermission,
): Promise<Result<MemberCaller, MembershipProblem>> {
  const caller = await authorizeMember(deps, session, organizationId);
  if (!caller.ok || holds(caller.value, permission)) return caller;
  return err(lacksPermission(permission));
}

/** The problem of a caller without a permission. */
export function lacksPermission(permission: EndpointPermission): Refusal<"forbidden"> {
  return refusal("forbidden", `This needs the permission ${permission}.`);
}

/**
 * Authorizes a member or a program. A program of an organization finds no other organization, a program of the platform
 * every organization of its reach; the scope is the permission, and was checked by the guards.
 */
export async function authorizePrincipal(
  deps: MembershipDeps,
  principal: Principal,
  organizationId: string,
  permission: EndpointPermission,
): Promise<Result<OrganizationCaller, MembershipProblem>> {
  if ("session" in principal) return await authorizePermission(deps, principal.session, organizationId, permission);
  return await authorizeKey(deps, principal.key, organizationId);
}

/** Authorizes a key in an organization of its reach; any other organization is `not_found`. */
export async function authorizeKey(
  deps: Pick<Deps, "database">,
  key: KeyView,
  organizationId: string,
): Promise<Result<OrganizationCaller, Refusal<"not_found">>> {
  const reached = await findInReach(deps, key, organizationId);
  if (!reached.ok) return reached;
  return ok(
    authorized<OrganizationCaller>({
      actor: { ...programActor(key), organizationId },
      credential: programCredential(key),
      reader: { userId: key.id, authTime: key.createdAt },
      organizationId,
      ...powerOfKey(key),
      responsibleId: key.createdBy,
      platformRole: null,
      ...(key.organizationId === null
        ? {
            platformProgram: {
              changesOwners: includesPermission(key.scopes, "organizations.write"),
              receivesLinks: includesPermission(key.scopes, "users.credentials"),
            },
          }
        : {}),
    }),
  );
}

async function findInReach(
  deps: Pick<Deps, "database">,
  key: KeyView,
  organizationId: string,
): Promise<Result<void, Refusal<"not_found">>> {
  if (key.organizationId !== null) return key.organizationId === organizationId ? ok(undefined) : err(OUT_OF_REACH);
  if (!isInReach(key, organizationId)) return err(OUT_OF_REACH);
  const found =
    isUuid(organizationId) &&
    (await deps.database.run("organization.find", (sql) => findOrganization(sql, organizationId)));
  return found ? ok(undefined) : err(NO_SUCH_ORGANIZATION);
}

/** Scopes with which a key acts with the power of an admin (docs/contract.md, section 25.4). */
export const ADMIN_SCOPES: readonly KeyScope[] = ["members.invite", "members.remove", "scim.write"];

/**
 * The power of a program in an organization (docs/contract.md, section 35.4): its scopes, and with some scopes every
 * permission of an admin. A key of a former release acts as an admin, as before.
 */
export function powerOfKey({ scopes, isFormer }: Pick<KeyView, "isFormer" | "scopes">): MemberPower {
  if (isFormer) return { role: "admin", granted: [] };
  return { role: scopes.some((scope) => ADMIN_SCOPES.includes(scope)) ? "admin" : "member", granted: scopes };
}

/** Whether a caller is a program. */
export function isProgram({ credential }: Pick<OrganizationCaller, "credential">): boolean {
  return isProgramCredential(credential);
}

/**
 * A platform administrator in an organization, with the role of an owner (docs/contract.md, section 14.14). The records
 * belong to the organization and name the administrator as actor.
 */
export function organizationCallerOf({ session, role }: PlatformUser, organizationId: string): ResponsibleCaller {
  const { userId } = session;
  return authorized<ResponsibleCaller>({
    actor: { userId, organizationId },
    credential: { kind: "session", id: session.id, userId },
    reader: session,
    organizationId,
    role: "owner",
    granted: [],
    responsibleId: userId,
    platformRole: role,
  });
}

/**
 * A set-up link, with the permissions of its tasks and no role: no setting of a member with more permissions is in the
 * reach of a link. Only `authorizeSetupLink` calls this function.
 */
export function setupLinkCallerOf({ id, organizationId, createdBy, createdAt, intents }: SetupLink): ResponsibleCaller {
  return authorized<ResponsibleCaller>({
    actor: { userId: id, organizationId, type: "setup_link" },
    credential: { kind: "setup_link", id },
    reader: { userId: id, authTime: createdAt.getTime() },
    organizationId,
    role: "member",
    granted: intents.map((intent) => SETUP_PERMISSIONS[intent]),
    responsibleId: createdBy,
  });
}

/** Whether a caller is a set-up link, which acts within its tasks only. */
export function isSetupLink({ credential }: OrganizationCaller): boolean {
  return credential.kind === "setup_link";
}

/** The permission of the creator that a task of a set-up link needs. */
export const SETUP_PERMISSIONS: Readonly<Record<SetupIntent, Permission>> = {
  domains: "sso.manage",
  connection: "sso.manage",
  directory: "directory.manage",
};
