import type { organizationFactors } from "../../../db/schema/organization-factors.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import type { MemberFactorOwner } from "../../vocabulary/factor-owner.ts";
import { keptOrReplaced, type PendingSecret } from "../conditions/pending-secret.ts";

type FactorRow = RowOf<typeof organizationFactors>;

/** The factor of a member, confirmed or not. */
export interface OrganizationFactor extends Pick<FactorRow, "sealedSecret" | "confirmedAt" | "lastStep"> {
  readonly organizationName: string;
}

export async function findOrganizationFactor(
  sql: Sql,
  { userId, organizationId }: MemberFactorOwner,
): Promise<OrganizationFactor | undefined> {
  const [row] = await sql<OrganizationFactor[]>`
    select f.sealed_secret as "sealedSecret", f.confirmed_at as "confirmedAt", f.last_step::float8 as "lastStep",
           o.name as "organizationName"
    from organization_factors f join organizations o on o.id = f.organization_id
    where f.user_id = ${userId} and f.organization_id = ${organizationId}`;
  return row;
}

/** The values for the comparison of a code. */
export interface OrganizationFactorState {
  /** Null without a confirmed authenticator app. */
  readonly sealedSecret: FactorRow["sealedSecret"] | null;
  readonly lastStep: number | null;
  /** Whether the given recovery code exists and is unused. */
  readonly recoveryCodeLive: boolean;
  readonly lockedUntil: Date | null;
}

/** `failed`: the counter of failed attempts, `lockedUntil`: an expression over the alias `f` of this counter. */
export async function findOrganizationFactorState(
  sql: Sql,
  { userId, organizationId }: MemberFactorOwner,
  recoveryCodeHash: Buffer | undefined,
  { failed, lockedUntil }: { readonly failed: string; readonly lockedUntil: Fragment },
): Promise<OrganizationFactorState | undefined> {
  const [row] = await sql<OrganizationFactorState[]>`
    select o.sealed_secret as "sealedSecret", o.last_step::float8 as "lastStep",
           coalesce(${recoveryCodeHash?.toString("hex") ?? null}::text = any (o.recovery_codes), false)
             as "recoveryCodeLive",
           ${lockedUntil} as "lockedUntil"
    from organization_factors o
    left join failed_attempts f on f.user_id = o.user_id and f.kind = ${failed}
    where o.user_id = ${userId} and o.organization_id = ${organizationId} and o.confirmed_at is not null`;
  return row;
}

/**
 * Stores an unconfirmed secret in place of an older unconfirmed secret. Returns the secret that is stored, and the name
 * of the organization; undefined if a confirmed secret exists.
 */
export async function beginOrganizationFactor(
  sql: Sql,
  { userId, organizationId }: MemberFactorOwner,
  pending: PendingSecret,
): Promise<{ readonly sealedSecret: Buffer; readonly organizationName: string } | undefined> {
  const { sealedSecret, at, sessionId } = pending;
  const [row] = await sql<{ sealedSecret: Buffer; organizationName: string }[]>`
    insert into organization_factors as f
      (user_id, organization_id, sealed_secret, recovery_codes, session_id, created_at)
    values (${userId}, ${organizationId}, ${sealedSecret}, '{}', ${sessionId}, ${at})
    on conflict (user_id, organization_id) do update set ${keptOrReplaced(sql, pending)}
      where f.confirmed_at is null
    returning f.sealed_secret as "sealedSecret",
              (select name from organizations where id = f.organization_id) as "organizationName"`;
  return row;
}

/** CTE fragment, if `from` has a row: confirms exactly this secret; one row for the request that succeeds. */
export function confirmOrganizationFactor(
  sql: Sql,
  { userId, organizationId }: MemberFactorOwner,
  factor: {
    readonly sealedSecret: Buffer;
    readonly step: number;
    readonly recoveryCodes: readonly Buffer[];
    readonly at: Date;
  },
  from: Fragment,
): Fragment {
  const hashes = factor.recoveryCodes.map((hash) => hash.toString("hex"));
  return sql`
    update organization_factors
    set confirmed_at = ${factor.at}, last_step = ${factor.step}, recovery_codes = ${hashes}::text[],
        session_id = null
    where user_id = ${userId} and organization_id = ${organizationId} and confirmed_at is null
      and sealed_secret = ${factor.sealedSecret} and exists (select 1 ${from})
    returning user_id`;
}

/** CTE fragment, if `from` has a row: consumes the time step; one row for the first request (compare-and-set). */
export function consumeOrganizationStep(
  sql: Sql,
  { userId, organizationId }: MemberFactorOwner,
  step: number,
  from: Fragment,
): Fragment {
  return sql`
    update organization_factors set last_step = ${step}
    where user_id = ${userId} and organization_id = ${organizationId} and confirmed_at is not null
      and (last_step is null or last_step < ${step}) and exists (select 1 ${from})
    returning user_id`;
}

/** CTE fragment, if `from` has a row: consumes the recovery code; one row for the first request. */
export function consumeOrganizationCode(
  sql: Sql,
  { userId, organizationId }: MemberFactorOwner,
  hash: Buffer,
  from: Fragment,
): Fragment {
  const code = hash.toString("hex");
  return sql`
    update organization_factors set recovery_codes = array_remove(recovery_codes, ${code}::text)
    where user_id = ${userId} and organization_id = ${organizationId} and confirmed_at is not null
      and ${code}::text = any (recovery_codes) and exists (select 1 ${from})
    returning user_id`;
}

/** CTE fragment: deletes the factor, confirmed or not; a row for a confirmed factor. */
export function deleteOrganizationFactor(sql: Sql, { userId, organizationId }: MemberFactorOwner): Fragment {
  return sql`
    delete from organization_factors where user_id = ${userId} and organization_id = ${organizationId}
    returning user_id`;
}
