import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type postgres from "postgres";
import { type Database, errorCode, openDatabase, type Sql } from "../../src/database/database.ts";
import { TcpProxy } from "../faults/tcp-proxy.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { attempts, until } from "../support/waiting.ts";

const CONNECTIONS = 3;
const LOCK = 4711;
let url: string;
let sql: postgres.Sql;
let database: Database;

beforeAll(async () => {
  url = await freshDatabase("empty");
  sql = openSql(url);
  database = openDatabase({ url, connections: CONNECTIONS, telemetry: await silentTelemetry() });
});
afterAll(() => database.close());

/** Returns the id of the server process that ran a statement. */
async function serverProcess(): Promise<number> {
  const rows = await database.run("test.pid", (sql) => sql<{ pid: number }[]>`select pg_backend_pid() as pid`);
  return rows[0]?.pid ?? 0;
}

const atOnce = (count: number) => Promise.all(Array.from({ length: count }, serverProcess));

/** Returns the server processes that wait for the lock. */
async function waitersOf(): Promise<number[]> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and not granted and
      database = (select oid from pg_database where datname = current_database())`;
  return rows.map(({ pid }) => pid);
}

/** Runs work while `count` statements of the database under test wait for a lock. */
async function whileWaiting<T>(count: number, work: () => Promise<T>): Promise<T> {
  const holder = await sql.reserve();
  await holder`select pg_advisory_lock(${LOCK})`;
  const blocked = Array.from({ length: count }, () =>
    database.run("test.lock", (sql) => sql`select pg_advisory_xact_lock(${LOCK})`),
  );
  await until("the statements wait for the lock", async () => (await waitersOf()).length === count);
  try {
    return await work();
  } finally {
    await holder`select pg_advisory_unlock(${LOCK})`;
    holder.release();
    await Promise.all(blocked);
  }
}

describe("the connections of a pool", () => {
  test("no more are opened than statements run at once", async () => {
    const used = [await serverProcess(), await serverProcess(), await serverProcess()];
    expect(new Set(used).size).toBe(1);
    expect(new Set(await atOnce(2)).size).toBe(2);
    expect(new Set(await atOnce(CONNECTIONS * 4)).size).toBe(CONNECTIONS);
  });

  test("the connection used last is used next, except after a failure", async () => {
    await atOnce(CONNECTIONS);
    const last = await serverProcess();
    expect(await serverProcess()).toBe(last);
    await expect(database.run("test.fail", (sql) => sql`select 1 / 0`)).rejects.toMatchObject({ code: "22012" });
    expect(await serverProcess()).not.toBe(last);
  });

  test("a statement behind a lock delays no further statement while a connection is free", async () => {
    const used = await whileWaiting(CONNECTIONS - 1, () => atOnce(20));
    expect(new Set(used).size).toBe(1);
  });

  test("statements beyond the connections run in the order of arrival", async () => {
    const order: number[] = [];
    const statement = (index: number) =>
      database.run("test.order", (sql) => {
        order.push(index);
        return sql`select`;
      });
    const asked = await whileWaiting(CONNECTIONS, async () => [0, 1, 2, 3, 4].map(statement));
    await Promise.all(asked);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  test("a transaction has its connection to itself", async () => {
    const pids = await database.transaction("test.own", async (sql) => {
      const [own] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const others = await atOnce(10);
      const [again] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      return { own: own?.pid, again: again?.pid, others };
    });
    expect(pids.again).toBe(pids.own);
    expect(pids.others).not.toContain(pids.own ?? 0);
  });

  test("on a full server, statements wait for the open connections, or fail (G27)", async () => {
    const role = `narrow_${Math.random().toString(36).slice(2)}`;
    await sql.unsafe(`create role ${role} login password 'narrow' connection limit 1`);
    const narrow = Object.assign(new URL(url), { username: role, password: "narrow" }).href;
    const limited = openDatabase({ url: narrow, connections: CONNECTIONS, telemetry: await silentTelemetry() });
    const pid = () => limited.run("test.pid", (sql) => sql<{ pid: number }[]>`select pg_backend_pid() as pid`);
    await pid();
    const used = await Promise.all(Array.from({ length: 20 }, pid));
    expect(new Set(used.map(([row]) => row?.pid)).size).toBe(1);
    await sql.unsafe(`alter role ${role} connection limit 0`);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`;
    const refused = (error: Error & { code?: string }) => {
      // The driver alone would retry connections until the deadline of the statement.
      expect(error.message).not.toContain("no response");
      return error.code === "53300";
    };
    await until("it is refused", () => pid().then(() => false, refused));
    await sql.unsafe(`alter role ${role} connection limit 1`);
    await until("it answers again", () =>
      pid().then(
        () => true,
        () => false,
      ),
    );
    await limited.close();
    await sql.unsafe(`drop role ${role}`);
  });

  test("transactions with a lost connection reject at every later step, and end no process (G27)", async () => {
    const lock = (sql: Sql) => sql`select pg_advisory_xact_lock(${LOCK})`;
    const shapes: ((sql: Sql) => Promise<unknown>)[] = [
      lock,
      (sql) => Promise.all([lock(sql), lock(sql)]),
      async (sql) => {
        await lock(sql).catch(() => undefined);
        for (let more = 0; more < 5; more += 1) await sql`select 1`.catch(() => undefined);
      },
    ];
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await whileWaiting(0, async () => {
        const lost = shapes.map((shape) => database.transaction("test.lost", shape).then(() => "done", errorCode));
        await until("they wait", async () => (await waitersOf()).length === shapes.length);
        for (const pid of await waitersOf()) await sql`select pg_terminate_backend(${pid})`;
        return await Promise.all(lost);
      });
      expect(outcomes).not.toContain("done");
    }
    expect(new Set(await attempts(() => atOnce(CONNECTIONS))).size).toBe(CONNECTIONS);
  });

  test("connections ended by the server are opened anew", async () => {
    const processes = await atOnce(CONNECTIONS);
    const ended = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where pid = any(${processes})`.then(
        (left) => left.length === 0,
      );
    await until("the connections end", ended);
    // A statement that precedes the driver's notice of the end is lost with the connection.
    const used = await attempts(() => atOnce(CONNECTIONS));
    expect(new Set(used).size).toBe(CONNECTIONS);
  });
});

describe("a server lost without a closed connection (G78)", () => {
  const DEADLINE_MS = 500;
  const NO_RESPONSE = "no response from the database within 500 ms";

  async function throughProxy() {
    const proxy = await TcpProxy.to(Number(new URL(url).port));
    const there = Object.assign(new URL(url), { port: String(proxy.port) }).href;
    const telemetry = await silentTelemetry();
    const lossy = openDatabase({ url: there, connections: CONNECTIONS, deadlineMs: DEADLINE_MS, telemetry });
    const begun: string[] = [];
    const ask = (name: string) =>
      lossy.run("test.ask", (sql) => {
        begun.push(name);
        return sql`select`;
      });
    await Promise.all(["a", "b", "c"].map(ask));
    const close = async () => {
      await lossy.close();
      proxy.stop();
    };
    return { proxy, lossy, begun, ask, close };
  }

  test("fails the statements under way, and begins no statement of a caller with an error", async () => {
    const { proxy, lossy, begun, ask, close } = await throughProxy();
    proxy.replaceHost();
    const transaction = lossy.transaction("test.ask", (sql) => sql`select`);
    const outcomes = await Promise.allSettled([transaction, ...["d", "e", "too late"].map(ask)]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected" });
    for (const outcome of outcomes) expect(String(Reflect.get(outcome, "reason"))).toContain(NO_RESPONSE);
    await attempts(() => Promise.all(["f", "g", "h", "i"].map(ask)));
    expect(begun.slice(0, 5)).toEqual(["a", "b", "c", "d", "e"]);
    expect(begun).not.toContain("too late");
    await close();
  });

  test("costs one deadline, also with several connections to the server", async () => {
    const { proxy, ask, close } = await throughProxy();
    proxy.replaceHost();
    await expect(ask("d")).rejects.toThrow(NO_RESPONSE);
    await until("the connections to it are closed", async () => proxy.connections === 0);
    await Promise.all(["e", "f", "g"].map(ask));
    await close();
  });
});
