import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { KeyView } from "../../../models/service-account/api-key.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { findPlatformRoleOf, includesRole, type PlatformRole } from "../../../models/user/platform-role.ts";
import type { EndpointPermission } from "../../../vocabulary/key-scope.ts";
import { byRule } from "../../../vocabulary/program-rules.ts";
import type { Actor } from "../audit/audit-event.ts";
import { programActor } from "../audit/program-actor.ts";
import type { CallerCredential } from "../credentials/lock-credential.ts";
import { programCredential } from "./program-credential.ts";

declare const authorized: unique symbol;

/** The principal of a request: a user, or a program with a key whose permission the guards have checked. */
export type Principal = { readonly session: SessionView } | { readonly key: KeyView };

/**
 * A user whose platform role was read for this request, or a program of the platform. Only this file constructs a
 * caller, so a flow with this parameter cannot be called without the check.
 */
export interface PlatformCaller {
  readonly [authorized]: true;
  /** Null: a program, which ranks below every role (docs/contract.md, section 35.5). */
  readonly role: PlatformRole | null;
  /** The reader passed to `deps.reads`. */
  readonly reader: { readonly userId: string; readonly authTime: number };
  readonly credential: CallerCredential;
  /** The user, or the creator of the key; null after the deletion of the creator. */
  readonly responsibleId: string | null;
  /** The organizations in the reach of a program; null: every organization. */
  readonly organizations: readonly string[] | null;
  /**
   * The actor in audit records: of no organization, in any session, because the keys and webhooks of an organization
   * read the organization's records.
   */
  readonly actor: Actor;
}

/** A user of the platform: for pages, and for what is for people alone. */
export interface PlatformUser extends PlatformCaller {
  readonly session: SessionView;
  readonly role: PlatformRole;
}

/** `mfa_required` comes after the role: a caller without the role does not learn whether the rule is in force. */
export type PlatformRoleRefusal = Refusal<"forbidden" | "mfa_required">;

const NEEDS_SECOND_FACTOR = refusal("mfa_required", "A platform role needs a session with a second factor.");

const NOT_OF_THE_PLATFORM = byRule("reach", refusal("forbidden", "This needs a program of the platform."));
export const LIMITED_REACH = byRule(
  "reach",
  refusal("forbidden", "This key acts in a list of organizations. This needs a key without a list."),
);
const BOUND = refusal("forbidden", "A session of single sign-on has no platform role.");

/**
 * Authorizes a caller whose platform role is `least` or higher and whose session is `aal2` while
 * `SERVICE_ADMIN_REQUIRE_MFA` is on (docs/contract.md, sections 3.9 and 3.10). Reads the role from PostgreSQL each
 * time: the routes are rare, and a revoked role must not stay in effect until a cache expires.
 */
export async function authorizePlatformRole(
  deps: StoreDeps,
  session: SessionView,
  least: PlatformRole,
): Promise<Result<PlatformUser, PlatformRoleRefusal>> {
  if (session.organizationBound) return err(BOUND);
  const role = await deps.database.run("user.find_platform_role", (sql) => findPlatformRoleOf(sql, session.userId));
  if (role === null || !includesRole(role, least)) {
    return err(refusal("forbidden", `This needs the platform role ${least} or a higher one.`));
  }
  if (deps.config.adminRequiresMfa && session.aal !== "aal2") return err(NEEDS_SECOND_FACTOR);
  const { id, userId } = session;
  const actor = { userId, organizationId: null };
  const credential = { kind: "session", id, userId } as const;
  const caller = { session, role, actor, credential, reader: session, responsibleId: userId, organizations: null };
  return ok(caller as unknown as PlatformUser);
}

/** The least platform role with a permission (docs/contract.md, section 35.3). */
export function leastRoleWith(permission: EndpointPermission): PlatformRole {
  if (permission === "users.credentials") return "owner";
  return permission.endsWith(".read") || permission === "members.list" ? "viewer" : "admin";
}

/**
 * Authorizes a user by the platform role that has the permission, or a program of the platform, whose scopes the guards
 * have checked. A program with a list of organizations is refused: the endpoint concerns the whole platform.
 */
export async function authorizePlatform(
  deps: StoreDeps,
  principal: Principal,
  permission: EndpointPermission,
): Promise<Result<PlatformCaller, PlatformRoleRefusal>> {
  const caller = await authorizePlatformInReach(deps, principal, permission);
  return caller.ok && caller.value.organizations !== null ? err(LIMITED_REACH) : caller;
}

/** As `authorizePlatform`, for an endpoint that enforces the reach of a program itself. */
export async function authorizePlatformInReach(
  deps: StoreDeps,
  principal: Principal,
  permission: EndpointPermission,
): Promise<Result<PlatformCaller, PlatformRoleRefusal>> {
  return "key" in principal
    ? platformProgram(principal.key)
    : await authorizePlatformRole(deps, principal.session, leastRoleWith(permission));
}

function platformProgram(key: KeyView): Result<PlatformCaller, Refusal<"forbidden">> {
  const { id, createdAt, createdBy, organizationId, organizations } = key;
  if (organizationId !== null) return err(NOT_OF_THE_PLATFORM);
  const actor = programActor(key);
  const credential = programCredential(key);
  const caller = { role: null, actor, credential, responsibleId: createdBy, organizations };
  return ok({ ...caller, reader: { userId: id, authTime: createdAt } } as unknown as PlatformCaller);
}

/** Whether an organization is in the reach of a caller. */
export function isInReach({ organizations }: Pick<PlatformCaller, "organizations">, organizationId: string): boolean {
  return organizations === null || organizations.includes(organizationId);
}
