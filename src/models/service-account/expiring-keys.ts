/** API keys that end soon: for the console, and for warnings by email. */
import type { Sql } from "../../database/database.ts";

/** A live key that ends soon. */
export interface ExpiringKey {
  readonly id: string;
  /** The name of the service account. */
  readonly name: string;
  /** Null: of the platform. */
  readonly organizationId: string | null;
  readonly organizationName: string | null;
  readonly expiresAt: Date;
}

/** The live keys that end until `until`, first to end first: at most `limit`, and their number up to `countedMax`. */
export async function listExpiringKeys(
  sql: Sql,
  { at, until }: { readonly at: Date; readonly until: Date },
  { limit, countedMax }: { readonly limit: number; readonly countedMax: number },
): Promise<{ items: ExpiringKey[]; total: number }> {
  const rows = await sql<(ExpiringKey & { total: number })[]>`
    with ending as (
      select id, service_account_id, expires_at from api_keys
      where revoked_at is null and expires_at > ${at} and expires_at <= ${until}
      order by expires_at limit ${countedMax}
    )
    select count(*) over ()::int as total, e.id, a.name, a.organization_id as "organizationId",
           o.name as "organizationName", e.expires_at as "expiresAt"
    from ending e join service_accounts a on a.id = e.service_account_id
    left join organizations o on o.id = a.organization_id
    order by e.expires_at, e.id limit ${limit}`;
  return { items: rows, total: rows[0]?.total ?? 0 };
}

/** A key of a directory that ends soon. */
export interface WarnedKey {
  readonly id: string;
  readonly keyId: string;
  readonly serviceAccountId: string;
  readonly name: string;
  readonly organizationId: string;
  readonly expiresAt: Date;
}

/**
 * Claims the keys of organizations with scopes of directories that have passed a further number of `days` before the
 * expiry, at most `limit`: every number is claimed once, over all replicas. A number beyond the lifetime of the key
 * does not count.
 */
export async function claimExpiringKeys(
  sql: Sql,
  days: readonly number[],
  at: Date,
  limit: number,
): Promise<WarnedKey[]> {
  return await sql<WarnedKey[]>`
    with due as (
      select k.id, passed.days
      from api_keys k
      cross join lateral (
        select min(days) as days from unnest(${days.map(String)}::text[]::integer[]) days
        where k.expires_at <= ${at}::timestamptz + make_interval(days => days)
          and k.created_at < k.expires_at - make_interval(days => days)
      ) passed
      where k.revoked_at is null and k.expires_at > ${at}
        and k.expires_at <= ${at}::timestamptz + make_interval(days => ${Math.max(...days)}::integer)
        and k.scopes && array['scim.read', 'scim.write'] and passed.days < coalesce(k.warned_days, passed.days + 1)
      order by k.expires_at limit ${limit} for update of k skip locked
    )
    update api_keys k set warned_days = due.days
    from due, service_accounts a
    where k.id = due.id and a.id = k.service_account_id and a.organization_id is not null
    returning k.id, k.key_id as "keyId", k.service_account_id as "serviceAccountId", a.name,
              a.organization_id as "organizationId", k.expires_at as "expiresAt"`;
}
