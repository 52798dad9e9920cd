/** Finds out what a database URL really leads to: which server, through which kind of pooler, with which time-outs. */
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { DATABASE_CONNECT_TIMEOUT_SECONDS, DATABASE_STATEMENT_TIMEOUT_MS } from "../limits/limits.ts";
import { type Pooler, poolerSettings } from "./database.ts";
import { primaryPosition, replayedPosition } from "./replication.ts";

/** How long the second of two connections may take: it waits forever behind a pooler with one connection. */
const SECOND_CONNECTION_DEADLINE_MS = 2_000;
const ROUNDS = 4;

export interface ConnectionReport {
  /** For example `18.1`. */
  readonly version: string;
  /** Whether the server has 64-bit transaction ids (`xid8`, PostgreSQL 13), which the revocation log compares. */
  readonly hasXid8: boolean;
  /** What was found in between. `session` also stands for a pooler whose mode did not show. */
  readonly pooler: Pooler;
  /** Identifies the running database, whatever the way to it. */
  readonly database: string;
  /** The role that statements run as. */
  readonly role: string;
}

/** Rejects when the database cannot be reached. The connections have no parameter that a pooler could refuse. */
export async function inspectConnection(url: string): Promise<ConnectionReport> {
  const [one, other] = [openPlain(url), openPlain(url)];
  try {
    const [server] = await one`
      select current_setting('server_version') as version, to_regtype('xid8') is not null as "hasXid8",
             concat_ws('/', extract(epoch from pg_postmaster_start_time()), current_database()) as database,
             current_user as role`;
    if (!server) throw new Error("the database does not say which one it is");
    const pooler = (await serverPid(one)).own ? "none" : await poolerMode(one, other);
    return { ...(server as Omit<ConnectionReport, "pooler">), pooler };
  } finally {
    await Promise.all([one, other].map((sql) => sql.end({ timeout: 1 })));
  }
}

/**
 * Whether statements of the service are cancelled after their time: both settings, read by a connection like those of
 * the service. Rejects when a pooler refuses them as startup parameters.
 */
export async function timeoutsInForce(url: string, pooler: Pooler): Promise<boolean> {
  const sql = postgres(url, { ...basics, ...poolerSettings(pooler) });
  try {
    const rows = await sql`
      select setting::int as ms from pg_settings
      where name in ('statement_timeout', 'idle_in_transaction_session_timeout')`;
    return rows.every(({ ms }) => ms === DATABASE_STATEMENT_TIMEOUT_MS);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** What a standby has replayed, and what its primary has written; `undefined` for a server that is no standby. */
export async function inspectStandby(primaryUrl: string, url: string) {
  const [primary, standby] = [openPlain(primaryUrl), openPlain(url)];
  try {
    const replayed = await replayedPosition(standby);
    return replayed && { replayed, written: await primaryPosition(primary) };
  } finally {
    await Promise.all([primary, standby].map((sql) => sql.end({ timeout: 1 })));
  }
}

const basics = {
  max: 1,
  connect_timeout: DATABASE_CONNECT_TIMEOUT_SECONDS,
  fetch_types: false,
  onnotice: () => undefined,
} as const;

function openPlain(url: string): postgres.Sql {
  return postgres(url, { ...basics, prepare: false });
}

/**
 * The process of the server that ran a statement, and whether it is the one that answered the connection: a pooler
 * answers with a number of its own, since it must recognise requests to cancel.
 */
async function serverPid(sql: postgres.Sql): Promise<{ readonly pid: number; readonly own: boolean }> {
  const rows = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = rows[0]?.pid ?? 0;
  return { pid, own: (rows as unknown as { state: { pid: number } }).state.pid === pid };
}

/** In transaction mode two open connections share a server process, or one of them changes it. */
async function poolerMode(one: postgres.Sql, other: postgres.Sql): Promise<Pooler> {
  const seen: [Set<number>, Set<number>] = [new Set(), new Set()];
  for (let round = 0; round < ROUNDS; round += 1) {
    seen[0].add((await serverPid(one)).pid);
    const second = await Promise.race([serverPid(other), sleep(SECOND_CONNECTION_DEADLINE_MS)]);
    if (!second) return "session";
    seen[1].add(second.pid);
    if (seen.some((pids) => pids.size > 1) || !seen[0].isDisjointFrom(seen[1])) return "transaction";
  }
  return "session";
}
