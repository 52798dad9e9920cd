import type { Fragment, Sql } from "../../database/database.ts";
import {
  EMAIL_CODE_MISSES_DAY_MAX,
  EMAIL_CODE_MISSES_HOUR_MAX,
  MISSES_DAY_MS,
  MISSES_HOUR_MS,
  SECOND_FACTOR_MISSES_DAY_MAX,
  SECOND_FACTOR_MISSES_HOUR_MAX,
} from "../../limits/factor-limits.ts";
import type { FactorOwner } from "../../vocabulary/factor-owner.ts";

/** Every kind has separate counters; the kind of an organization's factor names the organization. */
export type AttemptKind = BoundedKind | `organization_factor:${string}`;
type BoundedKind = "email_code" | "second_factor";

/**
 * Failed attempts of one user. Beyond either bound an attempt is refused, right or wrong (docs/contract.md, sections
 * 8.7 and 11.2).
 */
const BOUNDS: Record<BoundedKind, { readonly hour: number; readonly day: number }> = {
  email_code: { hour: EMAIL_CODE_MISSES_HOUR_MAX, day: EMAIL_CODE_MISSES_DAY_MAX },
  second_factor: { hour: SECOND_FACTOR_MISSES_HOUR_MAX, day: SECOND_FACTOR_MISSES_DAY_MAX },
};

function boundsOf(kind: AttemptKind) {
  return kind === "email_code" ? BOUNDS.email_code : BOUNDS.second_factor;
}

/** The kind of attempts at the second factor of an owner. */
export function secondFactorKind({ organizationId }: FactorOwner): AttemptKind {
  return organizationId === null ? "second_factor" : `organization_factor:${organizationId}`;
}

export interface Attempt {
  readonly userId: string;
  readonly kind: AttemptKind;
  readonly at: Date;
}

/** Failed attempts of the alias `f` in the windows still open at `at`. */
function openCounts(sql: Sql, at: Date): { readonly hour: Fragment; readonly day: Fragment } {
  const [hourAgo, dayAgo] = [new Date(at.getTime() - MISSES_HOUR_MS), new Date(at.getTime() - MISSES_DAY_MS)];
  return {
    hour: sql`case when f.hour_started_at > ${hourAgo}::timestamptz then f.hour_count else 0 end`,
    day: sql`case when f.day_started_at > ${dayAgo}::timestamptz then f.day_count else 0 end`,
  };
}

/**
 * An expression over the alias `f`, which may be null: when the user may try again; null while the bounds are not
 * reached. The expression saves a comparison. `allowAttempt` and `countFailedAttempt` check under lock and decide.
 */
export function lockedUntil(sql: Sql, kind: AttemptKind, at: Date): Fragment {
  const { hour, day } = openCounts(sql, at);
  return sql`
    greatest(
      case when ${hour} >= ${boundsOf(kind).hour} then f.hour_started_at + ${MISSES_HOUR_MS} * interval '1 ms' end,
      case when ${day} >= ${boundsOf(kind).day} then f.day_started_at + ${MISSES_DAY_MS} * interval '1 ms' end)`;
}

/**
 * CTE fragment of the statement that consumes a matching factor, per row of `from` if given: one row unless the bounds
 * are reached. The fragment locks the row of the counters, and inserts a missing row, so parallel attempts are checked
 * in sequence against the latest count.
 */
export function allowAttempt(sql: Sql, { userId, kind, at }: Attempt, from = sql``): Fragment {
  const { hour, day } = openCounts(sql, at);
  return sql`
    insert into failed_attempts as f (user_id, kind, hour_started_at, hour_count, day_started_at, day_count)
    select ${userId}::uuid, ${kind}, ${at}::timestamptz, 0, ${at}::timestamptz, 0 ${from}
    on conflict (user_id, kind) do update set hour_count = f.hour_count
      where ${hour} < ${boundsOf(kind).hour} and ${day} < ${boundsOf(kind).day}
    returning f.user_id`;
}

/**
 * CTE fragment of the statement with the audit record of a failed attempt, per row of `from` if given: counts the
 * attempt. Returns `within_bounds`, and `retry_at` beyond the bounds. Windows are fixed and begin with the first failed
 * attempt; an attempt beyond the bound of the hour does not count towards the day.
 */
export function countFailedAttempt(sql: Sql, { userId, kind, at }: Attempt, from = sql``): Fragment {
  const { hour, day } = openCounts(sql, at);
  const bounds = boundsOf(kind);
  return sql`
    insert into failed_attempts as f (user_id, kind, hour_started_at, hour_count, day_started_at, day_count)
    select ${userId}::uuid, ${kind}, ${at}::timestamptz, 1, ${at}::timestamptz, 1 ${from}
    on conflict (user_id, kind) do update set
      hour_started_at = case when ${hour} = 0 then excluded.hour_started_at else f.hour_started_at end,
      hour_count = least(${hour} + 1, ${bounds.hour + 1}),
      day_started_at = case when ${day} = 0 then excluded.day_started_at else f.day_started_at end,
      day_count = case when ${hour} < ${bounds.hour} then least(${day} + 1, ${bounds.day + 1}) else ${day} end
    returning f.hour_count <= ${bounds.hour} and f.day_count <= ${bounds.day} as within_bounds,
      greatest(
        case when f.hour_count > ${bounds.hour} then f.hour_started_at + ${MISSES_HOUR_MS} * interval '1 ms' end,
        case when f.day_count > ${bounds.day} then f.day_started_at + ${MISSES_DAY_MS} * interval '1 ms' end
      ) as retry_at`;
}

/** CTE fragment, per row of `from` if given: the failed attempts of a kind count no longer. */
export function clearFailedAttempts(sql: Sql, userId: string, kind: AttemptKind, from = sql``): Fragment {
  return sql`
    delete from failed_attempts where user_id = ${userId} and kind = ${kind} and exists (select 1 ${from})`;
}

/** CTE fragment: no failed attempt of the user counts any longer. */
export function clearAllFailedAttempts(sql: Sql, userId: string): Fragment {
  return sql`delete from failed_attempts where user_id = ${userId}`;
}

/** Deletes at most `batch` counters whose day ended before `before` and whose hour has ended; returns how many. */
export async function deleteEndedAttempts(sql: Sql, before: Date, batch: number): Promise<number> {
  const hourBefore = new Date(before.getTime() + MISSES_DAY_MS - MISSES_HOUR_MS);
  const deleted = await sql`
    delete from failed_attempts where (user_id, kind) in (
      select user_id, kind from failed_attempts where day_started_at < ${before} and hour_started_at < ${hourBefore}
      order by day_started_at limit ${batch} for update skip locked
    )`;
  return deleted.count;
}

/** As `deleteEndedAttempts`, of addresses without an account. */
export async function deleteEndedAddressAttempts(sql: Sql, before: Date, batch: number): Promise<number> {
  const hourBefore = new Date(before.getTime() + MISSES_DAY_MS - MISSES_HOUR_MS);
  const deleted = await sql`
    delete from address_attempts where address_hash in (
      select address_hash from address_attempts where day_started_at < ${before} and hour_started_at < ${hourBefore}
      order by day_started_at limit ${batch} for update skip locked
    )`;
  return deleted.count;
}

/** A failed attempt of an address without an account, by keyed hash. */
export interface AddressAttempt {
  readonly addressHash: string;
  readonly at: Date;
}

/** As `countFailedAttempt` for an emailed code, of an address without an account; per row of `from`. */
export function countFailedAddressAttempt(sql: Sql, { addressHash, at }: AddressAttempt, from: Fragment): Fragment {
  const { hour, day } = openCounts(sql, at);
  const bounds = BOUNDS.email_code;
  return sql`
    insert into address_attempts as f (address_hash, hour_started_at, hour_count, day_started_at, day_count)
    select ${addressHash}, ${at}::timestamptz, 1, ${at}::timestamptz, 1 ${from}
    on conflict (address_hash) do update set
      hour_started_at = case when ${hour} = 0 then excluded.hour_started_at else f.hour_started_at end,
      hour_count = least(${hour} + 1, ${bounds.hour + 1}),
      day_started_at = case when ${day} = 0 then excluded.day_started_at else f.day_started_at end,
      day_count = case when ${hour} < ${bounds.hour} then least(${day} + 1, ${bounds.day + 1}) else ${day} end`;
}
