/** Single questions and changes about the sessions of a user. */
import type { Sql } from "../../database/database.ts";
import { REGISTRATION_STATEMENT_MS } from "../../limits/session-limits.ts";
import { type SessionReach, withinReach } from "./session.ts";

/** The User-Agent of a session, live or not, of this user; undefined for the session of another user. */
export async function findSessionDevice(
  sql: Sql,
  sessionId: string,
  userId: string,
): Promise<{ userAgent: string | null } | undefined> {
  const [row] = await sql<{ userAgent: string | null }[]>`
    select user_agent as "userAgent" from sessions where id = ${sessionId} and user_id = ${userId}`;
  return row;
}

/** Whether a session, live or not, is within reach (docs/contract.md, section 7.7). */
export async function reachesSession(sql: Sql, sessionId: string, reach: SessionReach): Promise<boolean> {
  const rows = await sql`select 1 from sessions where id = ${sessionId} and ${withinReach(sql, reach)}`;
  return rows.length > 0;
}

/**
 * Whether a session began with the registration of its user: the first session of the user, within
 * `REGISTRATION_STATEMENT_MS` of the user's creation.
 */
export async function isSessionOfRegistration(sql: Sql, sessionId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId}
      and s.created_at <= u.created_at + interval '1 ms' * ${REGISTRATION_STATEMENT_MS}::integer
      and not exists (select 1 from sessions o where o.user_id = s.user_id and o.created_at < s.created_at)`;
  return rows.length > 0;
}

/** Replaces the address in the claims of a user's live sessions with such a claim. */
export async function updateEmailClaims(sql: Sql, userId: string, email: string): Promise<void> {
  await sql`
    update sessions set email_claim = ${email}
    where user_id = ${userId} and email_claim is not null and revoked_at is null`;
}
