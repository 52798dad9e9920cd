/** Sessions in an organization that requires single sign-on (docs/contract.md, section 29.46). */
import type { Sql } from "../../database/database.ts";
import { accessUntil } from "./session.ts";

export interface EnforcedSessions {
  readonly organizationId: string;
  /** Only sessions with a lower id: the pages go through the sessions once. */
  readonly before: string;
  /** As for `lockLiveSessions`. */
  readonly since: Date;
  readonly limit: number;
}

/**
 * A page of the live sessions in the organization that are not bound, the newest first. Reads no rule: the rule would
 * be evaluated for all sessions of the organization at each page.
 */
export async function listUnboundSessions(
  sql: Sql,
  { organizationId, before, since, limit }: EnforcedSessions,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select s.id from sessions s
    where s.organization_id = ${organizationId} and s.revoked_at is null and s.expires_at > ${since}
      and not s.organization_bound and s.id < ${before}
    order by s.id desc limit ${limit}`;
  return rows.map((row) => row.id);
}

/**
 * The live sessions among the given sessions to which the organization no longer gives access, locked. Rows that
 * another transaction holds are skipped: two replicas may do the work at once.
 */
export async function lockSessionsWithoutAccess(sql: Sql, ids: readonly string[], at: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select s.id from sessions s
    where s.id = any(${[...ids]}::uuid[]) and s.revoked_at is null and ${accessUntil(sql)} <= ${at}
    order by s.id desc for update skip locked`;
  return rows.map((row) => row.id);
}
