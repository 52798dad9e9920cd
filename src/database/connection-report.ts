/** Reports the destination of a database URL: the server, the kind of pooler, the settings of sessions. */
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Clock } from "../base/clock.ts";
import { driverOptions } from "../base/database-url.ts";
import { DATABASE_CONNECT_TIMEOUT_SECONDS } from "../limits/database-limits.ts";
import { type Pooler, poolerSettings } from "./database.ts";
import { primaryPosition, replayedPosition } from "./replication.ts";
import { CHECKED_SETTINGS, type CheckedSetting, SESSION_SETTINGS } from "./server-settings.ts";

/** Deadline of the second of two connections, which waits forever behind a pooler with a single connection. */
const SECOND_CONNECTION_DEADLINE_MS = 2_000;
const ROUNDS = 4;

export interface ConnectionReport {
  /** Version of the server, such as `18.1`. */
  readonly version: string;
  /** The pooler between service and server. `session` also stands for a pooler whose mode is unknown. */
  readonly pooler: Pooler;
  /** Identifies the running database, whatever the path of the connection. */
  readonly database: string;
  /** The role that statements run as. */
  readonly role: string;
}

/** Rejects when the database cannot be reached. The connections have no parameter that a pooler could refuse. */
export async function inspectConnection(url: string): Promise<ConnectionReport> {
  const [one, other] = [openPlain(url), openPlain(url)];
  try {
    const [server] = await one`
      select current_setting('server_version') as version,
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
 * Milliseconds by which the clock of this host is ahead of the server's, negative if behind; 0 within the time of the
 * round trip. Rejects when the database cannot be reached.
 */
export async function inspectClock(url: string, clock: Pick<Clock, "now">): Promise<number> {
  const sql = openPlain(url);
  try {
    await sql`select 1`;
    const askedAt = clock.now();
    // An integer: the digits of a float depend on a setting of the server (`extra_float_digits`).
    const [row] = await sql<{ now: string }[]>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as now`;
    const receivedAt = clock.now();
    const now = row ? Number(row.now) : receivedAt;
    if (now < askedAt) return askedAt - now;
    return now > receivedAt ? receivedAt - now : 0;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export interface SettingMismatch {
  readonly name: string;
  readonly found: string;
  readonly expected: string;
}

/**
 * The session settings that are not in force, read through a connection with the parameters of the service. Rejects
 * when a pooler refuses a setting as a startup parameter.
 */
export async function sessionSettingMismatches(url: string, pooler: Pooler): Promise<readonly SettingMismatch[]> {
  const sql = postgres(driverOptions(url, { ...basics, ...poolerSettings(pooler) }));
  try {
    const inForce = await readSettings(sql, SESSION_SETTINGS);
    return SESSION_SETTINGS.map(({ name, value }) => ({
      name,
      found: inForce.get(name) ?? "unknown",
      expected: value,
    })).filter(({ found, expected }) => found !== expected);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export interface ServerReport {
  readonly unsound: readonly (CheckedSetting & { readonly found: string })[];
  /** The number of connections that PostgreSQL accepts from the role, and the setting with this limit. */
  readonly connections: { readonly limit: number; readonly setting: string };
}

/** Reads the settings that belong to the operator, through a connection with the parameters of the service. */
export async function inspectServer(url: string, pooler: Pooler): Promise<ServerReport> {
  const sql = postgres(driverOptions(url, { ...basics, ...poolerSettings(pooler) }));
  try {
    const inForce = await readSettings(sql, CHECKED_SETTINGS);
    const unsound = CHECKED_SETTINGS.flatMap((setting) => {
      const found = inForce.get(setting.name);
      return found === undefined || setting.isSound(found) ? [] : [{ ...setting, found }];
    });
    return { unsound, connections: await connectionLimit(sql) };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function readSettings(sql: postgres.Sql, settings: readonly { readonly name: string }[]) {
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name in ${sql(settings.map(({ name }) => name))}`;
  return new Map(rows.map(({ name, setting }) => [name, setting]));
}

/** The smallest of the limits of the server, the database and the role; -1 in the catalogues is no limit. */
async function connectionLimit(sql: postgres.Sql): Promise<ServerReport["connections"]> {
  const [smallest] = await sql<ServerReport["connections"][]>`
    select setting, "limit" from (
      select 'max_connections' as setting, current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as "limit"
      union all select 'connection limit of the database', datconnlimit from pg_database
        where datname = current_database()
      union all select 'connection limit of the role', rolconnlimit from pg_roles where rolname = current_user
    ) limits where "limit" >= 0 order by "limit", setting desc limit 1`;
  if (!smallest) throw new Error("the database does not say how many connections it accepts");
  return smallest;
}

/**
 * The replayed position of a standby, and the written position of the primary; `undefined` for a server that is not a
 * standby.
 */
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
  return postgres(driverOptions(url, { ...basics, prepare: false }));
}

/**
 * The server process that ran a statement, and whether the process id equals the id announced at connection: a pooler
 * announces an invented id, because the pooler must recognise cancel requests.
 */
async function serverPid(sql: postgres.Sql): Promise<{ readonly pid: number; readonly own: boolean }> {
  const rows = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = rows[0]?.pid ?? 0;
  return { pid, own: (rows as unknown as { state: { pid: number } }).state.pid === pid };
}

/** In transaction mode two open connections share a server process, or the process of a connection changes. */
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
