/** The sessions of a user beyond the bound; the oldest end. */
import type { Fragment, Sql } from "../../database/database.ts";
import { EXCESS_SESSIONS_AT_ONCE, SESSIONS_PER_USER_MAX } from "../../limits/session-limits.ts";

/**
 * Sessions with a bound of their own: the sessions of a user that are bound to an organization, or to none (null). The
 * identity provider of an organization can begin any number of sessions, and must end no session of the user elsewhere.
 */
export interface SessionShare {
  readonly userId: string;
  readonly boundTo: string | null;
}

function isIn(sql: Sql, { userId, boundTo }: SessionShare): Fragment {
  if (boundTo === null) return sql`user_id = ${userId} and not organization_bound`;
  return sql`user_id = ${userId} and organization_bound and organization_id = ${boundTo}`;
}

/** Whether a share with one more session now has more than `SESSIONS_PER_USER_MAX`. */
export function hasExcessSessions(sql: Sql, share: SessionShare, at: Date): Fragment {
  return sql`
    exists (select from sessions where ${isIn(sql, share)} and revoked_at is null and expires_at > ${at}
            offset ${SESSIONS_PER_USER_MAX - 1})`;
}

/** The oldest of the live sessions of a share beyond `SESSIONS_PER_USER_MAX`, some of them, locked. */
export async function excessSessions(sql: Sql, share: SessionShare, at: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from sessions
    where revoked_at is null and id in (
      select id from sessions where ${isIn(sql, share)} and revoked_at is null and expires_at > ${at}
      order by created_at desc, id desc offset ${SESSIONS_PER_USER_MAX} limit ${EXCESS_SESSIONS_AT_ONCE}
    )
    order by id desc for update`;
  return rows.map((row) => row.id);
}
