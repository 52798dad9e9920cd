/** Deletion of refused requests and records past their retention. */
import type { Sql } from "../../database/database.ts";
import { deleteRowsBefore, deleteSurplusRows } from "../../database/retention.ts";
import { DIRECTORY_REQUESTS_MAX } from "../../limits/directory-limits.ts";

export const deleteOldRequests = deleteRowsBefore("directory_requests", "at");

export const deleteSurplusRequests = deleteSurplusRows({
  table: "directory_requests",
  parent: "directories",
  reference: "directory_id",
  max: DIRECTORY_REQUESTS_MAX,
});

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
