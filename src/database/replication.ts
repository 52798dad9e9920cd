/** Positions in the log of PostgreSQL, for the comparison of a standby with the primary. */
import type { Sql } from "./database.ts";

export interface LogPoint {
  /** Cluster and timeline: positions of different histories do not compare. */
  readonly history: string;
  readonly lsn: bigint;
}

/** A moment at which the primary's log had reached a point. */
export interface Position extends LogPoint {
  /** Monotonic milliseconds, before the primary was asked. */
  readonly at: number;
}

/** Every earlier acknowledged commit has a lower position. */
export async function primaryPosition(sql: Sql): Promise<LogPoint> {
  const [row] = await sql`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as lsn,
           concat_ws('/', system_identifier,
             ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int) as history
    from pg_control_system()`;
  return { history: String(row?.history), lsn: BigInt(row?.lsn) };
}

/**
 * The replayed position of a standby; `undefined` for a server that replays no log, such as a promoted standby. After a
 * failover the timeline is the old timeline until the standby's next restartpoint.
 */
export async function replayedPosition(sql: Sql): Promise<LogPoint | undefined> {
  const [row] = await sql`
    select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as lsn, pg_is_in_recovery() as standby,
           concat_ws('/', system_identifier, timeline_id) as history
    from pg_control_system(), pg_control_checkpoint()`;
  return row?.standby && row.lsn !== null ? { history: String(row.history), lsn: BigInt(row.lsn) } : undefined;
}

/**
 * The moment up to which a standby certainly has all commits: the moment of the newest position at or below the
 * replayed position; -Infinity without such a position. `positions`: oldest first.
 */
export function coveredUntil(positions: readonly Position[], replayed: LogPoint): number {
  const covered = positions.findLast(({ history, lsn }) => history === replayed.history && lsn <= replayed.lsn);
  return covered?.at ?? Number.NEGATIVE_INFINITY;
}
