/** The last attempts of a connection, as administrators of the organization read attempts. */
import type { ssoAttempts } from "../../../db/schema/sso-connections.ts";
import type { Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import { SSO_ATTEMPTS_MAX } from "../../limits/sso-limits.ts";

export type SsoAttempt = Omit<RowOf<typeof ssoAttempts>, "connectionId" | "requested">;

/** A page of the attempts of a connection since a time, newest first, and the total. */
export async function listAttempts(
  sql: Sql,
  connectionId: string,
  since: Date,
  page: PageBounds,
): Promise<{ items: SsoAttempt[]; total: number }> {
  const rows = await sql<(SsoAttempt & { total: number })[]>`
    with found as (
      select * from sso_attempts where connection_id = ${connectionId} and at > ${since}
      order by at desc, id desc limit ${SSO_ATTEMPTS_MAX}
    )
    select counted.total, a.id, a.at, a.outcome, a.reason, a.step, a.email, a.request_id as "requestId",
           a.user_id as "userId"
    from (select count(*)::int as total from found) counted
    left join lateral (select * from found order by at desc, id desc limit ${page.limit} offset ${page.offset}) a
    on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}
