/** Figures about all users, for the overview of the console. Each statement reads at most `limit` rows of a table. */
import type { Sql } from "../../database/database.ts";

/** The number of users with a sign-in or a continued session since each time. */
export interface ActiveUsers {
  readonly day: number;
  readonly week: number;
  readonly month: number;
  /** Whether a bound was reached: the figures are minimums. */
  readonly isPartial: boolean;
}

/** The users created in a bucket of time. */
interface CreatedUsers {
  readonly at: Date;
  readonly count: number;
}

export interface ActiveOrganization {
  readonly id: string;
  readonly name: string;
  /** Users with a session in the organization that was used in the period. */
  readonly users: number;
}

export interface FactorAdoption {
  readonly authenticator: number;
  readonly passkey: number;
  /** Users with an authenticator app or a passkey. */
  readonly either: number;
}

/** The times in `since` are the beginnings of the last day, week and month. */
export async function countActiveUsers(
  sql: Sql,
  since: Readonly<Record<"day" | "week" | "month", Date>>,
  limit: number,
): Promise<ActiveUsers> {
  const [row] = await sql<ActiveUsers[]>`
    with used as materialized (
      select user_id, rotated_at as at from sessions where rotated_at > ${since.month} limit ${limit}
    ), signed_in as materialized (
      select id as user_id, last_login_at as at from users where last_login_at > ${since.month} limit ${limit}
    ), active as (
      select user_id, max(at) as at from (select * from used union all select * from signed_in) as seen group by user_id
    )
    select count(*) filter (where at > ${since.day})::float8 as day,
           count(*) filter (where at > ${since.week})::float8 as week, count(*)::float8 as month,
           greatest((select count(*) from used), (select count(*) from signed_in)) >= ${limit} as "isPartial"
    from active`;
  return row ?? { day: 0, week: 0, month: 0, isPartial: false };
}

/** The organizations with the most active users since a time, at most `top`. */
export async function listActiveOrganizations(
  sql: Sql,
  since: Date,
  { limit, top }: { readonly limit: number; readonly top: number },
): Promise<ActiveOrganization[]> {
  return await sql<ActiveOrganization[]>`
    with used as materialized (
      select organization_id, user_id from sessions where rotated_at > ${since} limit ${limit}
    ), most as (
      select organization_id, count(distinct user_id)::float8 as users
      from used join organizations t on t.id = organization_id and t.kind = 'team'
      group by organization_id order by users desc, organization_id limit ${top}
    )
    select o.id, o.name, m.users from most m join organizations o on o.id = m.organization_id
    order by m.users desc, o.id`;
}

export async function countFactorAdoption(sql: Sql, limit: number): Promise<FactorAdoption> {
  const [row] = await sql<FactorAdoption[]>`
    with apps as materialized (
      select user_id from totp_factors where confirmed_at is not null limit ${limit}
    ), keys as materialized (
      select distinct user_id from (select user_id from passkeys where deleted_at is null limit ${limit}) as live
    )
    select (select count(*) from apps)::float8 as authenticator, (select count(*) from keys)::float8 as passkey,
           (select count(*) from (select user_id from apps union select user_id from keys) as e)::float8 as either`;
  return row ?? { authenticator: 0, passkey: 0, either: 0 };
}

/** The users created in a period per bucket, oldest first, without empty buckets, by the index of the creation. */
export async function chartNewUsers(
  sql: Sql,
  { from, to, stepSeconds }: { readonly from: Date; readonly to: Date; readonly stepSeconds: number },
  limit: number,
): Promise<CreatedUsers[]> {
  return await sql<CreatedUsers[]>`
    select date_bin(make_interval(secs => ${stepSeconds}), created_at, 'epoch') as at, count(*)::float8 as count
    from (
      select created_at from users where created_at >= ${from} and created_at < ${to}
      order by created_at desc nulls first limit ${limit}
    ) as created
    group by 1 order by 1`;
}
