import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type DecisionLog, decisionLog } from "../../src/actors/decision-log.ts";
import { sweep } from "../../src/actors/sweeper.ts";
import { loadConfig } from "../../src/config/config.ts";
import {
  DECISION_BATCH,
  DECISION_CLAIMS_PER_MINUTE,
  DECISION_CLAIMS_TOTAL_PER_MINUTE,
  DECISION_SAMPLE,
  DECISIONS_WAITING_MAX,
} from "../../src/limits/decision-limits.ts";
import {
  type Decision,
  deleteOldestDecisions,
  deleteSurplusDecisions,
  findDecisions,
} from "../../src/models/decision/decision.ts";
import { type Flows, openFlows } from "../support/flows.ts";

const DAY_MS = 24 * 3600 * 1000;
const ID = "0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e";
let flows: Flows;
let decisions: DecisionLog;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());
beforeEach(async () => {
  await flows.sql`delete from request_decisions`;
  decisions = decisionLog({ ...flows.deps, enabled: true });
});

function decision(fields: Partial<Decision> = {}): Decision {
  return {
    requestId: ID,
    at: new Date(flows.clock.now()),
    method: "POST",
    route: "/v1/auth/login",
    operation: "login",
    status: 429,
    code: "rate_limited",
    rule: "limit sign_in",
    bound: "limit_sign_in",
    limits: [{ name: "sign_in", limit: 60, windowSeconds: 60, remaining: 0, resetSeconds: 12 }],
    counters: { waiting_jobs: 128 },
    retryAfterSeconds: 12,
    userId: null,
    organizationId: null,
    network: "203.0.113.7",
    durationMs: 1.5,
    traceId: null,
    claims: [],
    ...fields,
  };
}

async function rows(): Promise<number> {
  const [row] = await flows.sql<{ count: number }[]>`select count(*)::int as count from request_decisions`;
  return row?.count ?? 0;
}

async function dropped(): Promise<number> {
  const text = await flows.deps.telemetry.prometheus();
  return Number(/^service_bound_refusals_total\{service_bound="decision_log"[^}]*\} (\d+)$/m.exec(text)?.[1]);
}

describe("the record of decisions", () => {
  test("returns what was recorded, member by member", async () => {
    decisions.record(decision());
    await decisions.flush();
    expect(await findDecisions(flows.sql, ID, 10)).toEqual([{ ...decision(), callerType: null }]);
  });

  test("writes a batch a round, drops and counts what is beyond its bound, and never fails a request", async () => {
    const before = await dropped();
    for (let count = 0; count < DECISIONS_WAITING_MAX + 7; count += 1) decisions.record(decision());
    expect((await dropped()) - before).toBe(7);
    await decisions.flush();
    expect(await rows()).toBe(DECISION_BATCH);
    for (let left = DECISIONS_WAITING_MAX; left > DECISION_BATCH; left -= DECISION_BATCH) await decisions.flush();
    expect(await rows()).toBe(DECISIONS_WAITING_MAX);
  });

  test("a flood of one network displaces no decision about further networks", async () => {
    const before = await dropped();
    for (let count = 0; count < 3 * DECISIONS_WAITING_MAX; count += 1) decisions.record(decision());
    const others = ["198.51.100.1", "2001:db8:1:2::/64", "unknown"];
    for (const network of others) decisions.record(decision({ network, requestId: crypto.randomUUID() }));
    expect((await dropped()) - before).toBe(2 * DECISIONS_WAITING_MAX + others.length);
    await decisions.flush();
    const written = await flows.sql<{ network: string }[]>`
      select network from request_decisions where network <> '203.0.113.7' order by network`;
    expect(written.map(({ network }) => network)).toEqual(others);
  });

  test("nor in the table: the networks with most decisions lose the oldest, down to a fair share", async () => {
    const of = async (network: string, count: number) => {
      for (let made = 0; made < count; made += 1) decisions.record(decision({ network }));
      await decisions.flush();
    };
    const counts = async () =>
      Object.fromEntries(
        (await flows.sql`select network, count(*)::int as n from request_decisions group by network`).map((row) => [
          row.network,
          row.n,
        ]),
      );
    await of("198.51.100.1", 3);
    await flows.sql`update request_decisions set network = null where id = (select min(id) from request_decisions)`;
    await of("198.51.100.2", 30);
    await of("203.0.113.7", 80);
    const newest = (await flows.sql`select max(id) as id from request_decisions`)[0]?.id;
    expect(await deleteSurplusDecisions(flows.sql, 113, 1_000)).toBe(0);
    expect(await deleteSurplusDecisions(flows.sql, 83, 10)).toBe(10);
    expect(await deleteSurplusDecisions(flows.sql, 83, 1_000)).toBe(20);
    expect(await counts()).toEqual({ null: 1, "198.51.100.1": 2, "198.51.100.2": 30, "203.0.113.7": 50 });
    expect(await deleteSurplusDecisions(flows.sql, 23, 1_000)).toBe(60);
    expect(await counts()).toMatchObject({ null: 1, "198.51.100.1": 2 });
    expect(await rows()).toBe(23);
    expect((await flows.sql`select max(id) as id from request_decisions`)[0]?.id).toBe(newest);
    expect(await deleteSurplusDecisions(flows.sql, 0, 1_000)).toBe(23);
    expect(await deleteSurplusDecisions(flows.sql, 0, 1_000)).toBe(0);
  });

  test("keeps unwritten decisions for the next round, and drops decisions unfit for PostgreSQL", async () => {
    const { database } = flows.deps;
    let away = true;
    const run: typeof database.run = (name, work) =>
      away ? Promise.reject(new Error("away")) : database.run(name, work);
    const log = decisionLog({ ...flows.deps, database: { ...database, run }, enabled: true });
    log.record(decision());
    await expect(log.flush()).rejects.toThrow("away");
    away = false;
    await log.flush();
    expect(await rows()).toBe(1);
    log.record(decision({ status: 1_000_000 }));
    await log.flush();
    log.record(decision());
    await log.flush();
    expect(await rows()).toBe(2);
  });

  test("admits few requests of a minute with the same failed claims, further claims, and a bound in all", () => {
    const from = 1_767_323_040_000;
    const admitted = (key: (index: number) => string, at: number) =>
      Array.from({ length: 1_000 }, (_, index) => decisions.admitsClaims(key(index), at)).filter(Boolean).length;
    expect(admitted(() => "a", from)).toBe(DECISION_CLAIMS_PER_MINUTE);
    expect(admitted(() => "a", from + 59_999)).toBe(0);
    expect(admitted(() => "b", from + 59_999)).toBe(DECISION_CLAIMS_PER_MINUTE);
    const rest = DECISION_CLAIMS_TOTAL_PER_MINUTE - 2 * DECISION_CLAIMS_PER_MINUTE;
    expect(admitted((index) => `${index}`, from + 59_999)).toBe(rest);
    expect(admitted((index) => `${index}`, from + 60_000)).toBe(DECISION_CLAIMS_TOTAL_PER_MINUTE);
  });

  test("writes what waits when the replica drains", async () => {
    decisions.start();
    decisions.record(decision());
    await decisions.stop();
    expect(await rows()).toBe(1);
  });

  test("takes one of a hundred requests that were not refused, and twenty at most between two writes", async () => {
    const takenOf = (requests: number) => Array.from({ length: requests }, () => decisions.samples()).filter(Boolean);
    expect(takenOf(10 * DECISION_SAMPLE)).toHaveLength(10);
    expect(takenOf(100 * DECISION_SAMPLE)).toHaveLength(10);
    await decisions.flush();
    expect(takenOf(DECISION_SAMPLE)).toHaveLength(1);
  });

  test("is off by a switch: no decision is kept or written", async () => {
    const config = loadConfig({ SERVICE_DECISION_LOG: "off" });
    expect(config.ok && config.value.decisionLog).toEqual({ enabled: false, retentionMs: 7 * DAY_MS });
    const off = decisionLog({ ...flows.deps, enabled: false });
    off.start();
    off.record(decision());
    expect(Array.from({ length: DECISION_SAMPLE }, () => off.samples())).not.toContain(true);
    await off.stop();
    expect(await rows()).toBe(0);
  });

  test("is trimmed by the sweeper to its days and rows, the oldest first", async () => {
    const days = (count: number) => new Date(flows.clock.now() - count * DAY_MS);
    for (const count of [9, 8, 6, 1]) decisions.record(decision({ at: days(count) }));
    await decisions.flush();
    const { database } = flows.deps;
    await sweep({ database, clock: flows.clock, auditRetentionMs: undefined, decisionRetentionMs: 7 * DAY_MS });
    expect((await findDecisions(flows.sql, ID, 10)).map(({ at }) => at)).toEqual([days(6), days(1)]);
    expect(await deleteOldestDecisions(flows.sql, 1, 100)).toBe(1);
    expect((await findDecisions(flows.sql, ID, 10)).map(({ at }) => at)).toEqual([days(1)]);
  });
});
