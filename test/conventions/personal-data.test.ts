/** Every column that can hold an address or name is in `db/personal-data.ts`, with purpose, retention and erasure. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { getTableConfig } from "drizzle-orm/pg-core";
import { IMPERSONAL_TABLES, PERSONAL_TABLES } from "../../db/personal-data.ts";
import { UserExport } from "../../src/http/schemas/data-exports.ts";
import { PRIVACY_GUIDE, privacyGuide, schemaTables } from "../../tools/personal-data.ts";
import { declaredTables } from "../support/declared-tables.ts";

const listed = new Map<string, readonly string[]>([
  ...Object.entries(PERSONAL_TABLES).map(
    ([name, { columns, impersonal = [] }]) => [name, [...Object.keys(columns), ...impersonal]] as const,
  ),
  ...Object.entries(IMPERSONAL_TABLES).map(([name, { columns }]) => [name, columns] as const),
]);
const qualified = (table: string, columns: readonly string[]) => columns.map((column) => `${table}.${column}`);

describe("db/personal-data.ts", () => {
  test("names each table of the schema once", async () => {
    const names = [...Object.keys(PERSONAL_TABLES), ...Object.keys(IMPERSONAL_TABLES)];
    expect(names.sort()).toEqual((await schemaTables()).map(({ name }) => name));
  });

  test("names every column of text or bytes, and no further column", async () => {
    const declared = (await schemaTables()).flatMap(({ name, open }) => qualified(name, open));
    const entries = [...listed].flatMap(([name, columns]) => qualified(name, columns));
    expect(declared.filter((column) => !entries.includes(column))).toEqual([]);
    expect(entries.filter((column) => !declared.includes(column))).toEqual([]);
    expect(entries.length).toBe(new Set(entries).size);
  });

  test("states the erasure of a table as the foreign key to the users has it", async () => {
    const wrong = (await declaredTables()).flatMap((table) => {
      const { name, foreignKeys } = getTableConfig(table);
      const keys = foreignKeys.filter((key) => getTableConfig(key.reference().foreignTable).name === "users");
      const cascades = keys.some(({ onDelete }) => onDelete === "cascade");
      const stated = PERSONAL_TABLES[name]?.erasure;
      return keys.length > 0 && (stated === undefined || (cascades && stated !== "deleted")) ? [name] : [];
    });
    expect(wrong).toEqual([]);
  });

  test("names members of the copy of a user's data", () => {
    const members = Object.keys(UserExport.properties);
    const copied = Object.values(PERSONAL_TABLES).flatMap(({ copiedAs }) => copiedAs ?? []);
    expect(copied.filter((member) => !members.includes(member))).toEqual([]);
  });
});

test("docs/guides/privacy.md is what `npm run docs:privacy` generates", async () => {
  const guide = readFileSync(PRIVACY_GUIDE, "utf8");
  expect(await privacyGuide(guide)).toBe(guide);
});
