/** Replicas serve as a role with the privileges of replicas alone, which cannot change a record of the trail (G104). */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { getTableName } from "drizzle-orm";
import { setRoleSettings } from "../../db/migrate.ts";
import { sweep } from "../../src/actors/sweeper.ts";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { startupParameters } from "../../src/database/server-settings.ts";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type DatabaseRoles, databaseWithRoles } from "../support/database-roles.ts";
import { declaredTables } from "../support/declared-tables.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { type Replica, runService, startReplica } from "../support/replica.ts";
import { openSql, redisUrl } from "../support/services.ts";
import { enterEnterprise } from "../support/states.ts";
import { newOwner } from "../support/team.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { until } from "../support/waiting.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const DAY_MS = 24 * 3600 * 1000;
const RETENTION_DAYS = 400;
const RETENTION_MS = RETENTION_DAYS * DAY_MS;
const INSUFFICIENT_PRIVILEGE = "42501";

let roles: DatabaseRoles;
let replica: Replica;
let at: { readonly one: Replica; readonly sql: ReturnType<typeof openSql> };
let database: Database;
const receiver = startReceiver();

beforeAll(async () => {
  roles = await databaseWithRoles();
  const env = { DATABASE_URL: roles.replica, SERVICE_AUDIT_RETENTION_DAYS: String(RETENTION_DAYS) };
  const migrated = await runService(["migrate"], { ...env, SERVICE_MIGRATION_URL: roles.migration });
  if (migrated.code !== 0) throw new Error(migrated.output);
  replica = await startReplica({ ...env, REDIS_URL: await redisUrl() });
  at = { one: replica, sql: openSql(roles.admin) };
  database = openDatabase({ url: roles.replica, connections: 2, telemetry: await silentTelemetry() });
});
afterAll(async () => {
  await database.close();
  await receiver.stop();
});

describe("a replica that connects as identity_replica", () => {
  test("registers, signs in, refreshes and ends a session.", async () => {
    const { email, client } = await registered(replica.url);
    expect((await client.post("/v1/auth/refresh")).status).toBe(200);
    const again = await signedIn(replica.url, email, PASSWORD);
    expect((await again.client.post("/v1/auth/logout")).status).toBe(204);
    expect((await again.client.get("/v1/auth/session")).status).toBe(401);
    expect((await new Client(replica.url).post("/v1/auth/password/forgot", { email })).status).toBe(204);
  });

  test("serves the audit trail, and the export, which PostgreSQL copies.", async () => {
    const admin = await steppedUpAdmin(at);
    await enterEnterprise(at.sql, admin.organizationId);
    const trail = await admin.client.get("/v1/audit-logs");
    expect([trail.status, trail.body.items.length > 0]).toEqual([200, true]);
    const exported = await admin.client.get("/v1/admin/audit-export");
    expect([exported.status, exported.text.includes('"_count"')]).toEqual([200, true]);
    expect((await admin.client.get("/v1/admin/users?q=a")).status).toBe(200);
  });

  test("delivers webhooks, and publishes checkpoints of the transparency log.", async () => {
    const owner = await newOwner(at);
    const path = `/v1/orgs/${owner.organizationId}`;
    const webhook = { url: `${receiver.url}/hook`, event_types: ["invitation.*"] };
    expect((await owner.client.post(`${path}/webhooks`, webhook)).status).toBe(201);
    const invitation = { email: newEmail(), role: "member" };
    expect((await owner.client.post(`${path}/invitations`, invitation)).status).toBe(201);
    await receiver.received("/hook", 1);
    await until("a checkpoint is published", async () => {
      const { status } = await new Client(replica.url).get("/v1/audit-log/checkpoint", { documented: false });
      return status === 200;
    });
  });

  test("creates and drops partitions of the trail by the sweeper, and drops none within the retention.", async () => {
    await at.sql`select ensure_audit_partitions('2020-01-01', 0)`;
    await at.sql`
      insert into audit_logs overriding system value select (jsonb_populate_record(l, jsonb_build_object(
        'id', 9000000000, 'event_id', gen_random_uuid(), 'timestamp', now() + interval '14 months'))).*
      from audit_logs l limit 1`;
    await sweepAt(Date.now());
    const partitions = async () => {
      const rows =
        await at.sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_logs'::regclass`;
      return rows.map(({ name }) => String(name));
    };
    const nameIn = (months: number) => {
      const month = new Date();
      month.setUTCMonth(month.getUTCMonth() + months, 1);
      return `audit_logs_y${month.getUTCFullYear()}m${String(month.getUTCMonth() + 1).padStart(2, "0")}`;
    };
    expect(await partitions()).toEqual(expect.arrayContaining([nameIn(0), nameIn(3), nameIn(14)]));
    expect(await partitions()).not.toContain("audit_logs_y2020m01");
    const [dropped] = await database.run("test", (sql) => sql`select drop_audit_partitions('2999-01-01') as count`);
    expect(dropped?.count).toBe(0);
    expect(await partitions()).toContain(nameIn(0));
  });
});

async function sweepAt(now: number): Promise<void> {
  const clock: Clock = { ...systemClock, now: () => now };
  await sweep({ database, clock, auditRetentionMs: RETENTION_MS, decisionRetentionMs: 7 * DAY_MS });
}

describe("the role of replicas", () => {
  test.each([
    "create table mine (id int)",
    "create schema mine",
    "create temporary table mine (id int)",
    "create function mine() returns int language sql as 'select 1'",
    "drop table sessions",
    "drop table audit_logs",
    "alter table users add column mine text",
    "alter table audit_logs disable trigger all",
    "truncate sessions",
    "delete from audit_logs",
    "update audit_logs set action = 'x'",
    "truncate audit_logs",
    "delete from audit_logs_default",
    "insert into audit_logs_default overriding system value select * from audit_logs",
    "update transparency_keys set public_key = ''",
    "delete from transparency_tiles",
    "delete from transparency_log",
    "delete from drizzle.__drizzle_migrations",
    "create or replace function audit_droppable_before() returns timestamptz language sql as $$ select now() $$",
    "select * from pg_authid",
    "select * from pg_shadow",
    "copy users to program 'cat'",
    "set role identity_migration",
  ])("may not: %s", async (statement) => {
    const code = await openSql(roles.replica)
      .unsafe(statement)
      .then(
        () => "allowed",
        (error) => error.code,
      );
    expect(code).toBe(INSUFFICIENT_PRIVILEGE);
  });

  test("A second run of migrate grants the same privileges again.", async () => {
    const privileges = () => at.sql`
      select table_name, privilege_type from information_schema.role_table_grants
      where grantee = 'identity_replica' order by 1, 2`;
    const before = await privileges();
    const env = { DATABASE_URL: roles.replica, SERVICE_MIGRATION_URL: roles.migration };
    expect((await runService(["migrate"], env)).code).toBe(0);
    expect(await privileges()).toEqual(before);
    expect(before.length).toBeGreaterThan(50);
  });
});

describe("every privilege of the role of replicas, by the catalogues of PostgreSQL:", () => {
  const ROWS = "select insert update delete";
  /** The tables with fewer privileges than changes of every row. */
  const FEWER: Readonly<Record<string, string>> = {
    audit_logs: "select insert",
    transparency_keys: "select insert",
    transparency_log: "select insert update",
    transparency_tiles: "select insert update",
  };
  const EVERY_PRIVILEGE = "{select,insert,update,delete,truncate,references,trigger,maintain}";

  test("rows of the tables of db/schema, the list of migrations, and no other relation.", async () => {
    const rows = await at.sql`
      select case nspname when 'public' then relname else nspname || '.' || relname end as name,
             (select string_agg(p, ' ' order by ord)
              from unnest(${EVERY_PRIVILEGE}::text[]) with ordinality as u (p, ord)
              where has_table_privilege('identity_replica', c.oid, p)
                 or p in ('select', 'insert', 'update', 'references')
                    and has_any_column_privilege('identity_replica', c.oid, p)) as privileges
      from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind in ('r', 'p', 'v', 'm', 'f') and nspname <> 'information_schema' and nspname !~ '^pg_'`;
    const granted = rows.flatMap(({ name, privileges }) => (privileges ? [[String(name), String(privileges)]] : []));
    const names = (await declaredTables()).map((table) => getTableName(table));
    expect(Object.fromEntries(granted)).toEqual({
      ...Object.fromEntries(names.map((name) => [name, FEWER[name] ?? ROWS])),
      "drizzle.__drizzle_migrations": "select",
    });
  });

  test("the next values of sequences, and no others.", async () => {
    const [row] = await at.sql`
      select count(*) filter (where has_sequence_privilege('identity_replica', oid, 'usage'))::int as usable,
             count(*) filter (where has_sequence_privilege('identity_replica', oid, 'select, update'))::int as more
      from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`;
    expect([Number(row?.usable) > 0, row?.more]).toEqual([true, 0]);
  });

  test("three functions of the owner with a fixed search path, and no function that is closed to others.", async () => {
    const owners = await at.sql`
      select p.proname as name, 'search_path=public, pg_temp' = any(proconfig) as fixed from pg_proc p
      where prosecdef and has_function_privilege('identity_replica', p.oid, 'execute')
        and has_schema_privilege('identity_replica', pronamespace, 'usage')
      order by 1`;
    const names = ["drop_audit_partitions", "ensure_audit_partitions", "move_stray_audit_records"];
    expect([...owners]).toEqual(names.map((name) => ({ name, fixed: true })));
    const closed = await at.sql`
      select p.proname as name from pg_proc p
      where not has_function_privilege('public', p.oid, 'execute')
        and has_function_privilege('identity_replica', p.oid, 'execute')
      order by 1`;
    expect(closed.map(({ name }) => name)).toEqual(names);
  });

  test("no attribute, membership, ownership or right to grant, and nothing in the database itself.", async () => {
    const [role] = await at.sql`
      select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as powerful,
             (select count(*)::int from pg_auth_members where member = r.oid) as memberships,
             (select count(*)::int from pg_shdepend where refobjid = r.oid and deptype = 'o') as owned,
             (select count(*)::int from pg_class, aclexplode(relacl) as acl
              where acl.grantee = r.oid and acl.is_grantable) as grantable,
             (select count(*)::int from pg_default_acl, aclexplode(defaclacl) as acl where acl.grantee = r.oid)
               as defaults,
             (select count(*)::int from pg_namespace where has_schema_privilege(r.oid, oid, 'create')) as schemas,
             (select count(*)::int from pg_foreign_data_wrapper
              where has_foreign_data_wrapper_privilege(r.oid, oid, 'usage')) as wrappers,
             (select count(*)::int from pg_tablespace where has_tablespace_privilege(r.oid, oid, 'create')) as spaces,
             (select count(*)::int from pg_parameter_acl, aclexplode(paracl) as acl where acl.grantee = r.oid)
               as parameters,
             has_database_privilege(r.oid, current_database(), 'create, temporary') as database
      from pg_roles r where rolname = 'identity_replica'`;
    const none = {
      memberships: 0,
      owned: 0,
      grantable: 0,
      defaults: 0,
      schemas: 0,
      wrappers: 0,
      spaces: 0,
      parameters: 0,
    };
    expect(role).toEqual({ powerful: false, ...none, database: false });
  });
});

test("The role of replicas sets the settings for a pooler, and no further setting.", async () => {
  await setRoleSettings(roles.replica, startupParameters);
  const rows = await at.sql`
    select r.rolname as role, s.setconfig as settings from pg_db_role_setting s
    join pg_roles r on r.oid = s.setrole join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database()`;
  const settings = Object.entries(startupParameters).map(([name, value]) => `${name}=${value}`);
  expect([...rows]).toEqual([{ role: "identity_replica", settings }]);
});

describe("doctor", () => {
  async function roleCheck(url: string) {
    const { output } = await runService(["doctor", "--json"], { DATABASE_URL: url });
    const { checks } = JSON.parse(output.slice(output.indexOf("{")));
    return checks.find(({ check }: { check: string }) => check === "database role");
  }

  test("warns of a superuser and of the owner of the tables, and accepts the role of replicas.", async () => {
    expect(await roleCheck(roles.replica)).toMatchObject({ level: "ok", detail: "identity_replica owns no table" });
    expect(await roleCheck(roles.admin)).toMatchObject({ level: "warning", detail: "service is a superuser" });
    expect(await roleCheck(roles.migration)).toMatchObject({
      level: "warning",
      detail: expect.stringMatching(/^identity_migration owns \d+ tables/),
      remedy: expect.stringContaining("ops/postgres/roles.sql"),
    });
  });
});
