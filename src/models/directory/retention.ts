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
