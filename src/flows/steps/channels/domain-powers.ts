/** The power that the policies of an organization give to users of its domains (docs/contract.md, section 32.9). */
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { findDomainHolder, findPerson, type HolderRow } from "../../../models/channel/channel-holder.ts";
import { isHeldStatus, type OrganizationDomain } from "../../../models/organization-domain/organization-domain.ts";
import { findRolesByKeys } from "../../../models/organization-role/organization-role.ts";
import { customKeys, findPolicy, type RoleRule } from "../../../models/sso-policy/sso-policy.ts";
import { holds, type MemberPower, mayChange } from "../../../vocabulary/member-power.ts";
import { isBuiltInRole } from "../../../vocabulary/sso/sso-policy-settings.ts";
import { isOpenToDomains } from "../authorization/authorize-joining-role.ts";
import { presentPower } from "../power/holder-power.ts";

const NOT_COVERED = {
  ...refusal("forbidden", "Users of the domain would get a role with a permission that the claimant lacks."),
  reason: "domain_not_covered",
} as const;

/** The powers that rules for roles give, one for each role. */
export async function powersOfRules(
  sql: Sql,
  organizationId: string,
  rules: readonly RoleRule[],
): Promise<readonly MemberPower[]> {
  const builtIn = rules.map(({ role }) => role).filter(isBuiltInRole);
  const keys = customKeys(rules);
  const roles = keys.length === 0 ? [] : await findRolesByKeys(sql, organizationId, keys);
  return [
    ...builtIn.map((role) => ({ role, granted: [] })),
    ...roles.map(({ permissions }) => ({ role: "member" as const, granted: permissions })),
  ];
}

/** What users of a domain get without a decision of a member: by open joining, and by single sign-on with `jit: on`. */
async function findDomainGrants(sql: Sql, organizationId: string): Promise<readonly MemberPower[]> {
  const isOpen = await isOpenToDomains(sql, organizationId);
  const { defaultRole, jit, roleRules } = await findPolicy(sql, organizationId);
  const joining = isOpen || jit === "on" ? [{ role: defaultRole, granted: [] }] : [];
  const ruled = jit === "on" ? await powersOfRules(sql, organizationId, roleRules) : [];
  return [...joining, ...ruled];
}

/**
 * Authorizes that a claim becomes a held domain. The claim may be older than the policies and than the membership of
 * the claimant, so the member with the claim, then and now, or the member who requested the check, manages single
 * sign-on and has every power that users of the domain get. Returns who is responsible for the domain then: the
 * claimant, or, after a claimant who may no longer claim domains, the member with the request.
 */
export async function authorizeVerification(
  sql: Sql,
  { id, organizationId, status, claimedBy }: Pick<OrganizationDomain, "id" | "organizationId" | "status" | "claimedBy">,
  requestedBy: string | null,
): Promise<Result<string | null, Refusal<"forbidden">>> {
  if (isHeldStatus(status)) return ok(claimedBy);
  const powers = await findDomainGrants(sql, organizationId);
  const claimant = managerPower(await findDomainHolder(sql, organizationId, id));
  const responsibleId = claimant ? claimedBy : requestedBy;
  if (claimant && coversAll(claimant, powers)) return ok(responsibleId);
  const requester = managerPower(requestedBy === null ? undefined : await findPerson(sql, organizationId, requestedBy));
  return requester && coversAll(requester, powers) ? ok(responsibleId) : err(NOT_COVERED);
}

/** The power of a person who may claim domains; else undefined. */
function managerPower(person: Omit<HolderRow, "id" | "name"> | undefined): MemberPower | undefined {
  const power = person && presentPower(person);
  return power && holds(power, "sso.manage") ? power : undefined;
}

function coversAll(own: MemberPower, powers: readonly MemberPower[]): boolean {
  return powers.every((power) => mayChange(own, power));
}
