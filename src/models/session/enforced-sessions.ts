/** Sessions in an organization that requires single sign-on (docs/contract.md, section 29.46). */
import type { Sql } from "../../database/database.ts";
import { accessUntil } from "./session.ts";

export interface EnforcedSessions {
  readonly organizationId: string;
  /** Only sessions with a lower id: the batches go through the sessions once. */
  readonly before: string;
  /** As for `lockLiveSessions`. */
  readonly since: Date;
  readonly at: Date;
  readonly limit: number;
}

/**
 * At most `limit` live sessions to which the organization no longer gives access, locked, the newest first. Rows that
 * another transaction holds are skipped: two replicas may do the work at once.
 */
export async function lockSessionsWithoutAccess(
  sql: Sql,
  { organizationId, before, since, at, limit }: EnforcedSessions,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select s.id from sessions s
    where s.organization_id = ${organizationId} and s.revoked_at is null and s.expires_at > ${since}
      and not s.organization_bound and s.id < ${before} and ${accessUntil(sql)} <= ${at}
    order by s.id desc limit ${limit} for update skip locked`;
  return rows.map((row) => row.id);
}
