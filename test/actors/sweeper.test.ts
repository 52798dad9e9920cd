import { describe, expect, test } from "bun:test";
import { sweep } from "../../src/actors/sweeper.ts";
import { systemClock } from "../../src/base/clock.ts";
import { openDatabase } from "../../src/base/database.ts";
import { startTelemetry } from "../../src/base/telemetry.ts";
import { registered } from "../support/client.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";

const DAY_MS = 24 * 3600 * 1000;

describe("sweeper", () => {
  test("removes ended sessions and expired events when their time has come, and nothing before; makes audit partitions", async () => {
    const url = await freshDatabase();
    const replica = await startReplica({ DATABASE_URL: url });
    const { client } = await registered(replica.url);
    await client.post("/v1/auth/logout");
    await registered(replica.url);
    await replica.stop();
    const telemetry = await startTelemetry({
      serviceName: "test",
      serviceVersion: "0",
      clock: systemClock,
      traces: false,
      otlpMetrics: false,
    });
    const database = openDatabase({ url, connections: 2, telemetry });
    const sql = openSql(url);
    const counts = async () => {
      const [row] =
        await sql`select (select count(*)::int from sessions) as sessions, (select count(*)::int from session_events) as events`;
      return [row?.sessions, row?.events];
    };
    const at = (days: number) => ({ database, clock: { ...systemClock, now: () => Date.now() + days * DAY_MS } });
    await sweep(at(0));
    expect(await counts()).toEqual([2, 1]);
    await sweep(at(1));
    expect(await counts()).toEqual([2, 0]);
    await sweep(at(90));
    expect(await counts()).toEqual([2, 0]);
    await sweep(at(92));
    expect(await counts()).toEqual([0, 0]);
    const partitions = await sql`select 1 from pg_inherits where inhparent = 'audit_logs'::regclass`;
    expect(partitions.length).toBeGreaterThanOrEqual(7);
    await database.close();
  });
});
