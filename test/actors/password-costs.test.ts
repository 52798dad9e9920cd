import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type postgres from "postgres";
import { type PasswordCosts, passwordCosts } from "../../src/actors/password-costs.ts";
import { systemClock } from "../../src/base/clock.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { costOf, listPasswordCosts, sampleHash } from "../../src/models/password/password-cost.ts";
import { type HashPool, openHashPool } from "../../src/pool/pool.ts";
import { createLogger } from "../../src/telemetry/log.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";

const CONFIGURED = { memoryKib: 1024, time: 1, parallelism: 1 };
const KEY = "A".repeat(43);
const OURS = `$argon2id$v=19$m=1024,t=1,p=1$c29tZXNhbHQ$${KEY}`;
const HASHES = {
  argon2: `$argon2id$v=19$m=4096,t=3,p=1$c29tZXNhbHQ$${KEY}`,
  argon2i: `$argon2i$m=256,t=2,p=1$c29tZXNhbHQ$${KEY}`,
  bcrypt: `$2b$08$${".".repeat(53)}`,
  scrypt: `$scrypt$ln=10,r=8,p=1$TmFDbA$${KEY}`,
  crypt: `$7$B6....1....75gBMAGwfFWZqBdyF3WdTQnWdUsuTiWjG1fF9c1jiSD$${KEY}`,
  pbkdf2: `$pbkdf2-sha256$6400$TmFDbA$${KEY}`,
  phc: `$pbkdf2-sha512$i=1000,l=64$TmFDbA$${KEY}${KEY}`,
};

let url: string;
let sql: postgres.Sql;
let database: Database;
let hashing: HashPool;

beforeAll(async () => {
  url = await freshDatabase();
  sql = openSql(url);
  const telemetry = await silentTelemetry();
  database = openDatabase({ url, connections: 2, telemetry });
  const options = { workers: 1, queueMax: 10, deadlineMs: 5_000, niceIncrement: 0, clock: systemClock, telemetry };
  hashing = openHashPool(options);
});
beforeEach(async () => {
  await sql`delete from users`;
});
afterAll(async () => {
  await hashing.close();
  await database.close();
});

async function store(hash: string | null, users = 1): Promise<void> {
  await sql`
    insert into users (id, email, password_hash, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid() || '@example.test', ${hash}, now(), now()
    from generate_series(1, ${users})`;
}

async function started(now = () => systemClock.monotonic()): Promise<PasswordCosts> {
  const log = await createLogger({ level: "silent", pretty: false, traceIds: () => undefined });
  const clock = { ...systemClock, monotonic: now };
  const actor = passwordCosts({ database, clock, hashing, log, configured: CONFIGURED });
  await actor.start();
  await actor.stop();
  return actor;
}

describe("costs of stored password hashes", () => {
  test("are listed once each, and never more than asked for", async () => {
    await store(null, 100);
    for (const hash of [OURS, ...Object.values(HASHES)]) await store(hash, 2_000);
    await sql`analyze users`;
    const costs = await database.run("test", (connection) => listPasswordCosts(connection, 64));
    expect(costs.sort()).toEqual([OURS, ...Object.values(HASHES)].map((hash) => String(costOf(hash))).sort());
    const [{ cost } = { cost: "" }] = await sql`select password_cost(${HASHES.crypt}) as cost`;
    expect(cost).toBe(costOf(HASHES.crypt));
    expect(await database.run("test", (connection) => listPasswordCosts(connection, 3))).toHaveLength(3);
  });

  test.each(Object.entries(HASHES))("%s has a made-up hash of equal cost, valid for the workers", async (_, hash) => {
    const cost = costOf(hash) ?? "";
    const made = sampleHash(cost);
    if (!made) throw new Error("no sample");
    expect(await hashing.run({ kind: "verify", password: "x", hash: made })).toMatchObject({
      ok: true,
      matches: false,
    });
  });
});

describe("the slowest cost", () => {
  test("is nothing while all hashes are of the configured cost", async () => {
    await store(OURS, 3);
    await store(null);
    expect((await started()).slowestMs()).toBe(0);
  });

  test("is the cost of the slowest stored hash, and the configured cost beside cheaper imported hashes", async () => {
    await store(OURS);
    await store(`$2b$04$${".".repeat(53)}`);
    const cheap = (await started()).slowestMs();
    expect(cheap).toBeGreaterThan(0);
    await store(`$2b$11$${".".repeat(53)}`);
    expect((await started()).slowestMs()).toBeGreaterThan(Math.max(20, cheap));
  });

  test("follows the costs at sign-ins, and forgets a cost after five minutes", async () => {
    let now = 0;
    await store(HASHES.bcrypt);
    const actor = await started(() => now);
    for (let index = 0; index < 10; index += 1) actor.observe(HASHES.bcrypt, 3_000);
    expect(actor.slowestMs()).toBeGreaterThan(3_000);
    now = 6 * 60_000;
    actor.observe(HASHES.bcrypt, 20);
    expect(actor.slowestMs()).toBeLessThan(100);
  });

  test("ignores an observed cost without a stored hash", async () => {
    await store(HASHES.bcrypt);
    const actor = await started();
    const before = actor.slowestMs();
    actor.observe(HASHES.scrypt, 9_000);
    expect(actor.slowestMs()).toBe(before);
  });
});
