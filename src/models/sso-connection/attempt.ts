/** The last attempts of a connection, for the administrators of the organization. */
import type { ssoAttempts } from "../../../db/schema/sso-connections.ts";
import type { Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import { SSO_ATTEMPTS_MAX } from "../../limits/sso-limits.ts";
import { SSO_UNREQUESTED_ATTEMPTS_MAX } from "../../limits/sso-sign-in-limits.ts";

/** What an accepted response did not change; null: nothing. */
export type AttemptWarning = SsoAttempt["warning"];

export type NewSsoAttempt = RowOf<typeof ssoAttempts>;
export type SsoAttempt = Omit<NewSsoAttempt, "connectionId" | "requested">;

/**
 * Inserts an attempt and deletes the oldest attempts beyond the places of the connection; a message without a live
 * request competes for a share of the places only. A connection deleted meanwhile keeps no attempts.
 */
export async function insertAttempt(sql: Sql, attempt: NewSsoAttempt): Promise<void> {
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
    insert into sso_attempts (id, connection_id, at, outcome, reason, warning, step, requested, email, request_id,
                              user_id)
    select ${attempt.id}::uuid, c.id, ${attempt.at}::timestamptz, ${attempt.outcome}::text, ${attempt.reason}::text,
           ${attempt.warning}::text, ${attempt.step}::text, ${requested}::boolean, ${attempt.email}::text,
           ${attempt.requestId}::text, ${attempt.userId}::uuid
    from sso_connections c where c.id = ${connectionId}`;
}

/** Whether a sign-in of a user was refused for a reason since a time. */
export async function hasAttemptSince(
  sql: Sql,
  { connectionId, userId, reason }: Pick<NewSsoAttempt, "connectionId" | "userId" | "reason">,
  since: Date,
): Promise<boolean> {
  const rows = await sql`
    select 1 from sso_attempts
    where connection_id = ${connectionId} and at > ${since} and user_id = ${userId} and reason = ${reason} limit 1`;
  return rows.length > 0;
}

/** A page of the attempts of a connection since a time, newest first, and the total. */
export async function listAttempts(
  sql: Sql,
  connectionId: string,
  since: Date,
  page: PageBounds,
): Promise<{ items: SsoAttempt[]; total: number }> {
  const rows = await sql<(SsoAttempt & { total: number })[]>`
    with found as (
      select * from sso_attempts where connection_id = ${connectionId} and at > ${since}
      order by at desc, id desc limit ${SSO_ATTEMPTS_MAX}
    )
    select counted.total, a.id, a.at, a.outcome, a.reason, a.warning, a.step, a.email,
           a.request_id as "requestId", a.user_id as "userId"
    from (select count(*)::int as total from found) counted
    left join lateral (select * from found order by at desc, id desc limit ${page.limit} offset ${page.offset}) a
    on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}
