import { json } from "../../database/json.ts";
import { DEFAULT_POLICY } from "../../vocabulary/policy-settings.ts";

/** The stored policies of organizations (docs/contract.md, chapter 33). */

import { bucketOf } from "../../database/buckets.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PolicyInForce } from "../../vocabulary/policy-settings.ts";

/** The latest settings of an organization, and the settings in force before their start. */
export interface StoredPolicy {
  readonly settings: PolicyInForce;
  /** Start of `settings`. */
  readonly policiesAt: Date;
  /** Null: the defaults apply before `policiesAt`. */
  readonly previous: PolicyInForce | null;
  readonly revision: number;
  /** Null: no policy is stored, and the defaults apply. */
  readonly updatedAt: Date | null;
}

/** The policy of an organization without a row. */
export const NO_POLICY: StoredPolicy = {
  settings: { ...DEFAULT_POLICY, mfaSince: new Date(0).toISOString() },
  policiesAt: new Date(0),
  previous: null,
  revision: 0,
  updatedAt: null,
};

/** Columns of `StoredPolicy`, of the table alias `p`. */
function policyColumns(sql: Sql): Fragment {
  return sql`p.settings, p.policies_at as "policiesAt", p.previous, p.revision, p.updated_at as "updatedAt"`;
}

/** The stored policy of an organization, else the defaults. */
export async function findPolicies(sql: Sql, organizationId: string): Promise<StoredPolicy> {
  const [row] = await sql<StoredPolicy[]>`
    select ${policyColumns(sql)} from organization_policies p where p.organization_id = ${organizationId}`;
  return row ?? NO_POLICY;
}

/** The settings in force at a time; null: the defaults. */
export function policyInForce({ settings, policiesAt, previous }: StoredPolicy, at: Date): PolicyInForce | null {
  return policiesAt.getTime() <= at.getTime() ? settings : previous;
}

/** CTE fragment: replaces the policy of an organization. */
export function savePolicies(
  sql: Sql,
  organizationId: string,
  { settings, policiesAt, previous }: Pick<StoredPolicy, "policiesAt" | "previous" | "settings">,
  at: Date,
): Fragment {
  return sql`
    insert into organization_policies as p (organization_id, settings, policies_at, previous, revision, updated_at)
    values (${organizationId}, ${json(sql, settings)}, ${policiesAt},
            ${previous === null ? null : json(sql, previous)}, 1, ${at})
    on conflict (organization_id) do update set
      settings = excluded.settings, policies_at = excluded.policies_at, previous = excluded.previous,
      revision = p.revision + 1, updated_at = excluded.updated_at
    returning p.organization_id`;
}

/** A stored policy in the memory of every replica. */
export type HeldPolicies = StoredPolicy & { readonly organizationId: string; readonly bucket: number };

/** The stored policies of the organizations of buckets. */
export async function listHeldPolicies(sql: Sql, buckets: readonly number[]): Promise<HeldPolicies[]> {
  return await sql<HeldPolicies[]>`
    select ${bucketOf(sql, sql`p.organization_id`)} as bucket, p.organization_id as "organizationId",
           ${policyColumns(sql)}
    from organization_policies p
    where ${bucketOf(sql, sql`p.organization_id`)} = any(${[...buckets]}::int8[])`;
}

/** The rules of an organization about sessions, in the memory of every replica. */
export interface EnforcedRules {
  readonly organizationId: string;
  readonly revision: number;
  /** Milliseconds; the times at which a rule begins. */
  readonly begins: readonly number[];
}

/**
 * Whether an organization that permits approved applications alone refuses an authorization: the application has no
 * approval, or the approval is for an earlier identity of the application (docs/contract.md, section 23.32).
 */
export async function refusesClient(
  sql: Sql,
  { organizationId, clientId }: { readonly organizationId: string; readonly clientId: string },
  at: Date,
): Promise<boolean> {
  const [row] = await sql<{ refused: boolean }[]>`
    select organization_refuses_client(${organizationId}::uuid, ${clientId}::uuid, ${at}::timestamptz) or not exists (
      select 1 from oauth_clients c where c.id = ${clientId} and (
        c.consent_from is null
        or exists (
          select 1 from organization_applications a
          where a.organization_id = ${organizationId} and a.client_id = c.id and a.status = 'approved'
            and a.decided_at >= c.consent_from
        )
        or exists (
          select 1 from organization_policies p
          cross join lateral (select case when p.policies_at <= ${at} then p.settings else p.previous end) f (settings)
          where p.organization_id = ${organizationId} and p.updated_at >= c.consent_from
            and (f.settings -> 'approvedClients') ? c.id::text
        )
      )
    ) as refused`;
  return row?.refused ?? false;
}

/** The strictest rules for passwords in force in the organizations of a user. */
export interface PasswordRules {
  /** Null: the minimum of the deployment. */
  readonly minLength: number | null;
  readonly check: boolean;
}

/** The user with a password, or the organizations that a new user joins. */
export type PasswordOwner = { readonly userId: string } | { readonly organizationIds: readonly string[] };

/** The strictest rules of the organizations of a user, or of organizations that the user is about to join. */
export async function findPasswordRules(sql: Sql, who: PasswordOwner, at: Date): Promise<PasswordRules> {
  const which =
    "userId" in who
      ? sql`p.organization_id in (select organization_id from members where user_id = ${who.userId})`
      : sql`p.organization_id = any(${[...who.organizationIds]}::uuid[])`;
  const [row] = await sql<PasswordRules[]>`
    select max((f.settings ->> 'passwordMinLength')::integer) as "minLength",
           coalesce(bool_or((f.settings ->> 'passwordCheck')::boolean), false) as "check"
    from organization_policies p
    cross join lateral (select case when p.policies_at <= ${at} then p.settings else p.previous end) f (settings)
    where ${which}`;
  return row ?? { minLength: null, check: false };
}
