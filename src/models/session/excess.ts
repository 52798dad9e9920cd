/** The sessions of a user beyond the bound; the oldest end. */
import type { Fragment, Sql } from "../../database/database.ts";
import { EXCESS_SESSIONS_AT_ONCE, SESSIONS_PER_USER_MAX } from "../../limits/session-limits.ts";

/** Whether a user with one more session now has more than `SESSIONS_PER_USER_MAX`. */
export function hasExcessSessions(sql: Sql, userId: string, at: Date): Fragment {
  return sql`
    exists (select from sessions where user_id = ${userId} and revoked_at is null and expires_at > ${at}
            offset ${SESSIONS_PER_USER_MAX - 1})`;
}

/** The oldest of the user's live sessions beyond `SESSIONS_PER_USER_MAX`, some of them, locked. */
export async function excessSessions(sql: Sql, userId: string, at: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from sessions
    where revoked_at is null and id in (
      select id from sessions where user_id = ${userId} and revoked_at is null and expires_at > ${at}
      order by created_at desc, id desc offset ${SESSIONS_PER_USER_MAX} limit ${EXCESS_SESSIONS_AT_ONCE}
    )
    order by id desc for update`;
  return rows.map((row) => row.id);
}
