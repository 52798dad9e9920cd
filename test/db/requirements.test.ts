import { beforeAll, describe, expect, test } from "bun:test";
import type postgres from "postgres";
import { migrate } from "../../db/migrate.ts";
import { readState, unmetBy } from "../../db/requirements.ts";
import { runService } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";

let server: URL;
let admin: postgres.Sql;
let count = 0;

beforeAll(async () => {
  server = new URL(await freshDatabase("empty"));
  admin = openSql(server.href);
});

/** Creates a database by a statement after its name, for a role without privileges of the server. */
async function databaseWith(options: string, statements: readonly string[] = []): Promise<string> {
  count += 1;
  const name = `required_${process.pid}_${count}`;
  await admin.unsafe(`create role ${name} login password '${name}'`);
  await admin.unsafe(`create database ${name} ${options.replaceAll("$role", () => name)}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const sql = openSql(url.href);
  for (const each of statements) await sql.unsafe(each.replaceAll("$role", () => name));
  [url.username, url.password] = [name, name];
  return url.href;
}

interface Check {
  readonly check: string;
  readonly level: string;
  readonly detail: string;
  readonly remedy: string;
}

async function failuresOf(url: string): Promise<{ code: number | null; failures: Check[] }> {
  const { code, output } = await runService(["doctor", "--json"], { DATABASE_URL: url });
  const checks: Check[] = JSON.parse(output).checks;
  return { code, failures: checks.filter(({ level }) => level === "failure") };
}

describe("migrate and doctor refuse, with the next step and without a change (G441)", () => {
  test.each([
    [
      "encoding",
      "owner $role encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' locale_provider libc template template0",
      [],
      "LATIN1",
      "encoding 'UTF8'",
    ],
    [
      "encoding",
      "owner $role encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' locale_provider libc template template0",
      [],
      "SQL_ASCII",
      "template0",
    ],
    ["schema", "owner $role", ["drop schema public"], "no schema public", "create schema public authorization"],
    ["schema", "", [], "may not create tables in the schema public", "owner to"],
    ["schema", "", ["grant all on schema public to $role"], "may not create schemas", "SERVICE_MIGRATION_URL"],
    [
      "schema",
      "owner $role",
      ["create table users (id int)"],
      "a table users of another program",
      "of the service alone",
    ],
    [
      "extension pg_trgm",
      "owner $role",
      ["create schema extensions", "create extension pg_trgm schema extensions"],
      "in the schema extensions, which",
      "grant usage on schema extensions to",
    ],
  ])("%s: %s", async (check, options, statements, detail, remedy) => {
    const url = await databaseWith(options, statements);
    const refused = await migrate(url).catch((error: Error) => error.message);
    expect(refused).toContain("The database cannot be used:");
    for (const part of [check, detail, remedy]) expect(refused).toContain(part);
    const { code, failures } = await failuresOf(url);
    expect(code).toBe(1);
    expect(failures.map((each) => each.check)).toContain(check);
    const found = failures.find((each) => each.check === check);
    expect(found?.detail).toContain(detail);
    expect(found?.remedy).toContain(remedy);
    const [row] = await openSql(url)`select to_regnamespace('drizzle') is null as unchanged`;
    expect(row?.unchanged).toBe(true);
  });

  test("A server older than 15 is refused by name, at a database with tables too.", async () => {
    const state = await readState(openSql(await freshDatabase()));
    expect(unmetBy(state, "tables")).toEqual([]);
    const [unmet, ...further] = unmetBy({ ...state, version: "14.19", number: 140_019 }, "nothing");
    expect(unmet).toMatchObject({ check: "PostgreSQL", detail: "14.19 is older than 15" });
    expect(unmet?.remedy).toContain("upgrade the server to 15");
    expect(further).toEqual([]);
  });
});

describe("migrate accepts (G441)", () => {
  test.each([
    ["a database of its role", "owner $role", []],
    [
      "all on database and schema",
      "",
      ["grant all on schema public to $role", "grant create on database $role to $role"],
    ],
    [
      "pg_trgm in the schema of a hoster",
      "owner $role",
      [
        "create schema extensions",
        "create extension pg_trgm schema extensions",
        "grant usage on schema extensions to $role",
      ],
    ],
    ["a schema with the name of the role", "owner $role", ["create schema $role authorization $role"]],
  ])("%s", async (_, options, statements) => {
    const url = await databaseWith(options, statements);
    expect((await migrate(url)).applied).toBeGreaterThan(50);
    expect((await failuresOf(url)).failures).toEqual([]);
    const [table] = await openSql(url)`select schemaname from pg_tables where tablename = 'users'`;
    expect(table?.schemaname).toBe("public");
  });
});
