import type { Sql } from "../../database/database.ts";

/** The departed sessions to find. */
export interface DepartedMember {
  readonly organizationId: string;
  /** Null: of all users. */
  readonly userId: string | null;
  /** Null: all. */
  readonly limit: number | null;
}

/**
 * Live sessions of a different organization that had left this organization after `since`, locked, the newest first. A
 * trigger on sessions writes the departures. Called after the sessions in the organization were locked, as a separate
 * statement: the statement then sees the sessions that were leaving meanwhile.
 */
export async function lockDepartedSessions(sql: Sql, departed: DepartedMember, since: Date): Promise<string[]> {
  const { organizationId, userId, limit } = departed;
  const rows = await sql<{ id: string }[]>`
    select s.id from session_departures d join sessions s on s.id = d.session_id
    where d.organization_id = ${organizationId} and d.left_at > ${since}
      and s.organization_id <> ${organizationId} and s.revoked_at is null and s.expires_at > ${since}
      and (${userId}::uuid is null or s.user_id = ${userId})
    order by s.id desc limit ${limit} for update of s`;
  return rows.map((row) => row.id);
}
