import type { Sql } from "../../base/database.ts";

/**
 * When a user last had invitations mailed, by creating or resending them: after `since`, newest first, at most `most`.
 * The trail of audit entries is what counts, since it is written with each of them. The user's row is locked first, so
 * that parallel ones wait here.
 */
export async function lockRecentInvitations(sql: Sql, userId: string, since: Date, most: number): Promise<Date[]> {
  await sql`select 1 from users where id = ${userId} for no key update`;
  const rows = await sql<{ timestamp: Date }[]>`
    select timestamp from audit_logs
    where actor_id = ${userId} and action in ('invitation.created', 'invitation.resent') and timestamp > ${since}
    order by id desc limit ${most}`;
  return rows.map(({ timestamp }) => timestamp);
}
