/**
 * db/functions has the current text of every SQL function and trigger: a search finds the rule, not the migrations that
 * made the rule. A run of a file over the migrated database changes no definition.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type postgres from "postgres";
import { listFunctions, type SqlFunction } from "../support/functions-catalogue.ts";
import { freshDatabase, openSql } from "../support/services.ts";

const FOLDER = join(import.meta.dir, "../../db/functions");
const files = readdirSync(FOLDER).sort();
const read = (file: string) => readFileSync(join(FOLDER, file), "utf8");

class RolledBack extends Error {}

/** The function and its triggers after a run of the file, which is rolled back. */
async function afterRun(sql: postgres.Sql, before: SqlFunction, file: string): Promise<SqlFunction | undefined> {
  let after: SqlFunction | undefined;
  const run = sql.begin(async (transaction) => {
    for (const { name, relation } of before.triggers)
      await transaction`drop trigger ${transaction(name)} on ${transaction(relation)}`;
    await transaction.unsafe(read(file)).simple();
    [after] = await listFunctions(transaction, before.name);
    throw new RolledBack();
  });
  await run.catch((error) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return after;
}

let sql: postgres.Sql;
let migrated: readonly SqlFunction[];

beforeAll(async () => {
  sql = openSql(await freshDatabase());
  migrated = await listFunctions(sql);
});

describe("db/functions", () => {
  test("has a file for each function of the migrated database, and no further file.", () => {
    expect(files).toEqual(migrated.map(({ name }) => `${name}.sql`));
  });

  test("gives the reason of each function in the head of the file.", () => {
    expect(files.filter((file) => !/^-- \S.*\n(?:-- .*\n)*CREATE OR REPLACE FUNCTION "/.test(read(file)))).toEqual([]);
  });

  test.each(files)("%s is the text of the migrations, triggers included.", async (file) => {
    const before = migrated.find(({ name }) => name === basename(file, ".sql"));
    expect(before && (await afterRun(sql, before, file))).toEqual(before);
  });
});
