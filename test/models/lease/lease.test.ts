import { beforeEach, describe, expect, test } from "bun:test";
import type postgres from "postgres";
import { acquireLease } from "../../../src/models/lease/lease.ts";
import { race } from "../../support/deployment.ts";
import { freshDatabase, openSql } from "../../support/services.ts";

const MINUTE_MS = 60_000;
let sql: postgres.Sql;
beforeEach(async () => {
  sql = openSql(await freshDatabase());
});

const take = async (holder: string) => (await acquireLease(sql, { name: "test", holder, ms: MINUTE_MS })) !== undefined;
const [one, other] = [crypto.randomUUID(), crypto.randomUUID()] as const;

describe("a lease", () => {
  test("belongs to a single holder of 20 at once, and stays with this holder", async () => {
    const holders = Array.from({ length: 20 }, () => crypto.randomUUID());
    const taken = await race((index) => take(holders[index] ?? ""));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await take(holders[taken.indexOf(true)] ?? "")).toBe(true);
    expect(await take(holders[taken.indexOf(false)] ?? "")).toBe(false);
  });

  test("passes on after its end by PostgreSQL's clock, whose time the holder learns", async () => {
    const before = Date.now();
    const at = await acquireLease(sql, { name: "test", holder: one, ms: MINUTE_MS });
    expect(Math.abs(Number(at) - before)).toBeLessThan(MINUTE_MS);
    const [row] = await sql<{ seconds: number }[]>`
      select extract(epoch from expires_at - ${at ?? null}::timestamptz)::float8 as seconds from leases`;
    expect(row?.seconds).toBeCloseTo(MINUTE_MS / 1000, 1);
    await sql`update leases set expires_at = now() + interval '1 s'`;
    expect(await take(other)).toBe(false);
    await sql`update leases set expires_at = now()`;
    expect(await take(other)).toBe(true);
  });

  test("that a wrong clock wrote for a year has ended", async () => {
    expect(await take(one)).toBe(true);
    await sql`update leases set expires_at = now() + interval '1 year'`;
    expect(await take(other)).toBe(true);
    expect(await take(one)).toBe(false);
  });
});
