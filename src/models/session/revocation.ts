import { crc32 } from "node:zlib";
import type { Fragment, Sql } from "../../base/database.ts";
import { type Cte, cte, lockName } from "../../base/statement.ts";

export type RevocationReason =
  | "key_revoked"
  | "logout"
  | "user_request"
  | "refresh_reuse"
  | "password_changed"
  | "password_reset"
  | "control_proven"
  | "mfa_reset"
  | "member_removed"
  | "organization_left"
  | "surplus"
  | "organization_suspended"
  | "user_disabled"
  | "administrator_request";

/**
 * A row of the log of session events, as replicas send it to one another. An API key ends and changes through the same
 * log: its id then stands for the session's. So does the id of an organization in `organization_changed`: the cached
 * views of all its sessions are stale. Times are milliseconds.
 */
export interface SessionEvent {
  readonly sessionId: string;
  readonly kind: "revoked" | "changed" | "organization_changed";
  readonly reason: string;
  readonly at: number;
  /** When the last access token that this event concerns has expired. */
  readonly expiresAt: number;
  /** The id of the transaction that wrote it, in decimal: the order in which readers follow the log. */
  readonly xid: string;
}

export interface Revocation {
  readonly reason: RevocationReason;
  readonly at: Date;
  /** When the last access token of the session has expired: `at` plus its lifetime plus the clock skew. */
  readonly tokensDeadAt: Date;
}

/** Redis stream of session events between replicas. If it is lost they read `session_events` (see `eventsSince`). */
export const SESSION_EVENT_STREAM = "service:session-events";

/** CTE fragment: revokes those of the sessions that are live, and of the user if one is given. */
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
 * Inserts the events that cached views of all live sessions of a user are stale. Returns them, to announce after the
 * commit.
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

/** The event that `logChange` inserted, for `revocations.announce`. `xid`: as its CTE returned it. */
export function changeEvent(
  sessionId: string,
  reason: string,
  at: Date,
  tokensDeadAt: Date,
  xid: string,
): SessionEvent {
  return { sessionId, kind: "changed", reason, at: at.getTime(), expiresAt: tokensDeadAt.getTime(), xid };
}

/** Inside a transaction: revocations of one token follow one another, so that a second one finds the first. */
export async function lockTokenRevocation(sql: Sql, id: string): Promise<void> {
  await lockName(sql, `revocation of ${id}`);
}

/**
 * CTE fragment: inserts the event of one token that belongs to no session, and returns it; once, if the transaction has
 * locked its revocation.
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

type EventRow = Omit<SessionEvent, "at" | "expiresAt"> & { readonly at: Date; readonly expiresAt: Date };

/** Columns of `SessionEvent`, of the alias `e`. */
export function eventColumns(sql: Sql): Fragment {
  return sql`e.session_id as "sessionId", e.kind, e.reason, e.at, e.expires_at as "expiresAt", e.xid::text as xid`;
}

export function toEvent({ sessionId, kind, reason, at, expiresAt, xid }: EventRow): SessionEvent {
  return { sessionId, kind, reason, at: at.getTime(), expiresAt: expiresAt.getTime(), xid };
}

/** How far a reader has read the log of one database. Opaque to all but this file. */
export interface LogPosition {
  /**
   * Identifies a running database: the start time of its server and its object id. They differ for a restored copy, a
   * promoted standby and another database of the same name, where earlier transaction ids mean nothing.
   */
  readonly database: string;
  /** Every transaction below it has ended, so nothing older can still appear. */
  readonly watermark: string;
}

export const LOG_START: LogPosition = { database: "", watermark: "0" };

/** Events that a reader at a position may not have seen, and the position to remember next. */
export interface EventsRead {
  readonly events: readonly SessionEvent[];
  readonly position: LogPosition;
}

/**
 * Reads the log from a position, in batches. A transaction that is still open holds the watermark back, so that its
 * events are read later; events that committed after it are returned more than once, which is harmless. In a database
 * other than that of the position, or where transaction ids have gone back, it reads from the beginning (G40).
 */
export async function eventsSince(sql: Sql, from: LogPosition, at: Date, batch: number): Promise<EventsRead> {
  const begin = sql`(
    case when source.database = ${from.database} and source.horizon >= ${from.watermark}::text::xid8
      then ${from.watermark}::text::xid8 else '0'::xid8 end, 0)`;
  const first = await readBatch(sql, begin, at, batch);
  const events = first.rows.map(toEvent);
  for (let last = first; last.rows.length === batch; ) {
    const { xid, id } = last.rows.at(-1) as LogRow;
    last = await readBatch(sql, sql`(${xid}::text::xid8, ${id}::bigint)`, at, batch);
    if (last.database !== first.database) throw new Error("the database was replaced while its log was read");
    events.push(...last.rows.map(toEvent));
  }
  return { events, position: { database: first.database, watermark: first.horizon } };
}

/** Whether the log has the revocation of a token that belongs to no session (`logTokenRevocation`). */
export async function isTokenRevoked(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`select 1 from session_events where session_id = ${id} and reason = 'token_revoked' limit 1`;
  return rows.length > 0;
}

type LogRow = EventRow & { readonly id: string };
type Source = { readonly database: string; readonly horizon: string };

/** `after`: a pair of transaction id and row id. */
async function readBatch(sql: Sql, after: Fragment, at: Date, batch: number) {
  const rows = await sql<(LogRow & Source)[]>`
    select source.database, source.horizon::text as horizon, e.*
    from (
      select concat_ws('/', extract(epoch from pg_postmaster_start_time()), d.oid) as database,
             pg_snapshot_xmin(pg_current_snapshot()) as horizon
      from pg_database d where d.datname = current_database()
    ) source
    left join lateral (
      select ${eventColumns(sql)}, e.id from session_events e
      where (e.xid, e.id) > ${after} and e.expires_at > ${at}
      order by e.xid, e.id limit ${batch}
    ) e on true`;
  const [source] = rows;
  if (!source) throw new Error("the database does not say which one it is");
  const { database, horizon } = source;
  return { database, horizon, rows: rows.filter((row) => row.sessionId !== null) };
}

const CURSOR_DIGITS = 19;
const CURSOR_DATABASE_DIGITS = 5;

/**
 * A position as the public feed returns it: five digits that identify the database, then the watermark. Digits only,
 * because versions before 0.2 accept nothing else: they read such a cursor as a position in the future and return
 * everything.
 */
export function cursorOf({ database, watermark }: LogPosition): string {
  return databaseDigits(database) + watermark.padStart(CURSOR_DIGITS - CURSOR_DATABASE_DIGITS, "0");
}

/**
 * The first transaction id whose events a reader with this cursor needs. Undefined means from the beginning: the cursor
 * is of another database, of the future, or of a version whose cursors did not identify the database.
 */
export function readCursor(cursor: string, { database, watermark }: LogPosition): bigint | undefined {
  if (cursor.length !== CURSOR_DIGITS || !cursor.startsWith(databaseDigits(database))) return undefined;
  const xid = BigInt(cursor.slice(CURSOR_DATABASE_DIGITS));
  return xid > BigInt(watermark) ? undefined : xid;
}

function databaseDigits(database: string): string {
  return String(10_000 + (crc32(database) % 90_000));
}

/**
 * The user's live sessions, locked, so that none of them is rotated meanwhile. Against deadlocks, each statement that
 * locks several sessions locks the newest first. `since`: see `tokensLiveSince` (flows/steps/end-sessions.ts).
 */
export async function lockLiveSessions(
  sql: Sql,
  userId: string,
  except: string | undefined,
  since: Date,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from sessions
    where user_id = ${userId} and revoked_at is null and expires_at > ${since}
      and id is distinct from ${except ?? null}::uuid
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
export async function deleteExpiredEvents(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from session_events where id in (
      select id from session_events where expires_at < ${before}
      order by expires_at limit ${batch} for update skip locked
    )`;
  return deleted.count;
}
