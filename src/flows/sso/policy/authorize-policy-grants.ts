import { isDeepStrictEqual } from "node:util";
import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { PolicySettings, RoleRule } from "../../../models/sso-policy/sso-policy.ts";
import { isOpenToDomains } from "../../steps/authorization/authorize-joining-role.ts";
import { authorizeGrant } from "../../steps/channels/authorize-grant.ts";
import type { ChannelHolder } from "../../steps/channels/channels.ts";
import { confirmConnections } from "../../steps/channels/confirm-connections.ts";
import { powersOfRules } from "../../steps/channels/domain-powers.ts";

interface PolicyGrants {
  readonly organizationId: string;
  readonly before: PolicySettings;
  readonly after: PolicySettings;
  readonly at: Date;
}

/**
 * Compares the roles that a policy newly gives with the people behind the connections that assert the values, and
 * behind the domains whose users join (docs/contract.md, section 32.9). Returns the channels that the caller accepts.
 */
export async function authorizePolicyGrants(
  sql: Sql,
  { organizationId, before, after, at }: PolicyGrants,
  confirm: boolean,
): Promise<Result<readonly ChannelHolder[], Refusal<"conflict">>> {
  // Users of a domain begin to get the roles of earlier rules with `jit: on`.
  const isOpened = before.jit !== "on" && after.jit === "on";
  const ruled = await powersOfRules(sql, organizationId, isOpened ? after.roleRules : addedRules(before, after));
  const byDomain = after.jit === "on" ? (["claimed_domain"] as const) : [];
  const ofRules = { through: ["role_rule", ...byDomain], powers: ruled } as const;
  const rules = await authorizeGrant(sql, { organizationId, grant: "role_rule", ...ofRules, at }, confirm);
  if (!rules.ok) return rules;
  const joining = givesDefaultRole(before, after) ? [{ role: after.defaultRole, granted: [] }] : [];
  const isOpen = await isOpenToDomains(sql, organizationId);
  const through = [
    ...(after.jit === "on" ? (["default_role"] as const) : []),
    ...(isOpen ? (["claimed_domain"] as const) : byDomain),
  ];
  const request = { organizationId, grant: "default_role", powers: joining, through, at } as const;
  const defaults = await authorizeGrant(sql, request, confirm);
  if (!defaults.ok) return defaults;
  await confirmConnections(sql, rules.value, ruled);
  await confirmConnections(sql, defaults.value, joining);
  return ok([...rules.value, ...defaults.value]);
}

function addedRules(before: PolicySettings, after: PolicySettings): readonly RoleRule[] {
  return after.roleRules.filter((rule) => !before.roleRules.some((other) => isDeepStrictEqual(rule, other)));
}

/** Whether users join with the role who joined with less before, or not at all. */
function givesDefaultRole(before: PolicySettings, after: PolicySettings): boolean {
  return before.defaultRole !== after.defaultRole || (before.jit !== "on" && after.jit === "on");
}
