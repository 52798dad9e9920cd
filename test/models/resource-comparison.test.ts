/** Resource indicators are compared as URIs, in TypeScript and in SQL alike (docs/contract.md, section 23.12). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import * as fc from "fast-check";
import type postgres from "postgres";
import type { Sql } from "../../src/database/database.ts";
import { resourcesOverlap, resourcesUnited, resourcesWithin } from "../../src/models/conditions/resource-comparison.ts";
import { resourceKey } from "../../src/vocabulary/resource-key.ts";
import { freshDatabase, openSql } from "../support/services.ts";

let sql: postgres.Sql;
beforeAll(async () => {
  sql = openSql(await freshDatabase());
});
afterAll(() => sql.end());

/** Every line names one resource server. */
const SPELLINGS = [
  [
    "https://api.example.com",
    "https://api.example.com/",
    "HTTPS://API.example.COM:443",
    "https://api.example.com./",
    "https://api.example.com:",
    "https://api.example.com.:443/",
  ],
  [
    "https://api.example.com/mcp",
    "https://API.example.com:443/mcp",
    "https://api.example.com./mcp",
    "https://api.example.com/%6Dcp",
  ],
  ["https://api.example.com/mcp/"],
  ["https://api.example.com/MCP"],
  ["https://api.example.com:8443/", "https://api.example.com.:8443", "Https://Api.example.com:8443"],
  ["http://localhost:80/", "http://LOCALHOST", "http://localhost."],
  ["http://localhost:443"],
  ["https://[::1]:8080/a", "https://[::1]:8080/%61"],
  ["https://api.example.com/a%2fb", "https://api.example.com/a%2Fb"],
  ["https://api.example.com/a/b"],
  ["https://api.example.com/~u", "https://api.example.com/%7Eu", "https://api.example.com/%7eu"],
  ["https://api.example.com/?a=B", "https://api.example.com?a=B", "https://api.EXAMPLE.com:443?a=%42"],
  ["api://Acme/v1"],
  ["api://acme/v1"],
  ["api://pay"],
  ["api://pay/"],
  ["urn:example:api"],
  ["urn:example:API"],
] as const;

const lists = (left: readonly string[], right: readonly string[]) =>
  [sql`${[...left]}::text[]`, sql`${[...right]}::text[]`] as const;

async function compared(left: readonly string[], right: readonly string[]) {
  const parts = lists(left, right) as never as [never, never];
  const overlap = resourcesOverlap(sql as Sql, parts[0], right);
  const [row] = await sql<{ within: boolean; overlap: boolean; united: string[] }[]>`
    select ${resourcesWithin(sql as Sql, ...parts)} as within, ${overlap} as overlap,
           ${resourcesUnited(sql as Sql, ...parts)} as united`;
  if (!row) throw new Error("a select without a row");
  return row;
}

test("Spellings of one resource server are equal, and no others are, in TypeScript and in SQL (G431).", async () => {
  const all = SPELLINGS.flatMap((group, index) => group.map((text) => ({ index, text })));
  for (const left of all) {
    const equals = all.filter(({ index }) => index === left.index).map(({ text }) => text);
    const inCode = all.filter(({ text }) => resourceKey(text) === resourceKey(left.text)).map(({ text }) => text);
    expect([left.text, inCode]).toEqual([left.text, equals]);
    const inSql: string[] = [];
    for (const { text } of all) if ((await compared([left.text], [text])).within) inSql.push(text);
    expect([left.text, inSql]).toEqual([left.text, equals]);
  }
});

test("A union has each resource server once, in the spelling of the latest list (G431).", async () => {
  const former = ["https://api.example.com", "https://b.example.com/x"];
  const latest = ["https://API.example.com/", "https://c.example.com/"];
  const { united, within, overlap } = await compared(former, latest);
  expect([united, within, overlap]).toEqual([
    ["https://API.example.com/", "https://b.example.com/x", "https://c.example.com/"],
    false,
    true,
  ]);
  expect(await compared([], [])).toEqual({ united: [], within: true, overlap: false });
});

test("Lists overlap by an equal text, and by the key of the given identifiers (G431).", async () => {
  const overlaps = async (left: string, right: string) => (await compared([left, "urn:other"], [right])).overlap;
  for (const group of SPELLINGS)
    for (const text of group) expect([text, await overlaps(text, group[0])]).toEqual([text, true]);
  expect(await overlaps("https://api.example.com/ä/../b", "https://api.example.com/ä/../b")).toBe(true);
  expect(await overlaps("https://api.example.com/b", "https://api.example.com/a/../b")).toBe(true);
  expect(await overlaps("https://api.example.com/b", "https://api.example.com/c")).toBe(false);
});

const escaped = fc.string({ unit: fc.constantFrom("a", "B", "/", "%2f", "%2F", "%41", "%61", "%7e", "-", "%zz", "%") });
const identifiers = fc
  .tuple(
    fc.constantFrom("https", "HTTPS", "http"),
    fc.constantFrom("a.test", "A.test", "a.test.", "a.b.test", "[::1]", "localhost"),
    fc.constantFrom("", ":", ":443", ":80", ":8443"),
    fc.constantFrom("", "/", "/x", "/X/", "?q=1"),
    escaped,
  )
  .map(([scheme, host, port, path, more]) => `${scheme}://${host}${port}${path}${path === "" ? "" : more}`)
  .filter((text) => URL.canParse(text) && !/\/\.{1,2}(\/|$)/.test(text));

test("SQL and TypeScript agree about generated identifiers (G431).", async () => {
  await fc.assert(
    fc.asyncProperty(identifiers, identifiers, async (left, right) => {
      const { within } = await compared([left], [right]);
      expect(within).toBe(resourceKey(left) === resourceKey(right));
    }),
    { numRuns: 500 },
  );
});
