import type { Sql } from "../../database/database.ts";

/** Whose departed sessions. */
export interface DepartedMember {
  readonly organizationId: string;
  /** Null: of all users. */
  readonly userId: string | null;
  /** Null: all. */
  readonly limit: number | null;
}

/**
 * Live sessions that stand in another organization now and had left this one after `since`, locked, the newest first. A
 * trigger on sessions writes the departures. To be called after the sessions in the organization were locked, as a
 * statement of its own: it then sees those that were leaving meanwhile.
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
