/** Deletion of refused requests past their retention. */
import type { Sql } from "../../database/database.ts";
import { DIRECTORY_REQUESTS_MAX } from "../../limits/directory-limits.ts";

export async function deleteOldRequests(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from directory_requests where id in (
      select id from directory_requests where at < ${before} order by at limit ${batch} for update skip locked
    )`;
  return deleted.count;
}

/** Deletes requests beyond the newest `DIRECTORY_REQUESTS_MAX` of each directory. */
export async function deleteSurplusRequests(sql: Sql, _before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from directory_requests where id in (
      select r.id from directories d cross join lateral (
        select id from directory_requests where directory_id = d.id
        order by at desc, id desc offset ${DIRECTORY_REQUESTS_MAX} limit ${batch}
      ) r
      limit ${batch}
    )`;
  return deleted.count;
}

/** Deletes the inactive records of erased users that did not change since `before`. */
export async function deleteErasedRecords(sql: Sql, before: Date, batch: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with deleted as (
      delete from directory_users where id in (
        select id from directory_users
        where user_id is null and link in ('domain', 'member') and not active and updated_at < ${before}
        order by updated_at limit ${batch} for update skip locked
      ) returning directory_id
    ),
    counts as (select directory_id, count(*)::int as count from deleted group by directory_id),
    counted as (
      update directories d set user_count = d.user_count - c.count from counts c where d.id = c.directory_id
    )
    select count(*)::int as count from deleted`;
  return row?.count ?? 0;
}
