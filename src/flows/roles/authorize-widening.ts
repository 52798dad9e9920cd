/** New permissions of a role that is in use: a grant to the holders, and to users of a channel. */

import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { POWER_CHECK_ORGANIZATIONS } from "../../limits/power-limits.ts";
import { listOrganizationsWithRole, type OrganizationRole } from "../../models/organization-role/organization-role.ts";
import { isMappedByDirectory, listHolderIds } from "../../models/organization-role/role-use.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { findPolicy } from "../../models/sso-policy/sso-policy.ts";
import type { Channel } from "../../vocabulary/channels.ts";
import { authorizeMemberGrant } from "../steps/channels/authorize-member-grant.ts";
import type { ChannelHolder } from "../steps/channels/channels.ts";
import { confirmConnections } from "../steps/channels/confirm-connections.ts";
import { mailCreationsOfMembers } from "../steps/creations/creations.ts";
import { type ChangedPower, endUncoveredSessions } from "../steps/power/end-uncovered-sessions.ts";
import type { RoleDeps, RoleOwner } from "./role-owner.ts";

interface Widening {
  readonly owner: RoleOwner;
  readonly before: OrganizationRole;
  readonly after: OrganizationRole;
  readonly at: Date;
}

/** Whether the role has a permission that the role lacked. */
export function isWider({ before, after }: Pick<Widening, "before" | "after">): boolean {
  return after.permissions.some((permission) => !before.permissions.includes(permission));
}

/** Compares new permissions of a role of an organization; a template is reported in every organization instead. */
export async function authorizeWidening(
  sql: Sql,
  widening: Widening,
  confirm: boolean,
): Promise<Result<readonly ChannelHolder[], Refusal<"conflict">>> {
  const { owner, after, at } = widening;
  if (owner.kind === "platform" || !isWider(widening)) return ok([]);
  const { organizationId } = owner.caller;
  const added = { role: "member", granted: after.permissions } as const;
  const { jit, roleRules } = await findPolicy(sql, organizationId);
  const isRuled = roleRules.some(({ role }) => role === after.key);
  const through: readonly Channel[] = [
    ...(isRuled ? (["role_rule"] as const) : []),
    ...(isRuled && jit === "on" ? (["claimed_domain"] as const) : []),
    ...((await isMappedByDirectory(sql, organizationId, after.id)) ? (["group_mapping"] as const) : []),
  ];
  const userIds = await listHolderIds(sql, organizationId, after.id);
  const grant = { organizationId, grant: "role_permissions", userIds, added, powers: [added], through, at } as const;
  const granted = await authorizeMemberGrant(sql, grant, confirm);
  if (granted.ok) await confirmConnections(sql, granted.value, [added]);
  return granted;
}

/** The holders of a role in an organization. */
export interface RoleHolders {
  readonly organizationId: string;
  readonly userIds: readonly string[];
}

/**
 * The holders of a role in at most `POWER_CHECK_ORGANIZATIONS` organizations, whose sessions end in the transaction of
 * the change, and whose owners get an email. A template can have holders in more organizations: the check of power
 * ends the sessions there, without an email.
 */
export async function findHolders(sql: Sql, roleId: string): Promise<readonly RoleHolders[]> {
  const organizationIds = await listOrganizationsWithRole(sql, roleId, POWER_CHECK_ORGANIZATIONS);
  const holders: RoleHolders[] = [];
  for (const organizationId of organizationIds) {
    holders.push({ organizationId, userIds: await listHolderIds(sql, organizationId, roleId) });
  }
  return holders;
}

/**
 * After other permissions or the deletion of a role in use, ends the bound sessions of holders by connections of people
 * without the permissions, and of members above the holders by connections of holders. `loses`: emails the owners what
 * the holders created and is still valid.
 */
export async function followRole(
  deps: RoleDeps,
  sql: Sql,
  holders: readonly RoleHolders[],
  { actor, client, at, loses }: Pick<ChangedPower, "actor" | "client"> & { readonly at: Date; readonly loses: boolean },
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (const { organizationId, userIds } of holders) {
    events.push(...(await endUncoveredSessions(deps, sql, { organizationId, userIds, actor, client })));
    if (loses) await mailCreationsOfMembers(deps, sql, userIds, { organizationId, client, at });
  }
  return events;
}
