/** The power that the policies of an organization give to users of its domains (docs/contract.md, section 32.9). */
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { findPerson } from "../../../models/channel/channel-holder.ts";
import { isHeldStatus, type OrganizationDomain } from "../../../models/organization-domain/organization-domain.ts";
import { findRolesByKeys } from "../../../models/organization-role/organization-role.ts";
import { customKeys, findPolicy, type RoleRule } from "../../../models/sso-policy/sso-policy.ts";
import { type MemberPower, mayChange } from "../../../vocabulary/member-power.ts";
import { isBuiltInRole } from "../../../vocabulary/sso/sso-policy.ts";
import { isOpenToDomains } from "../authorization/authorize-joining-role.ts";
import { powerOfHolder } from "../power/holder-power.ts";

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
interface DomainGrants {
  /** Users of a domain join without single sign-on too. */
  readonly isOpen: boolean;
  readonly powers: readonly MemberPower[];
}

async function findDomainGrants(sql: Sql, organizationId: string): Promise<DomainGrants> {
  const isOpen = await isOpenToDomains(sql, organizationId);
  const { defaultRole, jit, roleRules } = await findPolicy(sql, organizationId);
  const joining = isOpen || jit === "on" ? [{ role: defaultRole, granted: [] }] : [];
  const ruled = jit === "on" ? await powersOfRules(sql, organizationId, roleRules) : [];
  return { isOpen, powers: [...joining, ...ruled] };
}

/**
 * Authorizes that a claim becomes a held domain. The claim may be older than the policies, so the member with the
 * claim, or the member who requested the check, needs every power that users of the domain get.
 */
export async function authorizeVerification(
  sql: Sql,
  { organizationId, status, claimedBy }: Pick<OrganizationDomain, "organizationId" | "status" | "claimedBy">,
  requestedBy: string | null,
): Promise<Result<void, Refusal<"forbidden">>> {
  if (isHeldStatus(status)) return ok(undefined);
  const { isOpen, powers } = await findDomainGrants(sql, organizationId);
  if (powers.length === 0) return ok(undefined);
  for (const userId of [claimedBy, requestedBy]) {
    const person = await findPerson(sql, organizationId, userId);
    const isPresent = person.role !== null || person.isPlatformAdministrator;
    if (isOpen && !isPresent) continue;
    const power = powerOfHolder(person);
    if (powers.every((each) => mayChange(power, each))) return ok(undefined);
  }
  return err(NOT_COVERED);
}
