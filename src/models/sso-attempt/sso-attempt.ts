import type { ssoAttempts } from "../../../db/schema/sso-connections.ts";
import type { Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { SSO_ATTEMPTS_MAX, SSO_UNREQUESTED_ATTEMPTS_MAX } from "../../limits/sso-sign-in-limits.ts";

export type NewSsoAttempt = RowOf<typeof ssoAttempts>;

/**
 * Inserts an attempt and deletes the oldest attempts beyond the places of the connection; a message without a live
 * request competes for a share of the places only. A connection deleted meanwhile keeps no attempts.
 */
export async function insertSsoAttempt(sql: Sql, attempt: NewSsoAttempt): Promise<void> {
  const { connectionId, requested } = attempt;
  const places = requested ? SSO_ATTEMPTS_MAX : SSO_UNREQUESTED_ATTEMPTS_MAX;
  const competing = requested ? sql`` : sql`and not requested`;
  await sql`
    with surplus as (
      delete from sso_attempts where id in (
        select id from sso_attempts where connection_id = ${connectionId} ${competing}
        order by at desc, id desc offset ${places - 1}
      )
    )
    insert into sso_attempts (id, connection_id, at, outcome, reason, step, requested, email, request_id, user_id)
    select ${attempt.id}::uuid, c.id, ${attempt.at}::timestamptz, ${attempt.outcome}::text, ${attempt.reason}::text,
           ${attempt.step}::text, ${requested}::boolean, ${attempt.email}::text, ${attempt.requestId}::text,
           ${attempt.userId}::uuid
    from sso_connections c where c.id = ${connectionId}`;
}

/** Deletes a bounded batch of attempts before `before`; returns how many. */
export async function deleteOldSsoAttempts(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from sso_attempts where id in (
      select id from sso_attempts where at < ${before} order by at limit ${batch} for update skip locked
    )`;
  return deleted.count;
}
