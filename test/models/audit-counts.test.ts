import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { migrate } from "../../db/migrate.ts";
import { sweep } from "../../src/actors/sweeper.ts";
import { systemClock } from "../../src/base/clock.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { type AuditBucket, chartAudit } from "../../src/models/audit/audit-chart.ts";
import { listAudit } from "../../src/models/audit/audit-log.ts";
import { race } from "../support/deployment.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The end of an hour in the past, so that spans of all kinds lie around this time. */
const NOON = Date.parse("2026-03-10T12:00:00.000Z");
const ALL = { actorId: undefined, action: undefined, from: undefined, to: undefined };
let url: string;
let sql: ReturnType<typeof openSql>;
let database: Database;

beforeAll(async () => {
  url = await freshDatabase();
  sql = openSql(url);
  database = openDatabase({ url, connections: 4, telemetry: await silentTelemetry() });
  await sql`select ensure_audit_partitions('2026-01-01', 6)`;
});
afterAll(() => database.close());

async function insert(times: readonly number[], action = "auth.login"): Promise<void> {
  const dates = times.map((time) => new Date(time).toISOString());
  await sql`
    insert into audit_logs (event_id, timestamp, actor_type, action, resource_type, metadata, outcome)
    select gen_random_uuid(), at::timestamptz, 'user', ${action}, 'user', '{}', 'success'
    from unnest(${dates}::text[]) at`;
}

const upkeep = (now: number, auditRetentionMs?: number) =>
  sweep({ database, clock: { ...systemClock, now: () => now }, auditRetentionMs, decisionRetentionMs: HOUR_MS });

async function total(from?: number, to?: number, action?: string): Promise<number> {
  const date = (time: number | undefined) => (time === undefined ? undefined : new Date(time));
  const filter = { actorId: undefined, action, from: date(from), to: date(to) };
  return (await listAudit(sql, filter, { limit: 1, offset: 0 })).total;
}

async function counted(from?: number, to?: number, action?: string): Promise<number> {
  const [row] = await sql`
    select count(*)::int as total from audit_logs
    where timestamp >= coalesce(${from === undefined ? null : new Date(from)}::timestamptz, '-infinity')
      and timestamp <= coalesce(${to === undefined ? null : new Date(to)}::timestamptz, 'infinity')
      and action = coalesce(${action ?? null}::text, action)`;
  return row?.total;
}

/** Counts the expected buckets entry by entry. */
async function countedBuckets(from: number, to: number, stepMs: number, action?: string): Promise<AuditBucket[]> {
  const rows = await sql`
    select timestamp as at from audit_logs
    where timestamp >= ${new Date(from)} and timestamp <= ${new Date(to)}
      and action = coalesce(${action ?? null}::text, action)
    order by 1`;
  const counts = new Map<number, number>();
  for (const { at } of rows) {
    const bucket = Math.floor(at.getTime() / stepMs) * stepMs;
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  return [...counts].map(([at, count]) => ({ at: new Date(at), count }));
}

async function checkChart(bounds: readonly number[]): Promise<void> {
  for (const from of bounds) {
    for (const to of bounds.filter((each) => each >= from)) {
      for (const [stepMs, action] of [
        [HOUR_MS, undefined],
        [DAY_MS, undefined],
        [HOUR_MS, "auth.logout"],
      ] as const) {
        const span = { actorId: undefined, action, from: new Date(from), to: new Date(to), stepSeconds: stepMs / 1000 };
        expect([from, to, await chartAudit(sql, span)]).toEqual([
          from,
          to,
          await countedBuckets(from, to, stepMs, action),
        ]);
      }
    }
  }
}

const until = async () => (await sql`select counted_until::text as until from audit_count_state`)[0]?.until;

describe("totals of the audit trail", () => {
  test("are exact for any bounds, before and after hours are counted, with entries that come late", async () => {
    const times = Array.from({ length: 400 }, (_, index) => NOON + (index - 200) * 17 * 60_000);
    await insert(times);
    await insert(times.slice(0, 50), "auth.logout");
    const bounds = [
      undefined,
      NOON - 3 * HOUR_MS,
      NOON - 1,
      NOON,
      NOON + 1,
      NOON + 17 * 60_000,
      NOON + 100 * 60_000,
      NOON + 100 * 60_000 + 1,
      NOON + 2 * HOUR_MS,
      times[0],
      times.at(-1),
    ];
    const check = async () => {
      for (const from of bounds) {
        for (const to of bounds) {
          for (const action of [undefined, "auth.logout"]) {
            expect([from, to, action, await total(from, to, action)]).toEqual([
              from,
              to,
              action,
              await counted(from, to, action),
            ]);
          }
        }
      }
    };
    const chartBounds = bounds.flatMap((bound, index) => (bound === undefined || index % 2 === 1 ? [] : [bound]));
    await check();
    await checkChart(chartBounds);
    await upkeep(NOON + 2 * HOUR_MS);
    await checkChart(chartBounds);
    // Twenty minutes before the sweep: a part of the hour is counted.
    expect(await until()).toContain("2026-03-10 13:40:00");
    await check();
    await insert([NOON - 26 * HOUR_MS, NOON + 1, NOON + HOUR_MS, NOON + 5 * HOUR_MS]);
    await race(() => insert([NOON - 2 * HOUR_MS], "auth.logout"));
    await check();
    // The row of the hour grows minute by minute.
    for (let minute = 1; minute <= 30; minute += 7) {
      await upkeep(NOON + 2 * HOUR_MS + minute * 60_000);
      await insert([NOON + 2 * HOUR_MS + minute * 60_000, NOON + 95 * 60_000]);
      expect(await total()).toBe(await counted());
    }
    await check();
    await upkeep(NOON + 30 * DAY_MS);
    await check();
  });

  test("are exact in the moment of the counting of minutes, on any connections", async () => {
    const [begun, end] = [NOON + 40 * DAY_MS, NOON + 40 * DAY_MS + 2 * HOUR_MS];
    for (let day = 30; day <= 40; day += 1) await upkeep(NOON + day * DAY_MS);
    await insert(Array.from({ length: 2 * 720 }, (_, index) => begun + index * 5_000));
    const expected = await counted();
    let counting = true;
    const wrong: number[] = [];
    const read = async () => {
      while (counting) {
        const { total } = await database.run("audit.list", (pool) => listAudit(pool, ALL, { limit: 1, offset: 0 }));
        if (total !== expected) wrong.push(total);
      }
    };
    const reading = [read(), read(), read()];
    for (let at = begun; at < end; at += 60_000) await upkeep(at);
    counting = false;
    await Promise.all(reading);
    expect(wrong).toEqual([]);
  });

  test("are equal in every time zone of the database, also with changing clocks", async () => {
    const changes = { "America/New_York": "2026-03-08", "Europe/Berlin": "2026-03-29" };
    for (const [zone, date] of Object.entries(changes)) {
      const change = Date.parse(`${date}T00:00:00Z`);
      await insert(Array.from({ length: 26 }, (_, index) => change + index * HOUR_MS + 1));
      for (const from of [change, change + HOUR_MS]) {
        const found = await sql.begin(async (there) => {
          await there`select set_config('timezone', ${zone}, true)`;
          const filter = { ...ALL, from: new Date(from) };
          return (await listAudit(there, filter, { limit: 1, offset: 0 })).total;
        });
        expect([zone, found]).toEqual([zone, await counted(from)]);
      }
    }
  });

  test("are sums of days and hours: ten thousand entries of counted hours are not read", async () => {
    await insert(Array.from({ length: 10_000 }, (_, index) => NOON - 40 * DAY_MS + index));
    const [row] = await sql`select count(*)::int as hours from audit_counts`;
    expect(row?.hours).toBeLessThan(200);
    const differing = await sql`
      select day from audit_day_counts full join (
        select date_trunc('day', hour, 'UTC') as day, action, sum(count) as hours from audit_counts group by 1, 2
      ) summed using (day, action)
      where count is distinct from hours`;
    expect(differing).toHaveLength(0);
    expect(await total(undefined, undefined, undefined)).toBe(await counted());
  });

  test("count no record younger than twenty minutes by PostgreSQL's clock, with any clock of the sweeper", async () => {
    const uncountedMs = async () => Date.now() - Date.parse(String(await until()));
    while ((await uncountedMs()) > 30 * 60_000) await upkeep(Date.now() + 10 * DAY_MS);
    await upkeep(Date.now() + 10 * DAY_MS);
    expect(await uncountedMs()).toBeWithin(20 * 60_000, 22 * 60_000);
    const recent = [1, 14, 16, 19, 22].map((minutes) => Date.now() - minutes * 60_000);
    await sql`select ensure_audit_partitions(now()::date, 1)`;
    await insert(recent);
    expect(await total()).toBe(await counted());
    await upkeep(Date.now());
    expect(await total()).toBe(await counted());
  });
});

describe("retention", () => {
  test("drops whole ended months, with their counts, and no further record", async () => {
    const before = await counted();
    const january = await counted(Date.parse("2026-01-01T00:00:00Z"), Date.parse("2026-01-31T23:59:59.999Z"));
    expect(january).toBeGreaterThan(0);
    await upkeep(Date.parse("2026-04-15T00:00:00Z"), 60 * DAY_MS);
    const partitions = (
      await sql`select relname from pg_class where relname ~ '^audit_logs_y2026m0[1-4]$' order by 1`
    ).map(({ relname }) => relname);
    expect(partitions).toEqual(["audit_logs_y2026m02", "audit_logs_y2026m03", "audit_logs_y2026m04"]);
    expect(await counted()).toBe(before - january);
    expect(await total()).toBe(before - january);
    const [left] = await sql`select count(*)::int as days from audit_day_counts where day < '2026-02-01'`;
    expect(left?.days).toBe(0);
  });
});

describe("a sweeper whose clock is ahead", () => {
  test("drops no kept record by PostgreSQL's clock", async () => {
    await sql`select ensure_audit_partitions(now()::date, 0)`;
    await insert([Date.now()], "auth.register");
    const before = await counted(undefined, undefined, "auth.register");
    await upkeep(Date.now() + 400 * DAY_MS, 60 * DAY_MS);
    expect(await counted(undefined, undefined, "auth.register")).toBe(before);
  });
});

describe("a record of a clock that is months ahead", () => {
  const NOW = Date.parse("2027-01-15T00:00:00Z");
  const AHEAD = Date.parse("2027-06-10T12:00:00Z");

  test("keeps no month from its partition, and moves there with the month, counted once", async () => {
    await upkeep(NOW);
    await insert([AHEAD, AHEAD], "auth.logout");
    const before = [await total(), await total(AHEAD, AHEAD, "auth.logout")];
    await upkeep(Date.parse("2027-04-02T00:00:00Z"));
    const [made] = await sql`
      select count(*)::int as rows, min(tableoid::regclass::text) as partition from audit_logs
      where timestamp = ${new Date(AHEAD)}`;
    expect(made).toEqual({ rows: 2, partition: "audit_logs_y2027m06" });
    const [next] = await sql`select to_regclass('audit_logs_y2027m07') as partition`;
    expect(next?.partition).toBe("audit_logs_y2027m07");
    const indexes = (month: string) =>
      sql`select count(*)::int as count from pg_indexes where tablename = ${`audit_logs_${month}`}`;
    expect(await indexes("y2027m06")).toEqual(await indexes("y2027m05"));
    expect([await total(), await total(AHEAD, AHEAD, "auth.logout")]).toEqual(before);
    await insert([AHEAD]);
    expect(await total(AHEAD, AHEAD)).toBe(3);
  });

  test("keeps no replica from starting: the sweeper makes the partition afterwards", async () => {
    const [last] = await sql`select date_trunc('month', now(), 'UTC') + interval '3 months' as month`;
    const partition = `audit_logs_y${last?.month.toISOString().slice(0, 7).replace("-", "m")}`;
    await sql.unsafe(`drop table if exists ${partition}`);
    await insert([last?.month.getTime()]);
    await migrate(url);
    await upkeep(Date.now());
    const [made] = await sql`select to_regclass(${partition}) as partition`;
    expect(made?.partition).toBe(partition);
    await migrate(url);
  });
});
