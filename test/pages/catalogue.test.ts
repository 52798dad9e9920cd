/** Pages, routes, documentation and tests name the same paths. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { routePrefix } from "../../src/config/parsers.ts";
import { STATES, WITHOUT_LOOKS } from "../page-states/states.ts";
import { PAGES } from "../support/page-list.ts";

const ROOT = join(import.meta.dir, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const namesIn = (folder: string) => readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });

/**
 * Returns the paths that pages declare: `path: "…"`, a constant in place of the literal, and the two confirmation
 * pages.
 */
function declared(): string[] {
  const texts = namesIn("src/pages")
    .filter((name) => /\.tsx?$/.test(name) && !/^(?:(?:components|islands|texts)\/|cookies\.ts$)/.test(name))
    .map((name) => read(`src/pages/${name}`));
  const shared = texts.join("\n");
  return texts.flatMap((source) => {
    const literal = [...source.matchAll(/\bpath: "([^"]+)"/g)].map(([, path = ""]) => path);
    const named = [...source.matchAll(/\bpath: (?:([A-Z_]+)|`\$\{([A-Z_]+)\}([^`$]*)`),/g)].map(
      ([, constant, prefix = constant, rest = ""]) => {
        const own = new RegExp(`^(?:export )?const ${prefix} = "([^"]+)"`, "m");
        return `${own.exec(source)?.[1] ?? own.exec(shared)?.[1] ?? `unknown ${prefix}`}${rest}`;
      },
    );
    const asked = [...source.matchAll(/confirmPage\(deps, "([^"]+)"/g)].map(([, place]) => `${place}/confirm`);
    return [...literal, ...named, ...asked];
  });
}

describe("the catalogue of pages", () => {
  test("equals the paths that are declared", () => {
    expect([...new Set(declared())].sort()).toEqual([...PAGES].sort());
  });

  test("equals the table of docs/pages.md", () => {
    const rows = [...read("docs/pages.md").matchAll(/^\| `(\/[^`]*)` \|/gm)].map(([, path = ""]) => path);
    expect(rows.sort()).toEqual([...PAGES].sort());
  });

  test("has no address with a result: reload, history and bookmarks would repeat the result (seeResult)", () => {
    const sources = namesIn("src/pages").filter((name) => /\.tsx?$/.test(name));
    expect(sources.filter((name) => /[?&]done=/.test(read(`src/pages/${name}`)))).toEqual([]);
  });

  test("leaves no path that SERVICE_ROUTE_PREFIX could take", () => {
    const places = PAGES.filter((path) => path !== "/" && path !== "/auth/continue");
    for (const place of places) expect(() => routePrefix(place.replace(/:.*/, "x"))).toThrow();
  });

  test("has a picture of every page, under one name each", () => {
    const pictured: string[] = STATES.map(({ page }) => page);
    const named = STATES.map(({ name }) => name);
    const reasons = Object.keys(WITHOUT_LOOKS);
    expect([...new Set([...pictured, ...reasons])].sort()).toEqual([...PAGES].sort());
    expect(reasons.filter((path) => pictured.includes(path))).toEqual([]);
    expect(named.length).toBe(new Set(named).size);
  });

  test("has a test for every page", () => {
    const tests = namesIn("test/pages")
      .filter((name) => name !== "catalogue.test.ts")
      .map((name) => read(`test/pages/${name}`))
      .join("\n");
    // A function in the test may write the last parameter of a path.
    const patternOf = (path: string) => new RegExp(path.replace(/:\w+$/, "").replace(/:\w+/, '[^"\\s]+'));
    const untested = PAGES.filter((path) => !patternOf(path).test(tests));
    expect(untested).toEqual([]);
  });
});

describe("the style sheets", () => {
  /** A class is written in an attribute, or chosen by a value of `kind` or by a theme. */
  const CLASS_LINE = /class|kind|Kind|THEMES/;
  const COMMENT = /\/\*[\s\S]*?\*\//g;

  test("have no class that no component and no island sets", () => {
    const sources = namesIn("src/pages").filter((name) => /\.tsx?$/.test(name) && !name.startsWith("texts/"));
    const lines = sources.flatMap((name) => read(`src/pages/${name}`).split("\n"));
    const written = new Set(
      lines.filter((line) => CLASS_LINE.test(line)).flatMap((line) => line.match(/[\w-]+/g) ?? []),
    );
    const found = namesIn("src/pages/styles").flatMap((name) => {
      const selectors =
        read(`src/pages/styles/${name}`)
          .replace(COMMENT, "")
          .match(/[^{};]+(?=\{)/g) ?? [];
      const classes = selectors.flatMap((each) =>
        [...each.matchAll(/\.([a-z][\w-]*)/g)].map(([, named = ""]) => named),
      );
      return [...new Set(classes)].filter((each) => !written.has(each)).map((each) => `${name}: .${each}`);
    });
    expect(found).toEqual([]);
  });
});
