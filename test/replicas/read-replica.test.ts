/** Lists that are read from a streaming replica (docs/decisions/0012). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type postgres from "postgres";
import { errorCode, openDatabase } from "../../src/database/database.ts";
import { coveredUntil } from "../../src/database/replication.ts";
import { requireWritable } from "../../src/database/writable.ts";
import { eventsSince, LOG_START } from "../../src/models/session/event-log.ts";
import { TcpProxy } from "../faults/tcp-proxy.ts";
import { type Client, newEmail } from "../support/client.ts";
import { platformUser } from "../support/platform.ts";
import { type Replica, runService, startReplica } from "../support/replica.ts";
import { openSql, startRedis } from "../support/services.ts";
import { type ReplicatedPostgres, startReplicatedPostgres } from "../support/standby.ts";
import { invitationsOf, invite } from "../support/team.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { eventually, until } from "../support/waiting.ts";

const FRESH = "lists are read from the read replica";
const STALE = "the read replica lags or is away";
let at: ReplicatedPostgres;
/** Two replicas: the first accepts a standby that lags by minutes, the second tolerates little lag. */
let one: Replica;
let other: Replica;
let strict: Replica;
let env: Record<string, string>;

beforeAll(async () => {
  at = await startReplicatedPostgres();
  const redis = await startRedis();
  env = { DATABASE_URL: at.primaryUrl, DATABASE_READ_URL: at.standbyUrl, REDIS_URL: redis.url };
  const tolerant = { ...env, SERVICE_READ_MAX_LAG_MS: "300000" };
  [one, other, strict] = await Promise.all([
    startReplica(tolerant),
    startReplica(tolerant),
    startReplica({ ...env, SERVICE_READ_MAX_LAG_MS: "1000" }),
  ]);
});
afterAll(async () => {
  await Promise.all([one, other, strict].map((each) => each.kill()));
});

const isFresh = ({ output }: Replica) => output().lastIndexOf(FRESH) > output().lastIndexOf(STALE);
/** Returns true if the last log line about the standby reports a stale standby. */
const isStale = ({ output }: Replica) => output().lastIndexOf(STALE) > output().lastIndexOf(FRESH);

/** Creates two administrators who signed in an hour ago and have written no data since. */
async function readers() {
  const people = await Promise.all([0, 1].map(() => platformUser({ one, sql: at.primary }, "admin")));
  await at.primary`update sessions set auth_time = now() - interval '1 hour'`;
  return people as [(typeof people)[0], (typeof people)[0]];
}

async function usersAt(replica: Replica, client: Client): Promise<number> {
  const { status, body } = await client.at(replica.url).get("/v1/admin/users");
  expect(status).toBe(200);
  return body.total;
}

async function newUser(): Promise<void> {
  await at.primary`
    insert into users (id, email, created_at, updated_at)
    values (gen_random_uuid(), ${newEmail()}, now(), now())`;
}

test("a replica covers positions up to the own position; a foreign history covers no position", () => {
  const positions = [
    { history: "a", lsn: 10n, at: 1 },
    { history: "a", lsn: 20n, at: 2 },
    { history: "b", lsn: 5n, at: 3 },
  ];
  expect(coveredUntil(positions, { history: "a", lsn: 9n })).toBe(Number.NEGATIVE_INFINITY);
  expect(coveredUntil(positions, { history: "a", lsn: 19n })).toBe(1);
  expect(coveredUntil(positions, { history: "a", lsn: 99n })).toBe(2);
  expect(coveredUntil(positions, { history: "c", lsn: 99n })).toBe(Number.NEGATIVE_INFINITY);
});

test("a writer reads the write at once at every replica; others read the standby within the lag", async () => {
  const [writer, reader] = await readers();
  for (const each of [one, other, strict]) await until("it is fresh", async () => isFresh(each));
  const [{ before }] = (await at.primary`select count(*)::int as before from users`) as unknown as [{ before: number }];
  await until("the standby has them", async () => (await usersAt(other, reader.client)) === before);
  await at.pauseReplay();
  await newUser();
  expect(await usersAt(other, reader.client)).toBe(before);
  const elsewhere = writer.client.at(other.url);
  for (let count = 1; count <= 3; count += 1) {
    expect((await invite(writer.client, writer.organizationId, newEmail())).status).toBe(201);
    expect((await elsewhere.get(invitationsOf(writer.organizationId))).body.total).toBe(count);
  }
  expect(await usersAt(other, writer.client)).toBe(before + 1);
  await until("the lag is too large for one", async () => (await usersAt(strict, reader.client)) === before + 1);
  // A decision never waits for the standby.
  await at.primary`update users set platform_role = null where id = ${reader.userId}`;
  expect((await reader.client.at(other.url).get("/v1/admin/users")).status).toBe(403);
  await until("the replica notes the lag", async () => isStale(strict));
  await at.resumeReplay();
  await until("it caught up", async () => isFresh(strict));
});

test("a standby that hangs, stops and comes back fails no list and no export", async () => {
  const [, reader] = await readers();
  await at.primary`update organizations set tier = 'enterprise' where id = ${reader.organizationId}`;
  const known = await usersAt(strict, reader.client);
  const elsewhere = reader.client.at(strict.url);
  const exported = async () => (await elsewhere.get("/v1/admin/audit-export")).status;
  at.wire.drop();
  await eventually("a list is answered", 4_000, async () => (await usersAt(strict, reader.client)) >= known);
  at.wire.heal();
  await at.stopStandby();
  for (let count = 0; count < 5; count += 1) expect(await usersAt(strict, reader.client)).toBe(known);
  expect(await exported()).toBe(200);
  await newUser();
  expect(await usersAt(strict, reader.client)).toBe(known + 1);
  await until("the replica notes that it is away", async () => isStale(strict));
  await at.startStandby();
  await until("it is read again", async () => isFresh(strict));
  expect(await usersAt(strict, reader.client)).toBe(known + 1);
  expect(await exported()).toBe(200);
});

test("the log of session events misses no event beside a standby without a list of open transactions", async () => {
  const standby = openSql(at.standbyUrl);
  const insert = (sql: postgres.ISql, id: string) => sql`
    insert into session_events (session_id, kind, reason, at, expires_at)
    values (${id}, 'revoked', 'logout', now(), now() + interval '1 hour')`;
  const [late, early] = [crypto.randomUUID(), crypto.randomUUID()];
  const open = await at.primary.reserve();
  await open`begin`;
  await insert(open, late);
  await insert(at.primary, early);
  const seen = new Set<string>();
  let position = LOG_START;
  const read = async () => {
    const next = await eventsSince(standby, position, new Date(), 100);
    position = next.position;
    for (const { sessionId } of next.events) seen.add(sessionId);
  };
  const reads = (id: string) => async () => {
    await read();
    return seen.has(id);
  };
  await until("the standby has replayed the first", reads(early));
  expect(seen.has(late)).toBe(false);
  await open`commit`;
  open.release();
  await until("the standby has replayed the last", reads(late));
});

test("doctor tells a standby from a primary", async () => {
  const examine = async (url: string) => {
    const { output } = await runService(["doctor", "--json"], { ...env, DATABASE_READ_URL: url });
    const found = JSON.parse(output).checks.find(({ check }: { check: string }) => check === "DATABASE_READ_URL");
    return found?.level;
  };
  expect(await examine(at.standbyUrl)).toBe("ok");
  expect(await examine(at.primaryUrl)).toBe("failure");
  expect(await examine("postgres://127.0.0.1:1/x")).toBe("warning");
});

test("A server that became a standby is left for the primary behind the address (G412).", async () => {
  const portOf = (url: string) => Number(new URL(url).port);
  const address = await TcpProxy.to(portOf(at.standbyUrl));
  const url = new URL(at.primaryUrl);
  url.port = String(address.port);
  const database = openDatabase({ url: url.href, connections: 3, telemetry: await silentTelemetry() });
  const check = () => database.run("test.writable", requireWritable).then(() => "writable", errorCode);
  const changeRow = () =>
    database
      .run("test.write", (sql) => sql`update users set updated_at = updated_at`.then(() => "written"))
      .catch(errorCode);
  expect(await Promise.all([check(), check(), check(), changeRow()])).toEqual(["25006", "25006", "25006", "25006"]);
  address.target = portOf(at.primaryUrl);
  // The address leads to the primary; nothing closed the connections to the standby.
  expect([await check(), await changeRow()]).toEqual(["writable", "written"]);
  await database.close();
  address.stop();
});
