/** Replicas whose clocks deviate by ten minutes in either direction (G28a): libfaketime shifts Bun and the workers. */
import { beforeAll, describe, expect, test } from "bun:test";
import type postgres from "postgres";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { eventually } from "../support/deployment.ts";
import { faketimeLibrary } from "../support/fake-clock.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown } from "../support/mfa.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";

const OFF_SECONDS = 600;
const STEP_SECONDS = 30;
/** A new machine installs libfaketime first. */
const INSTALL_DEADLINE_MS = 300_000;

let right: Replica;
let ahead: Replica;
let behind: Replica;
let sql: postgres.Sql;

beforeAll(async () => {
  const library = faketimeLibrary();
  const databaseUrl = await freshDatabase();
  sql = openSql(databaseUrl);
  const settings = { DATABASE_URL: databaseUrl, REDIS_URL: await redisUrl() };
  const shifted = (offset: string) =>
    startReplica({ ...settings, LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: "1" });
  [right, ahead, behind] = await Promise.all([
    startReplica(settings),
    shifted(`+${OFF_SECONDS}s`),
    shifted(`-${OFF_SECONDS}s`),
  ]);
}, INSTALL_DEADLINE_MS);

async function challengeAt(replica: Replica, email: string, proof: object): Promise<number> {
  const mfa_token = await passwordShown(replica.url, email);
  return (await new Client(replica.url).post("/v1/auth/mfa/challenge", { mfa_token, ...proof })).status;
}

describe("a replica whose clock is ten minutes off", () => {
  test("really is: its answers say so", async () => {
    for (const [replica, offset] of [
      [ahead, OFF_SECONDS],
      [behind, -OFF_SECONDS],
    ] as const) {
      const feed = await new Client(replica.url).get("/.well-known/service-revocations.json");
      const off = (Date.parse(feed.body.generated_at) - Date.now()) / 1000;
      expect(Math.abs(off - offset)).toBeLessThan(10);
    }
  });

  test("accepts no time step twice in the deployment, and no older step", async () => {
    const person = await enrolled({ one: right, sql });
    const code = (stepsAway: number) => ({ code: codeOf(person.secret, stepsAway) });
    const steps = OFF_SECONDS / STEP_SECONDS;
    expect(await challengeAt(right, person.email, code(0))).toBe(200);
    for (const replica of [right, ahead, behind]) expect(await challengeAt(replica, person.email, code(0))).toBe(401);
    expect(await challengeAt(behind, person.email, code(-steps))).toBe(401);
    expect(await challengeAt(ahead, person.email, code(steps))).toBe(200);
    expect(await challengeAt(ahead, person.email, code(steps))).toBe(401);
    await forgetUsedStep(sql, person.userId);
    expect(await challengeAt(right, person.email, code(steps))).toBe(401);
  });

  test("takes a recovery code once, wherever it was used first", async () => {
    const person = await enrolled({ one: right, sql });
    const [first, second] = person.recoveryCodes.map((recovery_code) => ({ recovery_code }));
    expect(await challengeAt(ahead, person.email, first ?? {})).toBe(200);
    expect(await challengeAt(behind, person.email, second ?? {})).toBe(200);
    for (const replica of [right, ahead, behind]) {
      expect(await challengeAt(replica, person.email, first ?? {})).toBe(401);
      expect(await challengeAt(replica, person.email, second ?? {})).toBe(401);
    }
  });

  test("verifies tokens by its own clock: early and late by its error and five seconds' leeway, no more", async () => {
    const person = await registered(right.url);
    const look = (replica: Replica, bearer: string) =>
      new Client(replica.url).get("/v1/auth/session", { bearer }).then(({ status }) => status);
    // The lifetime is fifteen minutes: five minutes remain for a replica ahead by ten minutes, and for a replica behind
    // by ten minutes the token is issued in the future.
    expect(await look(ahead, person.accessToken)).toBe(200);
    expect(await look(behind, person.accessToken)).toBe(401);
    const { accessToken } = await signedIn(ahead.url, person.email, PASSWORD);
    expect(await look(right, accessToken)).toBe(401);
  });

  test("revokes for all replicas, and applies the revocations of further replicas within a second", async () => {
    for (const [one, other] of [
      [ahead, right],
      [right, ahead],
    ] as const) {
      const { client } = await registered(right.url);
      expect((await client.at(other.url).get("/v1/auth/session")).status).toBe(200);
      await client.at(one.url).post("/v1/auth/logout");
      await eventually(
        "refused",
        1_000,
        async () => (await client.at(other.url).get("/v1/auth/session")).status === 401,
      );
    }
  });

  test("rotates no refresh token twice", async () => {
    const { client } = await registered(right.url);
    const first = client.cookie("service_rt");
    const shown = (replica: Replica, token: string | undefined) =>
      new Client(replica.url)
        .post("/v1/auth/refresh", undefined, { headers: { cookie: `service_rt=${token}` }, csrf: false })
        .then(({ status }) => status);
    expect((await client.post("/v1/auth/refresh")).status).toBe(200);
    expect((await client.post("/v1/auth/refresh")).status).toBe(200);
    expect(await shown(ahead, first)).toBe(401);
    expect(await shown(right, client.cookie("service_rt"))).toBe(401);
  });
});
