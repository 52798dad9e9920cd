/** Requests of a directory that were refused or accepted in part, for administrators, without values of a request. */
import type { directoryRequests } from "../../../db/schema/directories.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";

export type RefusedRequest = Omit<RowOf<typeof directoryRequests>, "directoryId">;

/** CTE fragment: inserts a refused request; one row (id), none for a deleted directory. */
export function insertRefusedRequest(sql: Sql, directoryId: string, request: RefusedRequest): Fragment {
  return sql`
    insert into directory_requests (id, directory_id, at, method, path, status, scim_type, detail, request_id)
    select ${request.id}::uuid, d.id, ${request.at}::timestamptz, ${request.method}, ${request.path}, ${request.status},
           ${request.scimType}, ${request.detail}, ${request.requestId}
    from directories d where d.id = ${directoryId} for key share
    returning id`;
}

/** The beginning of the detail of a refused deactivation that is reported to the owners. */
export const DEACTIVATION_REFUSED = "Deactivation refused. ";

/** Whether a deactivation by the method and path was refused, and reported, since a time. */
export async function wasDeactivationRefused(
  sql: Sql,
  directoryId: string,
  { method, path }: Pick<RefusedRequest, "method" | "path">,
  since: Date,
): Promise<boolean> {
  const rows = await sql`
    select 1 from directory_requests
    where directory_id = ${directoryId} and method = ${method} and path = ${path} and status >= 400 and at >= ${since}
      and starts_with(detail, ${DEACTIVATION_REFUSED})
    limit 1`;
  return rows.length > 0;
}

/** A page of refused requests, newest first, and the total. */
export async function listRefusedRequests(
  sql: Sql,
  directoryId: string,
  page: PageBounds,
): Promise<{ items: RefusedRequest[]; total: number }> {
  const [counted, items] = await Promise.all([
    sql<{ total: number }[]>`
      select count(*)::int as total from directory_requests where directory_id = ${directoryId}`,
    sql<RefusedRequest[]>`
      select id, at, method, path, status, scim_type as "scimType", detail, request_id as "requestId"
      from directory_requests where directory_id = ${directoryId}
      order by at desc, id desc limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total: counted[0]?.total ?? 0 };
}
