/** Additional roles by the rules of an organization for single sign-on (docs/contract.md, section 29.9). */
import type { Sql } from "../../../database/database.ts";
import { ROLES_PER_MEMBER_MAX } from "../../../limits/role-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { listAssignedRoles, replaceMemberRoles } from "../../../models/organization-role/member-role.ts";
import { findRolesByKeys } from "../../../models/organization-role/organization-role.ts";
import { ROLES_CHANGED, type SessionEvent } from "../../../models/session/revocation.ts";
import { lockPolicyRevision, type SsoPolicy } from "../../../models/sso-policy/sso-policy.ts";
import { holds, type MemberPower } from "../../../vocabulary/member-power.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { mailCreations } from "../../steps/creations/creations.ts";
import { logPowerChange } from "../../steps/power/end-uncovered-sessions.ts";
import type { SsoDeps } from "./connection.ts";
import { additionalRolesOf } from "./decide-provisioning.ts";
import { Overtaken } from "./provisioning-context.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

interface RuledRoles {
  readonly policy: SsoPolicy;
  /** The power behind the connection: the rules grant no new role beyond the power. */
  readonly channelPower: MemberPower;
  readonly userId: string;
  /** The keys of roles that the member keeps without a matching rule. */
  readonly kept: readonly string[];
}

export interface AppliedRoles {
  /** Announced after the commit. */
  readonly events: readonly SessionEvent[];
  /** Rules give a role beyond the power behind the connection. */
  readonly isLeftOut: boolean;
}

/** Replaces the roles of the source `sso`. A rule with the key of a deleted role grants no role. */
export async function applyAdditionalRoles(
  deps: SsoDeps,
  sql: Sql,
  { asserted, connection, client, at }: ProvisioningInput,
  { policy, channelPower, userId, kept }: RuledRoles,
): Promise<AppliedRoles> {
  const { organizationId } = connection;
  const assigned = await listAssignedRoles(sql, organizationId, userId);
  const before = assigned.filter(({ source }) => source === "sso");
  const others = new Set(assigned.filter(({ source }) => source !== "sso").map(({ id }) => id));
  const keptKeys = before.map(({ key }) => key).filter((key) => kept.includes(key));
  const keys = [...new Set([...additionalRolesOf(policy, asserted), ...keptKeys])];
  const ruled = await findRolesByKeys(sql, organizationId, keys);
  const isCovered = (permissions: readonly string[]) => permissions.every((each) => holds(channelPower, each));
  const matching = ruled.filter(
    ({ id, permissions }) => isCovered(permissions) || before.some((each) => each.id === id),
  );
  // The user of a sign-in cannot resolve a problem of rules: roles beyond the bound are left out, in the order of keys.
  const room = Math.max(ROLES_PER_MEMBER_MAX - others.size, 0);
  const after = matching.filter(({ id }) => !others.has(id)).slice(0, room);
  const [idsBefore, idsAfter] = [before.map(({ id }) => id), after.map(({ id }) => id)];
  const added = after.filter(({ id }) => !idsBefore.includes(id)).map(({ key }) => key);
  const removed = before.filter(({ id }) => !idsAfter.includes(id)).map(({ key }) => key);
  const isLeftOut = matching.length < ruled.length;
  if (added.length + removed.length === 0) return { events: [], isLeftOut };
  // A change of the policy withdraws roles without a rule after its commit, and would not find a later assignment.
  if (added.length > 0 && !(await lockPolicyRevision(sql, organizationId, policy.revision))) throw new Overtaken();
  await replaceMemberRoles(sql, { organizationId, userId, roleIds: idsAfter, source: "sso", at });
  const metadata = { added: added.join(" "), removed: removed.join(" "), source: "sso" };
  const event = { action: "member.roles_changed", at, metadata } as const;
  await recordAudit(sql, userAuditEvent(deps, { userId, organizationId }, client, event));
  if (removed.length > 0) await mailCreations(deps, sql, { organizationId, userId, client, at });
  const actor = { userId } as const;
  const changed = { organizationId, userIds: [userId], reason: ROLES_CHANGED, at, actor, client };
  return { events: await logPowerChange(deps, sql, changed), isLeftOut };
}
