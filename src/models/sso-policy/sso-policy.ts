import { isBuiltInRole, type MappedRole } from "../../vocabulary/sso/sso-policy-settings.ts";

/** The rules of an organization for single sign-on (docs/contract.md, chapter 29). */

import type { ssoPolicies } from "../../../db/schema/sso-connections.ts";
import { bucketOf } from "../../database/buckets.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import type { RowOf } from "../../database/row.ts";
import { heldStatuses } from "../conditions/held-domain-condition.ts";

type PolicyRow = RowOf<typeof ssoPolicies>;

/** `from`: `groups`, or the name of an attribute of the connection. */
export interface RoleRule {
  readonly from: string;
  readonly value: string;
  /** A built-in role, or the key of a role that the organization can use. */
  readonly role: string;
}

/** The keys of custom roles in rules, each once. */
export function customKeys(rules: readonly RoleRule[]): string[] {
  return [...new Set(rules.map(({ role }) => role).filter((role) => !isBuiltInRole(role)))];
}

export interface SsoPolicy extends Omit<PolicyRow, "organizationId" | "defaultRole" | "roleRules" | "updatedAt"> {
  readonly defaultRole: MappedRole;
  readonly roleRules: readonly RoleRule[];
  /** Null: no policy is stored, and the defaults apply. */
  readonly updatedAt: Date | null;
}

/** The part of a policy that an owner chooses. */
export type PolicySettings = Omit<SsoPolicy, "pausedUntil" | "revision" | "updatedAt">;

/** The policy of an organization without a row. */
export const DEFAULT_SSO_POLICY: SsoPolicy = {
  mode: "off",
  requiredAt: null,
  pausedUntil: null,
  guests: "own_methods",
  breakGlass: [],
  jit: "on",
  defaultRole: "member",
  roleRules: [],
  sync: "always",
  requireOwnFactor: false,
  revision: 0,
  updatedAt: null,
};

/** Whether a policy requires single sign-on at a time: from `required_at`, and not during a pause. */
export function isSsoRequired({ mode, requiredAt, pausedUntil }: SsoPolicy, atMs: number): boolean {
  if (mode !== "required") return false;
  return (requiredAt?.getTime() ?? 0) <= atMs && (pausedUntil?.getTime() ?? 0) <= atMs;
}

/** Columns of `SsoPolicy`, of the table alias `p`. */
export function policyColumns(sql: Sql): Fragment {
  return sql`
    p.mode, p.required_at as "requiredAt", p.paused_until as "pausedUntil", p.guests, p.break_glass as "breakGlass",
    p.jit, p.default_role as "defaultRole", p.role_rules as "roleRules", p.sync,
    p.require_own_factor as "requireOwnFactor", p.revision, p.updated_at as "updatedAt"`;
}

/** The stored policy of an organization, else the defaults. */
export async function findPolicy(sql: Sql, organizationId: string): Promise<SsoPolicy> {
  const [row] = await sql<SsoPolicy[]>`
    select ${policyColumns(sql)} from sso_policies p where p.organization_id = ${organizationId}`;
  return row ?? DEFAULT_SSO_POLICY;
}

/** Locks a revision of a policy against a change. False: the policy has changed since. */
export async function lockPolicyRevision(sql: Sql, organizationId: string, revision: number): Promise<boolean> {
  const rows = await sql`
    select 1 from sso_policies where organization_id = ${organizationId} and revision = ${revision} for share`;
  return rows.length > 0;
}

/** CTE fragment: replaces the policy of an organization, and returns the policy. */
export function savePolicy(
  sql: Sql,
  organizationId: string,
  policy: Omit<SsoPolicy, "revision" | "updatedAt">,
  at: Date,
): Fragment {
  return sql`
    insert into sso_policies as p (organization_id, mode, required_at, paused_until, guests, break_glass, jit,
                                   default_role, role_rules, sync, require_own_factor, revision, updated_at)
    values (${organizationId}, ${policy.mode}, ${policy.requiredAt}, ${policy.pausedUntil}, ${policy.guests},
            ${[...policy.breakGlass]}::uuid[], ${policy.jit}, ${policy.defaultRole},
            ${json(sql, policy.roleRules)}, ${policy.sync}, ${policy.requireOwnFactor}, 1, ${at})
    on conflict (organization_id) do update set
      mode = excluded.mode, required_at = excluded.required_at, paused_until = excluded.paused_until,
      guests = excluded.guests, break_glass = excluded.break_glass, jit = excluded.jit,
      default_role = excluded.default_role, role_rules = excluded.role_rules, sync = excluded.sync,
      require_own_factor = excluded.require_own_factor, revision = p.revision + 1, updated_at = excluded.updated_at
    returning ${policyColumns(sql)}`;
}

/** CTE fragment: pauses the requirement of an organization until a time, or ends a pause, and returns the policy. */
export function pausePolicy(sql: Sql, organizationId: string, until: Date | null, at: Date): Fragment {
  return sql`
    update sso_policies p set paused_until = ${until}, revision = p.revision + 1, updated_at = ${at}
    where p.organization_id = ${organizationId}
    returning ${policyColumns(sql)}`;
}

/** A stored policy in the memory of every replica. */
export type HeldPolicy = SsoPolicy & { readonly organizationId: string; readonly bucket: number };

/** The stored policies of the organizations of buckets. */
export async function listHeldPolicies(sql: Sql, buckets: readonly number[]): Promise<HeldPolicy[]> {
  return await sql<HeldPolicy[]>`
    select ${bucketOf(sql, sql`p.organization_id`)} as bucket, p.organization_id as "organizationId",
           ${policyColumns(sql)}
    from sso_policies p where ${bucketOf(sql, sql`p.organization_id`)} = any(${[...buckets]}::int8[])`;
}

/**
 * Whether an organization would require single sign-on of an invited user: by the invited address, or by the account
 * of the address. A user who is about to join has no emergency access.
 */
export async function requiresSso(
  sql: Sql,
  organizationId: string,
  { email, accountId }: { readonly email: string; readonly accountId: string | null },
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    select 1 from sso_policies p
    where p.organization_id = ${organizationId} and p.mode = 'required'
      and coalesce(p.required_at, '-infinity') <= ${at} and coalesce(p.paused_until, '-infinity') <= ${at}
      and (
        p.guests = 'required'
        or sso_access_until(${accountId}::uuid, p.organization_id, false, 'aal1', ${at}) <= ${at}
        or exists (
          select 1 from organization_domains d
          where d.organization_id = p.organization_id and d.status in ${heldStatuses(sql)}
            and d.domain = address_domain(${email})
        )
      )`;
  return rows.length > 0;
}
