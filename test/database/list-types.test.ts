import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase, type Sql } from "../../src/database/database.ts";
import { LIST_TYPES } from "../../src/database/list-types.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";

const SOURCE = join(import.meta.dir, "../../src");
/** Names of types in the manual, by the name in pg_type. */
const ALIASES: Readonly<Record<string, string>> = { bigint: "int8", smallint: "int2" };
let url: string;
let database: Database;

beforeAll(async () => {
  url = await freshDatabase();
  database = openDatabase({ url, connections: 1, telemetry: await silentTelemetry() });
});
afterAll(() => database.close());

const select = <T>(statement: (sql: Sql) => Promise<{ list: T }[]>) =>
  database.run("test.list", statement).then(([row]) => row?.list);

test("a list comes back as sent, with any text", async () => {
  const texts = ["", " ", "a,b", '"', "\\", '\\"', "{}", "NULL", "null", "a\nb", "ä€😀", "'", "$1", null];
  expect(await select((sql) => sql`select ${texts}::text[] as list`)).toEqual(texts);
  const ids = [crypto.randomUUID(), crypto.randomUUID()];
  expect(await select((sql) => sql`select ${ids}::uuid[] as list`)).toEqual(ids);
  const times = [new Date(0), new Date("2026-11-22T10:11:12.345Z")];
  expect(await select((sql) => sql`select ${times.map((at) => at.toISOString())}::timestamptz[] as list`)).toEqual(
    times,
  );
  expect(await select((sql) => sql`select ${[-1, 2]}::int2[] as list`)).toEqual([-1, 2]);
  expect(await select((sql) => sql`select ${["9007199254740993"]}::int8[] as list`)).toEqual(["9007199254740993"]);
  expect(await select((sql) => sql`select ${[]}::text[] as list`)).toEqual([]);
});

test("a list of a foreign type is refused, where the driver would send a text", async () => {
  for (const list of [["a", undefined], [["a"], ["b"]], [{}]]) {
    await expect(select((sql) => sql`select ${list as string[]}::text[] as list`)).rejects.toMatchObject({
      code: "22P02",
    });
  }
  expect(await select((sql) => sql`select ${["a"]}::text[] as list`)).toEqual(["a"]);
});

test("no list opens a connection of its own, whose failure would end the process", async () => {
  const role = `blind_${crypto.randomUUID().slice(0, 8)}`;
  const own = openSql(await freshDatabase("empty"));
  await own.unsafe(`create role ${role} login password '${role}'; revoke select on pg_type from public`);
  const { host, port, database: name } = own.options;
  const address = `postgres://${role}:${role}@${host[0]}:${port[0]}/${name}`;
  const blind = openDatabase({ url: address, connections: 1, telemetry: await silentTelemetry() });
  const [row] = await blind.run("test.list", (sql) => sql<{ list: string[] }[]>`select ${["a"]}::text[] as list`);
  expect(row?.list).toEqual(["a"]);
  await blind.close();
  await own.unsafe(`drop role ${role}`);
});

test("a repeated statement after a change of the schema has the earlier list", async () => {
  const sql = openSql(url);
  await sql`create table changing (names text[])`;
  const insert = () =>
    select((sql) => sql`insert into changing (names) values (${['"', "b"]}::text[]) returning *, names as list`);
  expect(await insert()).toEqual(['"', "b"]);
  await sql`alter table changing add column other int`;
  expect(await insert()).toEqual(['"', "b"]);
  await sql`drop table changing`;
});

test("the types of all lists in statements and tables are known", async () => {
  const sql = openSql(url);
  const columns = await sql<{ name: string }[]>`
    select distinct substr(udt_name, 2) as name from information_schema.columns
    where table_schema = 'public' and data_type = 'ARRAY'`;
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const casts = files.flatMap((file) =>
    [...readFileSync(join(SOURCE, file), "utf8").matchAll(/[^\]]::(\w+)\[\]/g)].map(
      ([, name = ""]) => ALIASES[name] ?? name,
    ),
  );
  const used = new Set([...columns.map(({ name }) => name), ...casts]);
  expect([...used].filter((name) => !(name in LIST_TYPES))).toEqual([]);
  const known = await sql<{ name: string; oid: number }[]>`
    select typname as name, typarray::int as oid from pg_type where typname in ${sql(Object.keys(LIST_TYPES))}`;
  for (const { name, oid } of known) expect(LIST_TYPES[name]?.to).toBe(oid);
  expect(known).toHaveLength(Object.keys(LIST_TYPES).length);
});
