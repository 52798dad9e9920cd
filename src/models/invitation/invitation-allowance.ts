import type { Sql } from "../../database/database.ts";
import { lockName } from "../../database/statement.ts";

/**
 * The times after `since` at which a user, or an API key of the user, created or resent invitations, newest first, at
 * most `limit`. The times are read from the audit trail, which has one entry per email. A named lock makes concurrent
 * senders wait: a lock of the user's row before the memberships would deadlock with sign-ins and changes of roles,
 * which lock memberships before users. `actorId`: the present sender, user or key.
 */
export async function lockRecentInvitations(
  sql: Sql,
  userId: string,
  actorId: string,
  since: Date,
  limit: number,
): Promise<Date[]> {
  await lockName(sql, `invitations of ${userId}`);
  const rows = await sql<{ timestamp: Date }[]>`
    select timestamp from audit_logs
    where actor_id = any(array(
        select resource_id::uuid from audit_logs where actor_id = ${userId} and action = 'api_key.created'
      ) || ${[userId, actorId]}::uuid[])
      and action in ('invitation.created', 'invitation.resent') and timestamp > ${since}
    order by id desc limit ${limit}`;
  return rows.map(({ timestamp }) => timestamp);
}
