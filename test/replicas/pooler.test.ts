/** PgBouncer between the service and PostgreSQL (docs/decisions/0011). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "pg";
import { migrate, setRoleSettings } from "../../db/migrate.ts";
import { openDatabase } from "../../src/database/database.ts";
import { Client as Browser, registered, signedIn } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { codeOf, enrolled, passwordShown } from "../support/mfa.ts";
import { type PgBouncer, startPgBouncer } from "../support/pgbouncer.ts";
import { platformUser } from "../support/platform.ts";
import { type Replica, runService, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { enterEnterprise } from "../support/states.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { eventually, until } from "../support/waiting.ts";

const MODES = ["session", "transaction"] as const;
const timeouts = (ms: number) => ({
  statement_timeout: String(ms),
  idle_in_transaction_session_timeout: String(ms),
});
const poolers = {} as Record<(typeof MODES)[number], PgBouncer>;

beforeAll(async () => {
  const serverUrl = await freshDatabase("empty");
  for (const mode of MODES) poolers[mode] = await startPgBouncer(serverUrl, { mode });
});

describe.each(MODES)("PgBouncer in %s mode", (mode) => {
  test("a statement that runs too long, and a transaction that idles, are ended by the server", async () => {
    const url = await freshDatabase();
    await setRoleSettings(poolers[mode].through(url), timeouts(300));
    // Existing server connections of the pooler keep the earlier time-outs of the role.
    const fresh = await startPgBouncer(url, { mode, serverConnections: 2 });
    const database = openDatabase({
      url: fresh.through(url),
      connections: 2,
      telemetry: await silentTelemetry(),
      pooler: mode,
    });
    const tooLong = (sql: Parameters<Parameters<typeof database.run>[1]>[0]) => sql`select pg_sleep(60)`;
    await expect(database.run("test.sleep", tooLong)).rejects.toMatchObject({ code: "57014" });
    await expect(database.transaction("test.sleep", tooLong)).rejects.toMatchObject({ code: "57014" });
    await database.close();
    const idle = new Client({ connectionString: fresh.through(url) });
    await idle.connect();
    idle.on("error", () => undefined);
    const ended = new Promise((resolve) => idle.once("end", resolve));
    await idle.query("begin");
    await ended;
  });

  test("concurrent migrations through it apply once, leave no lock, and make a sound deployment", async () => {
    const url = await freshDatabase("empty");
    const env = { DATABASE_URL: poolers[mode].through(url), SERVICE_DATABASE_POOLER: mode };
    const both = await Promise.all([runService(["migrate"], env), migrate(env.DATABASE_URL)]);
    expect(both[0].code).toBe(0);
    const sql = openSql(url);
    const applied = await sql`select count(*)::int as applied, count(distinct hash)::int as distinct
      from drizzle.__drizzle_migrations`;
    expect(applied[0]?.applied).toBe(applied[0]?.distinct);
    const locks = await sql`select pid from pg_locks where locktype = 'advisory' and
      database = (select oid from pg_database where datname = current_database())`;
    expect(locks).toHaveLength(0);
    const fresh = await startPgBouncer(url, { mode });
    const { code, output } = await runService(["doctor"], { ...env, DATABASE_URL: fresh.through(url) });
    expect(output).toMatch(new RegExp(`^ok\\s+pooler: connected through a pooler in ${mode} mode$`, "m"));
    expect(output).toMatch(/^ok\s+session settings: in force$/m);
    expect(code).toBe(0);
  });
});

test("of ten migrations with time-outs of one role at once, no migration fails", async () => {
  const url = await freshDatabase("empty");
  const sql = openSql(url);
  let setting: Promise<unknown> | undefined;
  await sql.begin(async (holder) => {
    await holder`lock table pg_db_role_setting in share row exclusive mode`;
    setting = race((index) => setRoleSettings(url, timeouts(5_000 + index)), 10);
    setting.catch(() => undefined);
    await until("all of them wait", async () => {
      const [row] = await sql`
        select count(*)::int as waiting from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`;
      return row?.waiting === 10;
    });
  });
  await setting;
});

describe("doctor", () => {
  const examine = async (env: Record<string, string>) => {
    const { code, output } = await runService(["doctor", "--json"], env);
    const failures = JSON.parse(output).checks.filter(({ level }: { level: string }) => level === "failure");
    return { code, failures };
  };

  test("names a pooler beyond the settings, and the mode of the pooler", async () => {
    const url = await freshDatabase();
    for (const mode of MODES) {
      expect(await examine({ DATABASE_URL: poolers[mode].through(url) })).toMatchObject({
        code: 1,
        failures: [{ check: "pooler", remedy: `set SERVICE_DATABASE_POOLER=${mode}, and run migrate` }],
      });
    }
    const wrong = { DATABASE_URL: poolers.transaction.through(url), SERVICE_DATABASE_POOLER: "session" };
    expect((await examine(wrong)).failures).toMatchObject([{ check: "pooler" }]);
  });

  test("fails where session settings are not in force, or the URL for migrations leads elsewhere", async () => {
    const url = await freshDatabase();
    const env = { DATABASE_URL: poolers.transaction.through(url), SERVICE_DATABASE_POOLER: "transaction" };
    expect((await examine(env)).failures).toMatchObject([
      {
        check: "session settings",
        detail: expect.stringContaining("statement_timeout is 0, not 5000"),
        remedy: expect.stringContaining("migrate"),
      },
    ]);
    const elsewhere = { ...env, SERVICE_MIGRATION_URL: await freshDatabase("empty") };
    expect((await examine(elsewhere)).failures).toMatchObject([
      { check: "session settings" },
      { check: "SERVICE_MIGRATION_URL", detail: "leads to another database than DATABASE_URL" },
    ]);
  });
});

describe("a deployment behind PgBouncer in transaction mode", () => {
  let one: Replica;
  let other: Replica;
  let sql: ReturnType<typeof openSql>;
  let env: Record<string, string>;

  beforeAll(async () => {
    const url = await freshDatabase("empty");
    // The pooler has fewer connections than the replicas, so the replicas must share.
    const pooler = await startPgBouncer(url, { mode: "transaction", serverConnections: 4 });
    env = {
      DATABASE_URL: pooler.through(url),
      SERVICE_DATABASE_POOLER: "transaction",
      SERVICE_MIGRATION_URL: url,
      REDIS_URL: await redisUrl(),
    };
    expect((await runService(["migrate"], env)).code).toBe(0);
    [one, other] = await Promise.all([startReplica(env), startReplica(env)]);
    sql = openSql(url);
  });
  afterAll(async () => {
    await Promise.all([one.kill(), other.kill()]);
  });

  test("registers, signs in, refreshes, takes second factors and revokes at once everywhere", async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => registered(one.url)));
    await Promise.all(
      people.map(async ({ client, email }) => {
        expect((await signedIn(other.url, email)).answer.status).toBe(200);
        expect((await client.at(other.url).post("/v1/auth/refresh")).status).toBe(200);
      }),
    );
    const person = await enrolled({ one, sql });
    const challenge = await new Browser(other.url).post("/v1/auth/mfa/challenge", {
      mfa_token: await passwordShown(one.url, person.email),
      code: codeOf(person.secret),
    });
    expect(challenge.status).toBe(200);
    const [{ client }] = people as [(typeof people)[0]];
    expect((await client.at(other.url).get("/v1/auth/session")).status).toBe(200);
    expect((await client.post("/v1/auth/logout")).status).toBe(204);
    await eventually(
      "the sign-out is known",
      1_000,
      async () => (await client.at(other.url).get("/v1/auth/session")).status === 401,
    );
  });

  test("lists, exports and rotates keys; no server connection keeps a prepared statement or a setting", async () => {
    const { client, organizationId, userId } = await platformUser({ one, sql }, "admin");
    await enterEnterprise(sql, organizationId);
    expect((await client.get(`/v1/audit-logs?user_id=${userId}`)).body.total).toBeGreaterThan(0);
    expect((await client.get("/v1/admin/users")).status).toBe(200);
    const exported = await client.get("/v1/admin/audit-export");
    expect(exported.status).toBe(200);
    expect(exported.text).toContain(userId);
    expect((await runService(["keys", "rotate"], env)).code).toBe(0);
    expect((await client.post("/v1/auth/refresh")).status).toBe(200);
    const database = openDatabase({
      url: env.DATABASE_URL ?? "",
      connections: 4,
      telemetry: await silentTelemetry(),
      pooler: "transaction",
    });
    const left = await Promise.all(
      Array.from({ length: 4 }, () =>
        database.transaction("test.leftovers", async (session) => {
          const [found] = await session`
            select (select count(*)::int from pg_prepared_statements) as prepared,
                   current_setting('statement_timeout') as timeout, pg_sleep(0.05)::text as slept`;
          return [found?.prepared, found?.timeout];
        }),
      ),
    );
    expect(left).toEqual(Array(4).fill([0, "5s"]));
    await database.close();
  });
});
