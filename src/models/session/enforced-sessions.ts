/** Sessions in an organization whose rules end sessions (docs/contract.md, sections 29.46 and 33.5). */
import type { Sql } from "../../database/database.ts";
import { sessionAccess } from "../conditions/organization-access.ts";

export interface EnforcedSessions {
  readonly organizationId: string;
  /** Only sessions with a lower id: the pages go through the sessions once. */
  readonly before: string;
  /** As for `lockLiveSessions`. */
  readonly since: Date;
  readonly limit: number;
}

/**
 * A page of the live sessions in the organization, the newest first. Reads no rule: the rule would be evaluated for all
 * sessions of the organization at each page.
 */
export async function listEnforcedSessions(
  sql: Sql,
  { organizationId, before, since, limit }: EnforcedSessions,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select s.id from sessions s
    where s.organization_id = ${organizationId} and s.revoked_at is null and s.expires_at > ${since}
      and s.id < ${before}
    order by s.id desc limit ${limit}`;
  return rows.map((row) => row.id);
}

/** A session to end, and the reason in the log. */
export interface EnforcedEnd {
  readonly id: string;
  readonly reason: "policy" | "sso_required";
}

/**
 * The live sessions among the given sessions to which the organization no longer gives access, locked. Rows that
 * another transaction holds are skipped: two replicas may do the work at once.
 */
export async function lockSessionsWithoutAccess(sql: Sql, ids: readonly string[], at: Date): Promise<EnforcedEnd[]> {
  return await sql<EnforcedEnd[]>`
    select s.id, case when access.sso_until <= ${at} then 'sso_required' else 'policy' end as reason
    from sessions s cross join lateral ${sessionAccess(sql, at)} access
    where s.id = any(${[...ids]}::uuid[]) and s.revoked_at is null and access.access_until <= ${at}
    order by s.id desc for update of s skip locked`;
}
