/** Reads the log of session events, which revocation.ts writes (docs/decisions/0002). */
import { crc32 } from "node:zlib";
import type { Fragment, Sql } from "../../database/database.ts";
import { type EventRow, eventColumns, type SessionEvent, toEvent } from "./revocation.ts";

/** How far a reader has read the log of one database. Opaque to all but this file. */
export interface LogPosition {
  /**
   * Identifies a running database: the start time of the server and the object id of the database. Start time or id
   * differ for a restored copy, a promoted standby and a different database with an equal name, where earlier
   * transaction ids have no meaning.
   */
  readonly database: string;
  /** Every transaction below the watermark has ended, so no older event can still appear. */
  readonly watermark: string;
  /**
   * The transactions from the watermark on that the reading could not see: the transactions open then, and all from
   * `next` on.
   */
  readonly open: readonly string[];
  readonly next: string;
}

export const LOG_START: LogPosition = { database: "", watermark: "0", open: [], next: "0" };

/**
 * The position for the next reading after a failure, with all transactions from the watermark on unread: PostgreSQL may
 * have crashed, and may assign transaction ids again that this reader counts as read.
 */
export function afterFailure(position: LogPosition): LogPosition {
  return { ...position, open: [], next: position.watermark };
}

/** Events that a reader at a position may not have seen, and the position to remember next. */
export interface EventsRead {
  readonly events: readonly SessionEvent[];
  readonly position: LogPosition;
}

/**
 * Reads the log from a position, in batches: the events of transactions that the previous reading could not see. In a
 * database that differs from the database of the position, or where transaction ids have gone back, the reading starts
 * from the beginning (G40). A standby does not report which transactions are open: all events from the watermark on are
 * read again.
 */
export async function eventsSince(sql: Sql, from: LogPosition, at: Date, batch: number): Promise<EventsRead> {
  const { rows, ...position } = await readBatch(sql, from, LOG_BEGIN, at, batch);
  const events = rows.map(toEvent);
  for (let last = rows; last.length === batch; ) {
    const read = await readBatch(sql, from, last.at(-1) ?? LOG_BEGIN, at, batch);
    if (read.database !== position.database) throw new Error("the database was replaced while its log was read");
    last = read.rows;
    events.push(...last.map(toEvent));
  }
  return { events, position };
}

/** The order of the log. */
interface LogKey {
  readonly xid: string;
  readonly id: string;
}

const LOG_BEGIN: LogKey = { xid: "0", id: "0" };

async function readBatch(sql: Sql, from: LogPosition, after: LogKey, at: Date, batch: number) {
  const afterXid = sql`${after.xid}::text::xid8`;
  const events = (where: Fragment) => sql`
    (select ${eventColumns(sql)}, e.xid as transaction, e.id from session_events e
     where ${where} and e.expires_at > ${at}
     order by e.xid, e.id limit ${batch})`;
  // Each part of the union begins to read the index where the events of the part begin.
  const rows = await sql<(EventRow & LogKey & LogPosition)[]>`
    with now as materialized (
      select concat_ws('/', extract(epoch from pg_postmaster_start_time()), d.oid) as database,
             pg_snapshot_xmin(s) as watermark,
             case when pg_is_in_recovery() then pg_snapshot_xmin(s) else pg_snapshot_xmax(s) end as next,
             array(select pg_snapshot_xip(s)::text) as open
      from pg_database d, pg_current_snapshot() s where d.datname = current_database()
    ),
    continued as materialized (
      select *, database = ${from.database} and watermark >= ${from.watermark}::text::xid8
        and next >= ${from.next}::text::xid8 as continues from now
    ),
    source as materialized (
      select *, greatest(case when continues then ${from.next}::text::xid8 end, ${afterXid}) as begin from continued
    )
    select source.database, source.watermark::text as watermark, source.next::text as next, source.open, e.*
    from source left join lateral (
      select * from (
        ${events(sql`(e.xid, e.id) > (begin, case when begin = ${afterXid} then ${after.id}::bigint else 0 end)`)}
        union all
        ${events(sql`continues and e.xid = any(${[...from.open]}::text[]::xid8[])
          and (e.xid, e.id) > (${afterXid}, ${after.id}::bigint)`)}
      ) e
      order by e.transaction, e.id limit ${batch}
    ) e on true`;
  const [now] = rows;
  if (!now) throw new Error("the database did not return its identity");
  const { database, watermark, open, next } = now;
  return { database, watermark, open, next, rows: rows.filter((row) => row.sessionId !== null) };
}

const CURSOR_DIGITS = 19;
const CURSOR_DATABASE_DIGITS = 5;

/**
 * A position as the public feed returns the cursor: five digits that identify the database, then the watermark. Digits
 * only, because versions before 0.2 accept only digits: these versions read such a cursor as a position in the future
 * and return everything.
 */
export function cursorOf({ database, watermark }: LogPosition): string {
  return databaseDigits(database) + watermark.padStart(CURSOR_DIGITS - CURSOR_DATABASE_DIGITS, "0");
}

/**
 * The first transaction id whose events a reader with this cursor needs. Undefined means from the beginning: the cursor
 * belongs to a different database, to the future, or to a version whose cursors did not identify the database.
 */
export function readCursor(cursor: string, { database, watermark }: LogPosition): bigint | undefined {
  if (cursor.length !== CURSOR_DIGITS || !cursor.startsWith(databaseDigits(database))) return undefined;
  const xid = BigInt(cursor.slice(CURSOR_DATABASE_DIGITS));
  return xid > BigInt(watermark) ? undefined : xid;
}

function databaseDigits(database: string): string {
  return String(10_000 + (crc32(database) % 90_000));
}
