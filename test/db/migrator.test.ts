/** The migrator on a used database of 0.1.0, with the forms of steps for large tables (G259). */
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { createsRelation, migrate, pendingMigrations } from "../../db/migrate.ts";
import { BACKFILLS } from "../../db/migrator/backfills.ts";
import { createIndexOnline } from "../../db/migrator/indexes.ts";
import { bare, planMigration } from "../../db/migrator/plan.ts";
import { grantReplicaPrivileges } from "../../db/privileges.ts";
import { type Catalogue, readCatalogue } from "../support/catalogue.ts";
import { databaseWithRoles } from "../support/database-roles.ts";
import { freshDatabase, openSql } from "../support/services.ts";

const FOLDER = join(import.meta.dir, "../../db/migrations");
const MIGRATIONS = readMigrationFiles({ migrationsFolder: FOLDER });
/** The migrations of 0.1.0. */
const EARLIER = 7;
/** More than one batch. */
const USERS = 4_500;
const ALL_TABLES_ARE_LARGE = { largeFromBytes: 0 };
const USER_EMAILS = createdAtOf("0036_user_emails");

let expected: Catalogue;

beforeAll(async () => {
  expected = await readCatalogue(openSql(await freshDatabase()));
});

function createdAtOf(tag: string): number {
  const journal: { entries: { when: number; tag: string }[] } = JSON.parse(
    readFileSync(join(FOLDER, "meta/_journal.json"), "utf8"),
  );
  return journal.entries.find((entry) => entry.tag === tag)?.when ?? 0;
}

/** A database of 0.1.0 with users, addresses, linked identities and records. */
async function usedDatabase() {
  const databaseUrl = await freshDatabase("empty");
  const sql = openSql(databaseUrl);
  await sql.begin(async (transaction) => {
    await transaction`create schema drizzle`;
    await transaction`create table drizzle.__drizzle_migrations (id serial primary key, hash text, created_at bigint)`;
    for (const { sql: statements, hash, folderMillis } of MIGRATIONS.slice(0, EARLIER)) {
      for (const statement of statements) await transaction.unsafe(statement);
      await transaction`
        insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
    }
    await transaction`select ensure_audit_partitions(current_date, 1)`;
    await transaction`
      with people as (
        insert into users (id, email, email_verified_at, created_at, updated_at)
        select gen_random_uuid(), 'user-' || n || '@example.com', case when n % 2 = 0 then now() end, now(), now()
        from generate_series(1, ${USERS}::int) n returning id)
      insert into user_identities select 'google', 'https://example.com', id, id, now(), now() from people`;
    await transaction`
      insert into audit_logs (event_id, timestamp, actor_type, action, resource_type, metadata, outcome)
      select gen_random_uuid(), now(), 'user', 'auth.login', 'session', '{}', 'success' from generate_series(1, 100)`;
  });
  return { databaseUrl, sql };
}

type Sql = Awaited<ReturnType<typeof usedDatabase>>["sql"];

async function expectMigrated(sql: Sql): Promise<void> {
  expect(await readCatalogue(sql)).toEqual(expected);
  const [ledger] = await sql`
    select count(*)::int as entries, count(distinct hash)::int as migrations from drizzle.__drizzle_migrations`;
  expect(ledger).toEqual({ entries: MIGRATIONS.length, migrations: MIGRATIONS.length });
  expect(await sql`select from drizzle.__migration_progress`).toHaveLength(0);
  // The index of a partitioned table is valid when every partition has an index.
  const invalid = await sql`select indexrelid::regclass::text as name from pg_index where not indisvalid`;
  expect(invalid.map(({ name }) => name)).toEqual([]);
  expect(await sql`select from users where controlled_at is distinct from email_verified_at`).toHaveLength(0);
  const [addresses] = await sql`
    select count(*)::int as users, count(e.id)::int as copied from users u
    left join user_emails e on e.user_id = u.id and e."primary" and e.email = u.email
      and e.verified_at is not distinct from u.email_verified_at`;
  expect(addresses?.copied).toBe(addresses?.users);
}

describe("the migrator, on large tables of a used database:", () => {
  test("an interrupted run is continued, and ends with the schema and the rows of an uninterrupted run", async () => {
    const { databaseUrl, sql } = await usedDatabase();
    const isInterruption = () => expect.objectContaining({ message: "interrupted" });
    // The index of a run whose server process was killed.
    await sql`create index invitations_invited_by_idx on invitations (email)`;
    await sql`update pg_index set indisvalid = false where indexrelid = 'invitations_invited_by_idx'::regclass`;
    // Interruptions within migrations: between batches, before and after indexes, constraints and the entry.
    for (const after of [1, 3, 4, 11, 40, 60, 75]) {
      let steps = 0;
      const observe = () => {
        steps += 1;
        if (steps === after) throw new Error("interrupted");
      };
      const run = migrate(databaseUrl, { ...ALL_TABLES_ARE_LARGE, observe });
      await expect(run).rejects.toEqual(isInterruption());
    }
    expect((await pendingMigrations(sql)).length).toBeGreaterThan(1);
    await migrate(databaseUrl, ALL_TABLES_ARE_LARGE);
    await expectMigrated(sql);
  }, 60_000);

  test("of two migrators at once each migration is applied by one, while users change their accounts", async () => {
    const { databaseUrl, sql } = await usedDatabase();
    let changes = 0;
    // Between the triggers of the migration and its batches, and between two batches.
    const observe = async ({ createdAt }: { readonly createdAt: number }) => {
      if (createdAt !== USER_EMAILS) return;
      changes += 1;
      await sql`
        update users set email = 'changed-' || ${changes}::text || '-' || email
        where id in (select id from users order by md5(id::text || ${changes}::text) limit 20)`;
      await sql`delete from users where id in (select id from users order by md5(id::text) limit 2)`;
      await sql`
        insert into users (id, email, created_at, updated_at)
        values (gen_random_uuid(), ${`new-${changes}@example.com`}, now(), now())`;
    };
    const both = await Promise.all([
      migrate(databaseUrl, { ...ALL_TABLES_ARE_LARGE, observe }),
      migrate(databaseUrl, { ...ALL_TABLES_ARE_LARGE, observe }),
    ]);
    expect(both.reduce((sum, { applied }) => sum + applied, 0)).toBe(MIGRATIONS.length - EARLIER);
    expect(changes).toBeGreaterThan(4);
    await expectMigrated(sql);
  }, 60_000);
});

test("replicas with the privileges of the previous release create users after each step", async () => {
  const at = MIGRATIONS.findIndex(({ folderMillis }) => folderMillis === createdAtOf("0081_claim_mappings"));
  const roles = await databaseWithRoles();
  const owner = openSql(roles.migration);
  await owner.begin(async (transaction) => {
    await transaction`create schema drizzle`;
    await transaction`create table drizzle.__drizzle_migrations (id serial primary key, hash text, created_at bigint)`;
    for (const { sql: statements, hash, folderMillis } of MIGRATIONS.slice(0, at)) {
      for (const statement of statements) await transaction.unsafe(statement);
      await transaction`
        insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
    }
  });
  const replicas = { name: "identity_replica", auditRetentionMs: 0 };
  await grantReplicaPrivileges(owner, replicas);
  const replica = openSql(roles.replica);
  let created = 0;
  const observe = async () => {
    created += 1;
    await replica`
      insert into users (id, email, created_at, updated_at)
      values (gen_random_uuid(), ${`user-${created}@example.com`}, now(), now())`;
  };
  await observe();
  await migrate(roles.migration, { ...ALL_TABLES_ARE_LARGE, observe, replicas });
  expect(created).toBeGreaterThan(3);
  const [numbers] = await owner`select count(distinct number)::int as numbered, count(*)::int as users from users`;
  expect(numbers).toEqual({ numbered: created, users: created });
}, 60_000);

test("the privileges of replicas follow in the transaction of each new table and sequence", () => {
  const statements = MIGRATIONS.flatMap(({ sql }) => sql.map(bare));
  const creating = statements.filter((text) => /^create (?:unlogged )?(?:table|sequence) /i.test(text));
  expect(creating.filter((text) => !createsRelation(text))).toEqual([]);
  expect(statements.some((text) => /^create sequence /i.test(text))).toBe(true);
});

test("an index is created concurrently however long it takes, also by a role with a time-out", async () => {
  const databaseUrl = await freshDatabase();
  const [sql, older] = [openSql(databaseUrl), openSql(databaseUrl)];
  await sql.unsafe(`
    do $$ begin
      execute format('alter role %I in database %I set statement_timeout = 300', current_user, current_database());
    end $$`);
  const { release, held } = await holdSnapshot(older);
  const statement = 'create index "users_late_idx" on "users" ("created_at")';
  const created = createIndexOnline(databaseUrl, { name: "users_late_idx", table: "users", statement });
  await Promise.race([Bun.sleep(600), created]);
  release();
  await Promise.all([created, held]);
  const [index] = await sql`select indisvalid as valid from pg_index where indexrelid = 'users_late_idx'::regclass`;
  expect(index?.valid).toBe(true);
});

/** A transaction with rows of the table, for whose end a concurrent index waits. */
async function holdSnapshot(sql: Sql) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const held = sql.begin(async (transaction) => {
    await transaction`lock table users in row exclusive mode`;
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  return { release: end.resolve, held };
}

describe("a migration's plan", () => {
  const statements = MIGRATIONS.slice(EARLIER).flatMap(({ sql }) => sql.map(bare));

  test("has the form in batches for one statement of each migration after 0.1.0", () => {
    for (const { statement } of BACKFILLS) {
      expect([statement, statements.filter((text) => text.startsWith(statement)).length]).toEqual([statement, 1]);
    }
  });

  test("has a form in batches for every statement with changes of users, sessions, members or records", () => {
    const tables = "users|sessions|members|organizations|user_identities|passkeys|audit_logs|outbox|invitations";
    const isHeavy = new RegExp(
      String.raw`^update "(?:${tables})"|^insert into "\w+"[\s\S]* from "?(?:${tables})\b|` +
        `^alter table "(?:${tables})" add column .*` +
        String.raw`default (?:gen_random_uuid|clock_timestamp|random|nextval)\(`,
      "i",
    );
    const heavy = statements.filter((text) => isHeavy.test(text));
    expect(heavy).toHaveLength(BACKFILLS.length);
    for (const text of heavy) expect(BACKFILLS.some(({ statement }) => text.startsWith(statement))).toBe(true);
  });

  test("keeps the order of statements, and a migration with a lock of a table in one transaction", () => {
    for (const { sql } of MIGRATIONS) {
      const names =
        sql
          .join("\n")
          .match(/"\w+"/g)
          ?.map((name) => name.slice(1, -1)) ?? [];
      const plan = planMigration(sql, new Set(names));
      expect(plan.map(({ start }) => start)).toEqual([0, ...plan.slice(0, -1).map(({ end }) => end)]);
      expect(plan.at(-1)?.end).toBe(sql.length);
      if (/^lock table/im.test(sql[0] ?? "")) expect(plan).toHaveLength(1);
    }
  });
});
