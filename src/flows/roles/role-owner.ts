/** The two owners of roles: an organization, edited by members, and the platform, whose roles are templates. */
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { Deps, EmailDeps, SessionDeps } from "../../deps.ts";
import {
  listOrganizationsWithRole,
  lockRoles,
  type OrganizationRole,
} from "../../models/organization-role/organization-role.ts";
import { logChangeOfOrganization, ROLES_CHANGED, type SessionEvent } from "../../models/session/revocation.ts";
import type { Actor } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { authorizeRole, lockEditor } from "../steps/authorization/authorize-role-edit.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";

export type RoleDeps = SessionDeps & EmailDeps & Pick<Deps, "oauthResources">;

export type RoleOwner =
  | { readonly kind: "organization"; readonly caller: OrganizationCaller }
  /** A platform Admin or higher, with a step-up for a change. */
  | { readonly kind: "platform"; readonly caller: PlatformCaller };

export const NO_SUCH_ROLE = refusal("not_found", "There is no such role.");

/** Null: templates. */
export function organizationOf(owner: RoleOwner): string | null {
  return owner.kind === "organization" ? owner.caller.organizationId : null;
}

/** Changes of the roles of an owner lock the same rows, so they run in sequence. */
export function turnOf(organizationId: string | null): string {
  return `roles of ${organizationId ?? "the platform"}`;
}

/** The actor in audit records: an administrator of the platform acts in no organization. */
export function actorOf({ caller }: RoleOwner): Actor {
  return caller.actor;
}

/**
 * Locks a role of the owner and authorizes the edit to `permissions`. A member edits no template, no own role, and no
 * role beyond the member's own permissions, before and after the change.
 */
export async function lockEditedRole(
  sql: Sql,
  owner: RoleOwner,
  roleId: string,
  permissionsAfter: readonly string[],
): Promise<Result<OrganizationRole, Refusal<"forbidden" | "not_found">>> {
  if (owner.kind === "platform") {
    const [template] = await lockRoles(sql, null, [roleId]);
    return template ? ok(template) : err(NO_SUCH_ROLE);
  }
  const { organizationId } = owner.caller;
  const lock = { caller: owner.caller, roleIds: [roleId], permission: "roles.manage" } as const;
  const editor = await lockEditor(sql, lock);
  if (!editor.ok) return editor;
  const role = editor.value.roles.find((each) => each.organizationId === organizationId);
  if (!role) return err(NO_SUCH_ROLE);
  const authorized = authorizeRole(editor.value, [...role.permissions, ...permissionsAfter], roleId);
  return authorized.ok ? ok(role) : authorized;
}

/** Authorizes a new role with `permissions` under lock. */
export async function authorizeNewRole(
  sql: Sql,
  owner: RoleOwner,
  permissions: readonly string[],
): Promise<Result<void, Refusal<"forbidden">>> {
  if (owner.kind === "platform") return ok(undefined);
  const lock = { caller: owner.caller, roleIds: [], permission: "roles.manage" } as const;
  const editor = await lockEditor(sql, lock);
  return editor.ok ? authorizeRole(editor.value, permissions) : editor;
}

/** Inserts the events for every organization with a holder of the role. Returns the events to announce. */
export async function logRoleChange(deps: SessionDeps, sql: Sql, roleId: string, at: Date): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  const stale = { reason: ROLES_CHANGED, at, tokensDeadAt: tokensDeadAt(deps, at) };
  for (const organizationId of await listOrganizationsWithRole(sql, roleId, null)) {
    events.push(...(await logChangeOfOrganization(sql, organizationId, stale)));
  }
  return events;
}
