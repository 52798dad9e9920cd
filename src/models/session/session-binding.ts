import type { Sql } from "../../database/database.ts";

/** The connection and the subject that began a bound session. */
export interface StoredBinding {
  readonly connectionId: string;
  readonly subjectHash: Buffer;
}

/** The binding of a live session; undefined for a session that another sign-in method began. */
export async function findSessionBinding(sql: Sql, sessionId: string, at: Date): Promise<StoredBinding | undefined> {
  const [row] = await sql<StoredBinding[]>`
    select sso_connection_id as "connectionId", sso_subject_hash as "subjectHash" from sessions
    where id = ${sessionId} and organization_bound and sso_connection_id is not null and sso_subject_hash is not null
      and revoked_at is null and expires_at > ${at}`;
  return row;
}
