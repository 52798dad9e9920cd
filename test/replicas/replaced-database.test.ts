/**
 * A database that is restored or switched over behind a running replica: transaction ids decrease or change the
 * meaning.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type postgres from "postgres";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../db/embedded.ts";
import { migrate } from "../../db/migrate.ts";
import { TcpProxy } from "../faults/tcp-proxy.ts";
import { Client, registered } from "../support/client.ts";
import { eventually } from "../support/deployment.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { openSql } from "../support/services.ts";

const FEED = "/.well-known/service-revocations.json";
/** More transactions than a replica commits during a test. */
const TRANSACTIONS = 5_000;
const root = mkdtempSync(join(tmpdir(), "identity-restored-"));
const servers: EmbeddedPostgres[] = [];
let proxy: TcpProxy;
let replica: Replica;

const portOf = (server: EmbeddedPostgres) => Number(new URL(server.url).port);

async function startServer(name: string): Promise<EmbeddedPostgres> {
  const directory = join(root, name);
  const server = await startEmbeddedPostgres({ directory, durable: false, maxConnections: 40, onLog: () => undefined });
  servers.push(server);
  return server;
}

/** Copies the directory of a stopped server, as a backup. */
function backUp(from: string, to: string): void {
  const { exitCode } = Bun.spawnSync(["cp", "-a", join(root, from), join(root, to)]);
  if (exitCode !== 0) throw new Error("the backup failed");
}

async function useUp(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(
    `do $$ begin for i in 1..${TRANSACTIONS} loop perform pg_current_xact_id(); commit; end loop; end $$`,
  );
}

/** Ends a session by the statements of a replica, without the replica under test. */
async function revoke(sql: postgres.Sql, sessionId: string): Promise<void> {
  await sql`
    with revoked as (
      update sessions set revoked_at = now(), revoked_reason = 'logout' where id = ${sessionId} returning id
    )
    insert into session_events (session_id, kind, reason, at, expires_at)
    select id, 'revoked', 'logout', now(), now() + interval '905 seconds' from revoked`;
}

/** After this call the replica reaches a different server at the same address. */
function switchTo(server: EmbeddedPostgres): void {
  proxy.target = portOf(server);
  proxy.cut();
}

const statusOf = async (bearer: string) => (await new Client(replica.url).get("/v1/auth/session", { bearer })).status;
const feed = async (since?: string) =>
  (await new Client(replica.url).get(since === undefined ? FEED : `${FEED}?since=${since}`)).body;
const idsOf = (body: { revocations: { sid: string }[] }) => body.revocations.map(({ sid }) => sid);

/** Follows the feed from a cursor until the feed names the session, as verifiers do; returns the next cursor. */
async function follow(cursor: string, sessionId: string): Promise<string> {
  let position = cursor;
  await eventually("the feed names the session", 2_000, async () => {
    const body = await feed(position);
    position = body.cursor;
    return idsOf(body).includes(sessionId);
  });
  return position;
}

const isCurrent = async () =>
  /service_revocations_current\{[^}]*\} 1/.test((await new Client(replica.url).get("/metrics")).text);

let people: Awaited<ReturnType<typeof registered>>[];

beforeAll(async () => {
  const first = await startServer("original");
  await migrate(first.url);
  proxy = await TcpProxy.to(portOf(first));
  const through = new URL(first.url);
  through.port = String(proxy.port);
  replica = await startReplica({ DATABASE_URL: through.href });
  people = [await registered(replica.url), await registered(replica.url), await registered(replica.url)];
  await first.stop();
  for (const copy of ["older", "newer"]) backUp("original", copy);
  const again = await startServer("original");
  switchTo(again);
  await useUp(openSql(again.url));
  for (const { accessToken } of people) {
    await eventually("the replica is back", 10_000, async () => (await statusOf(accessToken)) === 200);
  }
});

afterAll(async () => {
  await replica.kill();
  proxy.stop();
  for (const server of servers) await server.stop();
  rmSync(root, { recursive: true, force: true });
});

describe("behind a running replica, a database", () => {
  test("whose transaction ids go back hides no revocation; the feed gives all to a cursor of before", async () => {
    await eventually("checks are answered from memory", 5_000, isCurrent);
    const before = (await feed()).cursor;
    const older = await startServer("older");
    const sql = openSql(older.url);
    switchTo(older);
    await revoke(sql, people[0]?.sessionId ?? "");
    await eventually("refused", 2_000, async () => (await statusOf(people[0]?.accessToken ?? "")) === 401);
    expect(await statusOf(people[1]?.accessToken ?? "")).toBe(200);
    const cursor = await follow(before, people[0]?.sessionId ?? "");
    await eventually("settled", 2_000, async () => idsOf(await feed((await feed()).cursor)).length === 0);
    await revoke(sql, people[1]?.sessionId ?? "");
    await eventually("refused", 2_000, async () => (await statusOf(people[1]?.accessToken ?? "")) === 401);
    await follow(cursor, people[1]?.sessionId ?? "");
  });

  test("with transaction ids beyond the former database hides no revocation either", async () => {
    await useUp(openSql(servers.at(-1)?.url ?? ""));
    const before = (await feed()).cursor;
    const newer = await startServer("newer");
    const sql = openSql(newer.url);
    await revoke(sql, people[2]?.sessionId ?? "");
    await useUp(sql);
    await useUp(sql);
    expect(await statusOf(people[2]?.accessToken ?? "")).toBe(200);
    switchTo(newer);
    await eventually("refused", 2_000, async () => (await statusOf(people[2]?.accessToken ?? "")) === 401);
    await follow(before, people[2]?.sessionId ?? "");
  });
});
