/** Sessions that began at a connection of an organization (docs/contract.md, chapter 29). */
import type { Sql } from "../../database/database.ts";

/** The sessions of a connection; with subject or session index, the sessions with equal values. */
export interface ConnectionSessions {
  readonly connectionId: string;
  readonly subjectHash?: Buffer | undefined;
  /** The `sid` of the identity provider. */
  readonly sessionIndex?: string | undefined;
}

/** At most `limit` live sessions of a connection, locked, the newest first. `since`: as for `lockLiveSessions`. */
export async function lockConnectionSessions(
  sql: Sql,
  { connectionId, subjectHash, sessionIndex }: ConnectionSessions,
  since: Date,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from sessions
    where sso_connection_id = ${connectionId} and revoked_at is null and expires_at > ${since}
      and (${subjectHash ?? null}::bytea is null or sso_subject_hash = ${subjectHash ?? null})
      and (${sessionIndex ?? null}::text is null or sso_session_index = ${sessionIndex ?? null})
    order by id desc limit ${limit} for update`;
  return rows.map((row) => row.id);
}
