import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { migrate } from "../../db/migrate.ts";
import { ensureAuditPartitions } from "../../src/models/audit/audit.ts";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { ROOT } from "./kit.ts";

const MIGRATIONS = join(ROOT, "db/migrations");

/** Changes that break the previous version (docs/upgrading.md). */
const NARROWS = new RegExp(
  [
    String.raw`\bdrop\s+(table|column|type|view|function)\b`,
    String.raw`\brename\b`,
    String.raw`\balter\s+column\b.*\b(type|set\s+not\s+null)\b`,
    String.raw`\btruncate\b`,
  ].join("|"),
  "i",
);
/** A new column that the previous version does not know and cannot fill. */
const DEMANDS = /\badd\s+column\b(?!.*\bdefault\b)(?!.*\bgenerated\b).*\bnot\s+null\b/i;
/**
 * Permitted narrowings: the previous version had already stopped using the dropped object. Each entry has file,
 * statement and reason.
 */
const ALLOWED: readonly string[] = [];

describe("a migration", () => {
  test("only adds, so the earlier version continues beside the new version", () => {
    const offending = readdirSync(MIGRATIONS)
      .filter((name) => name.endsWith(".sql"))
      .flatMap((name) =>
        readFileSync(join(MIGRATIONS, name), "utf8")
          .replace(/--.*$/gm, "")
          // The statements inside of a function body change no schema at migration time.
          .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "")
          .split(";")
          .map((statement) => statement.replace(/\s+/g, " ").trim())
          .filter((statement) => NARROWS.test(statement) || DEMANDS.test(statement))
          .map((statement) => `${name}: ${statement}`),
      );
    expect(offending.filter((statement) => !ALLOWED.includes(statement))).toEqual([]);
  });
});

describe("beside a long transaction, such as a backup, a table is kept from its users for 200 ms at a time:", () => {
  /** Holds a read lock on a table until `work` has ended. */
  async function holding(databaseUrl: string, table: string, work: () => Promise<void>): Promise<void> {
    const done = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const sql = openSql(databaseUrl);
    const backup = sql.begin(async (transaction) => {
      await transaction`select from ${transaction(table)} limit 1`;
      held.resolve();
      await done.promise;
    });
    await held.promise;
    await work().finally(() => done.resolve());
    await backup;
  }

  test("behind a migration, which tries again and is applied in the end", async () => {
    const databaseUrl = await freshDatabase();
    const sql = openSql(databaseUrl);
    // Restores the schema before migration 0016.
    await sql`alter table transparency_log drop column announced_size, drop column announced_at`;
    await sql`
      delete from drizzle.__drizzle_migrations
      where id = (select id from drizzle.__drizzle_migrations order by id offset 16 limit 1)`;
    const blocked = Promise.withResolvers<void>();
    let migrating: Promise<unknown> = Promise.resolve();
    await holding(databaseUrl, "transparency_log", async () => {
      migrating = migrate(databaseUrl, { onBlocked: blocked.resolve });
      await blocked.promise;
      await sql`select from transparency_log`;
    });
    expect(await migrating).toEqual({ applied: 1 });
  });

  test("behind the partition of a coming month, which a later round of the sweeper makes", async () => {
    const databaseUrl = await freshDatabase();
    const sql = openSql(databaseUrl);
    const make = () => ensureAuditPartitions(openSql(databaseUrl) as never, new Date("2031-01-01"), 1);
    await holding(databaseUrl, "audit_logs", async () => {
      expect(await make().catch((error) => error.code)).toBe("55P03");
      await sql`select from audit_logs`;
    });
    expect(await make()).toBe(2);
  });
});

describe("a replica of version N, during the migration to N+1", () => {
  let databaseUrl: string;
  let replica: Replica;
  let email: string;
  let before: Client;

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    replica = await startReplica({ DATABASE_URL: databaseUrl, REDIS_URL: await redisUrl() });
    const person = await registered(replica.url);
    email = person.email;
    before = person.client;
    // Two rounds, so that the connections hold prepared statements when the tables change.
    for (let round = 0; round < 2; round += 1) await signedIn(replica.url, email);
    await laterMigration(openSql(databaseUrl));
  });

  /**
   * A migration with all permitted changes: a column on every table, a table, an index, and the line in the journal.
   */
  async function laterMigration(on: postgres.Sql): Promise<void> {
    const tables = await on`
      select c.relname as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
    expect(tables.length).toBeGreaterThan(15);
    await on.begin(async (transaction) => {
      for (const { name } of tables) {
        await transaction`alter table ${transaction(name)} add column of_the_next_version text not null default 'x'`;
      }
      await transaction`create table of_the_next_version (id bigint primary key)`;
      await transaction`create index on sessions (of_the_next_version)`;
      await transaction`
        insert into drizzle.__drizzle_migrations (hash, created_at)
        values ('of the next version', ${Date.now()})`;
    });
  }

  test("stays ready: a database that is ahead is no reason to go", async () => {
    const { status, body } = await new Client(replica.url).get("/readyz");
    expect([status, body.checks.migrations.status]).toEqual([200, "ok"]);
  });

  test("keeps the earlier sessions: session check, refresh, account, list of sessions", async () => {
    expect((await before.get("/v1/auth/session")).status).toBe(200);
    expect((await before.post("/v1/auth/refresh")).status).toBe(200);
    for (const path of ["/v1/users/me", "/v1/auth/sessions", "/v1/auth/mfa/status", "/v1/auth/trusted-browsers"]) {
      expect([path, (await before.get(path)).status]).toEqual([path, 200]);
    }
  });

  test("continues to register, sign in, write and revoke, without an error in the log", async () => {
    await registered(replica.url);
    const { client, answer } = await signedIn(replica.url, email, PASSWORD);
    expect(answer.status).toBe(200);
    expect((await client.patch("/v1/users/me", { display_name: "Somebody" })).status).toBe(200);
    expect((await client.post("/v1/auth/logout")).status).toBeLessThan(300);
    expect((await client.get("/v1/auth/session")).status).toBe(401);
    expect(
      replica
        .output()
        .split("\n")
        .filter((line) => /"level":"?(50|60|error|fatal)/.test(line)),
    ).toEqual([]);
  });

  test("can start again on it: the way back from N+1 needs no migration", async () => {
    expect(await replica.stop()).toBe(0);
    const again = await startReplica({ DATABASE_URL: databaseUrl, REDIS_URL: await redisUrl() });
    expect((await new Client(again.url).get("/readyz")).status).toBe(200);
    expect((await signedIn(again.url, email)).answer.status).toBe(200);
    await again.kill();
  });
});
