/** PostgreSQL with defaults that the statements of the service cannot work with (docs/operating.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type postgres from "postgres";
import { SESSION_SETTINGS } from "../../src/database/server-settings.ts";
import { registered, signedIn } from "../support/client.ts";
import { type DebianPostgres, openSoundly, startDebianPostgres } from "../support/debian-postgres.ts";
import { startPgBouncer } from "../support/pgbouncer.ts";
import { type Replica, runService, startReplica } from "../support/replica.ts";
import { redisUrl } from "../support/services.ts";
import { stepUpSessions } from "../support/team.ts";
import { type Receiver, startReceiver, verifyDelivery } from "../support/webhook-receiver.ts";

/** A hostile default of every setting that the service sets. */
const HOSTILE: Readonly<Record<string, string>> = {
  statement_timeout: "250",
  idle_in_transaction_session_timeout: "100",
  lock_timeout: "1",
  idle_session_timeout: "3000",
  default_transaction_isolation: "serializable",
  default_transaction_read_only: "on",
  search_path: "nowhere",
  jit: "on",
  plan_cache_mode: "force_custom_plan",
  client_encoding: "LATIN1",
  DateStyle: "German, DMY",
  TimeZone: "Pacific/Apia",
  standard_conforming_strings: "off",
  bytea_output: "escape",
  extra_float_digits: "-10",
  array_nulls: "off",
};

let server: DebianPostgres;
let receiver: Receiver;
beforeAll(async () => {
  server = await startDebianPostgres({
    ...HOSTILE,
    shared_preload_libraries: "pg_stat_statements",
    "pg_stat_statements.track": "all",
  });
  receiver = startReceiver();
});
afterAll(() => receiver.stop());

test("The hostile server has a different default of every setting of the service.", () => {
  const differing = SESSION_SETTINGS.filter(({ name, value }) => (HOSTILE[name] ?? value) !== value);
  expect(differing.map(({ name }) => name)).toEqual(SESSION_SETTINGS.map(({ name }) => name));
});

describe.each(["none", "transaction"])("A deployment beside a hostile server, with the pooler %s", (pooler) => {
  let replica: Replica;
  let sql: postgres.Sql;
  let env: Record<string, string>;

  beforeAll(async () => {
    const direct = await server.createDatabase(`hostile_${pooler}`);
    sql = openSoundly(direct);
    await sql`create extension pg_stat_statements`;
    const through =
      pooler === "none" ? direct : (await startPgBouncer(direct, { mode: "transaction" })).through(direct);
    env = { DATABASE_URL: through, SERVICE_DATABASE_POOLER: pooler, REDIS_URL: await redisUrl() };
    const { code, output } = await runService(["migrate"], env);
    expect([code, output]).toEqual([0, expect.stringContaining("Applied")]);
    replica = await startReplica(env);
  });
  afterAll(() => replica.kill());

  test("doctor finds every session setting in force.", async () => {
    const { code, output } = await runService(["doctor"], env);
    expect(output).toMatch(/^ok\s+session settings: in force$/m);
    expect([code, output]).toEqual([0, output]);
  });

  test("People sign in, refresh and are found, and times and binary values are read without a change.", async () => {
    const { client, email, userId } = await registered(replica.url, { display_name: "Łukasz \\ 雪" });
    const again = await signedIn(replica.url, email);
    expect(again.answer.status).toBe(200);
    expect((await client.post("/v1/auth/refresh")).status).toBe(200);
    const { body } = await client.get("/v1/users/me");
    expect([body.user_id, body.display_name]).toEqual([userId, "Łukasz \\ 雪"]);
    expect(Math.abs(Date.parse(String(body.created_at)) - Date.now())).toBeLessThan(60_000);
    const parallel = await Promise.all(Array.from({ length: 8 }, () => signedIn(replica.url, email)));
    expect(parallel.map(({ answer }) => answer.status)).toEqual(Array(8).fill(200));
  });

  test("A webhook is delivered, and PostgreSQL compiles no plan of the service (G350).", async () => {
    const host = await registered(replica.url);
    await stepUpSessions(sql, host.userId);
    const base = `/v1/orgs/${host.organizationId}/webhooks`;
    const url = `${receiver.url}/${pooler}`;
    const hook = await host.client.post(base, { url, event_types: ["member.*"] });
    expect((await host.client.post(`${base}/${hook.body.id}/test`)).status).toBe(202);
    const [delivery] = await receiver.received(`/${pooler}`, 1);
    if (!delivery) throw new Error("no delivery");
    verifyDelivery(String(hook.body.secret), delivery);
    const [leases] = await sql`
      select sum(calls)::int as calls, sum(jit_functions)::int as compiled from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        and query like '%webhook_deliveries%'`;
    expect(leases?.calls).toBeGreaterThan(0);
    expect(leases?.compiled).toBe(0);
  });
});

describe("doctor (G350)", () => {
  const examine = async (url: string, env: Record<string, string> = {}) => {
    const { output } = await runService(["doctor", "--json"], { DATABASE_URL: url, ...env });
    return JSON.parse(output).checks.filter(({ level }: { level: string }) => level !== "ok");
  };

  test("names a setting that another client of the role or the operator has changed.", async () => {
    const url = await server.createDatabase("unsound", {
      "set synchronous_commit =": "off",
      "set work_mem =": "'64kB'",
      "connection limit": "12",
    });
    expect(await examine(url)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: "synchronous_commit", level: "failure" }),
        expect.objectContaining({ check: "work_mem", level: "warning" }),
        expect.objectContaining({ check: "connection limit of the database", level: "failure" }),
      ]),
    );
    // Behind a pooler, the settings of the role are in force.
    const detail = expect.stringContaining("jit is on, not off");
    expect(await examine(url, { SERVICE_DATABASE_POOLER: "transaction" })).toContainEqual(
      expect.objectContaining({ check: "session settings", level: "failure", detail }),
    );
  });
});
