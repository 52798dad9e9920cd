import type { Sql } from "../../database/database.ts";

/** A time that is at most this old stays: parallel sign-ins would wait for the lock of the row. */
const PRECISION_SECONDS = 60;

/** Records a completed sign-in. Replicas hold no such times, so the revision stays. */
export async function markSuccess(sql: Sql, connectionId: string, at: Date): Promise<void> {
  await sql`
    update sso_connections set last_success_at = ${at}
    where id = ${connectionId}
      and (last_success_at is null or last_success_at < ${at}::timestamptz - interval '1 s' * ${PRECISION_SECONDS})`;
}
