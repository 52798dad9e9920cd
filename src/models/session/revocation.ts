import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import { type Cte, cte, lockName } from "../../database/statement.ts";
import { type SessionReach, withinReach } from "./session.ts";

export type RevocationReason =
  | "key_revoked"
  | "logout"
  | "user_request"
  | "refresh_reuse"
  | "password_changed"
  | "password_reset"
  | "control_proven"
  | "email_reverted"
  | "sign_in_disowned"
  /** The user ended what was set up before a reset of the password. */
  | "credentials_ended"
  /** The organization moved the managed account to another mailbox. */
  | "managed_address_changed"
  | "mfa_reset"
  | "member_removed"
  | "organization_left"
  | "surplus"
  | "organization_suspended"
  | "user_disabled"
  | "user_deletion"
  | "administrator_request"
  /** The identity provider of the organization ended the session. */
  | "idp_logout"
  /** The connection of a bound session was deactivated or deleted, or its link to the user was removed. */
  | "sso_connection_ended"
  /** The organization requires single sign-on. */
  | "sso_required"
  /** The session does not comply with a policy of the organization. */
  | "policy"
  /** The directory of the organization deactivated or deleted the member. */
  | "directory_deactivated"
  /** The person behind the connection of a bound session lacks the new power of the member. */
  | "power_not_covered";

/**
 * A row of the log of session events, in the form that replicas exchange. An API key ends and changes through this log:
 * the key's id then stands for the session's id. The id of an organization in `organization_changed` also takes the
 * place of a session id: the cached views of all sessions of the organization are stale. Times are milliseconds.
 */
export interface SessionEvent {
  readonly sessionId: string;
  readonly kind: "revoked" | "changed" | "organization_changed";
  readonly reason: string;
  readonly at: number;
  /** Expiry of the last access token that this event concerns. */
  readonly expiresAt: number;
  /** The id of the writing transaction, in decimal: the order in which readers follow the log. */
  readonly xid: string;
}

export interface Revocation {
  readonly reason: RevocationReason;
  readonly at: Date;
  /** When the last access token of the session has expired: `at` plus its lifetime plus the clock skew. */
  readonly tokensDeadAt: Date;
}

/**
 * Redis stream of session events between replicas. If the stream is lost, replicas read `session_events` (see
 * `eventsSince`).
 */
export const SESSION_EVENT_STREAM = "service:session-events";

/** CTE fragment: revokes the live sessions among the given sessions, restricted to the user if given. */
export function revokeSessions(
  sql: Sql,
  sessionIds: readonly string[],
  userId: string | null,
  revocation: Revocation,
): Fragment {
  return sql`
    update sessions set revoked_at = ${revocation.at}, revoked_reason = ${revocation.reason}
    where id = any(${[...sessionIds]}::uuid[]) and revoked_at is null
      and (${userId}::uuid is null or user_id = ${userId})
    returning id, user_id, organization_id`;
}

/** CTE fragment: inserts the event of each session of `revoked`, the CTE of `revokeSessions`. */
export function logRevocations(sql: Sql, revoked: Cte, revocation: Revocation): Fragment {
  return sql`
    insert into session_events (session_id, kind, reason, at, expires_at)
    select id, 'revoked', ${revocation.reason}, ${revocation.at}::timestamptz, ${revocation.tokensDeadAt}::timestamptz
    from ${revoked}
    returning session_id, kind, reason, at, expires_at, xid`;
}

/** CTE fragment: inserts the event that cached views of each session of `changed` (`id`) are stale. */
export function logChange(sql: Sql, changed: Cte, reason: string, at: Date, tokensDeadAt: Date): Fragment {
  return sql`
    insert into session_events (session_id, kind, reason, at, expires_at)
    select id, 'changed', ${reason}, ${at}::timestamptz, ${tokensDeadAt}::timestamptz from ${changed}
    returning session_id, kind, reason, at, expires_at, xid`;
}

/** CTE fragment: inserts the event that cached views of all sessions of an organization are stale. */
export function logOrganizationChange(
  sql: Sql,
  organizationId: string,
  reason: string,
  at: Date,
  tokensDeadAt: Date,
): Fragment {
  return sql`
    insert into session_events (session_id, kind, reason, at, expires_at)
    values (${organizationId}, 'organization_changed', ${reason}, ${at}, ${tokensDeadAt})
    returning session_id, kind, reason, at, expires_at, xid`;
}

/**
 * Inserts the events that cached views of all live sessions of a user are stale. Returns the events, to announce after
 * the commit.
 */
export async function logChangeOfUser(
  sql: Sql,
  userId: string,
  reason: string,
  at: Date,
  tokensDeadAt: Date,
): Promise<SessionEvent[]> {
  const rows = await sql<EventRow[]>`
    with changed as (
      select id from sessions where user_id = ${userId} and revoked_at is null and expires_at > ${at}
    ),
    events as (${logChange(sql, cte(sql, "changed"), reason, at, tokensDeadAt)})
    select ${eventColumns(sql)} from events e`;
  return rows.map(toEvent);
}

/** The reason of a change of roles: cached views of the sessions are stale. */
export const ROLES_CHANGED = "roles_changed";

/** Why and when cached views of sessions became stale. */
export interface StaleViews {
  readonly reason: string;
  readonly at: Date;
  /** When the last access token from before the change has expired. */
  readonly tokensDeadAt: Date;
}

/** As `logChangeOfUser`, for the sessions of members in an organization. */
export async function logChangeOfMembers(
  sql: Sql,
  organizationId: string,
  userIds: readonly string[],
  { reason, at, tokensDeadAt }: StaleViews,
): Promise<SessionEvent[]> {
  const rows = await sql<EventRow[]>`
    with changed as (
      select id from sessions
      where organization_id = ${organizationId} and user_id = any(${[...userIds]}::uuid[]) and revoked_at is null
        and expires_at > ${at}
    ),
    events as (${logChange(sql, cte(sql, "changed"), reason, at, tokensDeadAt)})
    select ${eventColumns(sql)} from events e`;
  return rows.map(toEvent);
}

/** As `logChangeOfUser`, with one event for all sessions of an organization. */
export async function logChangeOfOrganization(
  sql: Sql,
  organizationId: string,
  { reason, at, tokensDeadAt }: StaleViews,
): Promise<SessionEvent[]> {
  const rows = await sql<EventRow[]>`
    with events as (${logOrganizationChange(sql, organizationId, reason, at, tokensDeadAt)})
    select ${eventColumns(sql)} from events e`;
  return rows.map(toEvent);
}

/** The event that `logChange` inserted, for `revocations.announce`. `xid`: as the CTE returned the id. */
export function changeEvent(
  sessionId: string,
  reason: string,
  at: Date,
  tokensDeadAt: Date,
  xid: string,
): SessionEvent {
  return { sessionId, kind: "changed", reason, at: at.getTime(), expiresAt: tokensDeadAt.getTime(), xid };
}

/** Inside a transaction: revocations of one token run in sequence, so that a second revocation finds the first. */
export async function lockTokenRevocation(sql: Sql, id: string): Promise<void> {
  await lockName(sql, `revocation of ${id}`);
}

/**
 * CTE fragment: inserts the event of one token without a session, and returns the event; once, if the transaction has
 * locked the revocation.
 */
export function logTokenRevocation(
  sql: Sql,
  revocation: { readonly id: string; readonly at: Date; readonly tokenDeadAt: Date },
): Fragment {
  return sql`
    insert into session_events (session_id, kind, reason, at, expires_at)
    select ${revocation.id}::uuid, 'revoked', 'token_revoked', ${revocation.at}::timestamptz,
           ${revocation.tokenDeadAt}::timestamptz
    where not exists (select 1 from session_events where session_id = ${revocation.id} and reason = 'token_revoked')
    returning session_id, kind, reason, at, expires_at, xid`;
}

export type EventRow = Omit<SessionEvent, "at" | "expiresAt"> & { readonly at: Date; readonly expiresAt: Date };

/** Columns of `SessionEvent`, of the alias `e`. */
export function eventColumns(sql: Sql): Fragment {
  return sql`e.session_id as "sessionId", e.kind, e.reason, e.at, e.expires_at as "expiresAt", e.xid::text as xid`;
}

export function toEvent({ sessionId, kind, reason, at, expiresAt, xid }: EventRow): SessionEvent {
  return { sessionId, kind, reason, at: at.getTime(), expiresAt: expiresAt.getTime(), xid };
}

/** Whether the log has the revocation of a token that belongs to no session (`logTokenRevocation`). */
export async function isTokenRevoked(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`select 1 from session_events where session_id = ${id} and reason = 'token_revoked' limit 1`;
  return rows.length > 0;
}

/**
 * The live sessions of a user, locked, so that no session is rotated meanwhile. Against deadlocks, each statement that
 * locks several sessions locks the newest first. `since`: see `tokensLiveSince` (flows/steps/sessions/end-sessions.ts).
 */
export async function lockLiveSessions(
  sql: Sql,
  reach: SessionReach,
  except: string | undefined,
  since: Date,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from sessions
    where ${withinReach(sql, reach)} and revoked_at is null and expires_at > ${since}
      and id is distinct from ${except ?? null}::uuid
    order by id desc for update`;
  return rows.map((row) => row.id);
}

/** The live sessions of a user that no connection of an organization bounds, locked. */
export async function lockUnboundSessions(sql: Sql, userId: string, since: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from sessions
    where user_id = ${userId} and not organization_bound and revoked_at is null and expires_at > ${since}
    order by id desc for update`;
  return rows.map((row) => row.id);
}

/** The user's live sessions in an organization, locked. */
export async function sessionsIn(sql: Sql, organizationId: string, userId: string, since: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from sessions
    where organization_id = ${organizationId} and user_id = ${userId} and revoked_at is null and expires_at > ${since}
    order by id desc for update`;
  return rows.map((row) => row.id);
}

/** At most `limit` live sessions in an organization, locked, the newest first. */
export async function liveSessionsOf(sql: Sql, organizationId: string, since: Date, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from sessions where organization_id = ${organizationId} and revoked_at is null and expires_at > ${since}
    order by id desc limit ${limit} for update`;
  return rows.map((row) => row.id);
}

/** Deletes at most `batch` events whose tokens expired before `before`; returns how many. */
export const deleteExpiredEvents = deleteRowsBefore("session_events", "expires_at");
