/** Rules for the files of db/migrations. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const MIGRATIONS = join(import.meta.dir, "../../db/migrations");
const META = join(MIGRATIONS, "meta");

/** The tags of the journal, oldest first. */
const journal = (): string[] =>
  JSON.parse(readFileSync(join(META, "_journal.json"), "utf8")).entries.map(({ tag }: { tag: string }) => tag);

describe("The folder of migrations", () => {
  test("has the newest snapshot alone: drizzle-kit compares with no earlier one; delete the older snapshots.", () => {
    const newest = journal().at(-1)?.slice(0, 4);
    expect(readdirSync(META).sort()).toEqual([`${newest}_snapshot.json`, "_journal.json"]);
  });

  test("has one file for each entry of the journal, with ascending numbers.", () => {
    const tags = journal();
    expect(readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"))).toHaveLength(tags.length);
    expect(tags.map((tag) => Number(tag.slice(0, 4)))).toEqual(tags.map((_, index) => index));
  });
});
