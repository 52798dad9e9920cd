/** Redis behind Sentinel: a master that crashes, and a master that is replaced while running. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { systemClock } from "../../src/base/clock.ts";
import { redisState } from "../../src/state/redis.ts";
import { Client, registered, signedIn } from "../support/client.ts";
import { type Replica, runService, startReplica } from "../support/replica.ts";
import { type SentinelDeployment, startSentinelDeployment } from "../support/sentinel.ts";
import { freshDatabase } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { eventually, until } from "../support/waiting.ts";

const SHARERS = 3;
let redis: SentinelDeployment;
let one: Replica;
let other: Replica;
let env: Record<string, string>;

beforeAll(async () => {
  redis = await startSentinelDeployment();
  env = { DATABASE_URL: await freshDatabase(), REDIS_URL: redis.url };
  [one, other] = await Promise.all([startReplica(env), startReplica(env)]);
});
afterAll(async () => {
  await Promise.all([one.kill(), other.kill()]);
});

const statusAt = async (url: string, bearer: string) =>
  (await new Client(url).get("/v1/auth/session", { bearer })).status;

async function bothShare(): Promise<boolean> {
  const responses = await Promise.all([one, other].map(({ url }) => new Client(url).get("/readyz")));
  return responses.every(({ body }) => body.status === "ok");
}

/**
 * Users sequentially sign in, refresh and sign out; the second replica must apply each sign-out within a second (G8).
 */
async function load(ended: () => boolean, seen: { revoked: string[] }): Promise<void> {
  while (!ended()) {
    const { client, email } = await registered(one.url);
    const again = await signedIn(other.url, email);
    expect(again.answer.status).toBe(200);
    expect((await again.client.at(one.url).post("/v1/auth/refresh")).status).toBe(200);
    expect(await statusAt(one.url, again.accessToken)).toBe(200);
    for (const each of [client, again.client]) expect((await each.post("/v1/auth/logout")).status).toBe(204);
    await eventually("refused elsewhere", 1_000, async () => (await statusAt(one.url, again.accessToken)) === 401);
    seen.revoked.push(again.accessToken);
  }
}

/** Runs the load until the change is complete and a few further users have signed in and out. */
async function underLoad(change: () => Promise<void>): Promise<void> {
  const seen = { revoked: [] as string[] };
  let over = Number.POSITIVE_INFINITY;
  const ended = () => seen.revoked.length >= over + 2 * SHARERS;
  const changing = change().then(() => {
    over = seen.revoked.length;
  });
  await Promise.all([changing, ...Array.from({ length: SHARERS }, () => load(ended, seen))]);
  for (const { url } of [one, other]) {
    const statuses = await Promise.all(seen.revoked.map((token) => statusAt(url, token)));
    expect(new Set(statuses)).toEqual(new Set([401]));
  }
}

test("a connection with a reconnection during the query of the sentinels is made anew", async () => {
  const telemetry = await silentTelemetry();
  const state = redisState({ url: redis.url, clock: systemClock, telemetry, onConnectionError: () => undefined });
  const responses = () =>
    state.ping().then(
      () => true,
      () => false,
    );
  await until("it is made", responses);
  for (let turn = 0; turn < 150; turn += 1) {
    state.reconnect();
    await Bun.sleep(4);
  }
  await until("it is made anew", responses);
  await state.close();
});

test("a dead master fails no request and hides no revocation; its successor is shared in seconds (G26)", async () => {
  await until("both replicas share the master", bothShare);
  const [master, replica] = redis.servers;
  await underLoad(async () => {
    await master.kill();
    await until("another master is in office", async () => (await redis.masterPort()) === replica.port);
    await eventually("both replicas share it", 5_000, bothShare);
  });
});

test("a master replaced while alive is left by both replicas; doctor finds the new master", async () => {
  const [master, replica] = redis.servers;
  await master.restart();
  await redis.switchOver();
  await until("it is in office again", async () => (await redis.masterPort()) === master.port);
  await underLoad(async () => {
    await redis.switchOver();
    await until("the other one is in office", async () => (await redis.masterPort()) === replica.port);
    await eventually("both replicas share it", 5_000, bothShare);
  });
  const { code, output } = await runService(["doctor"], env);
  expect(output).toMatch(/^ok\s+REDIS_URL: reachable, and evicts nothing$/m);
  expect(code).toBe(0);
});
