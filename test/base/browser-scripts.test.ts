import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleForBrowsers } from "../../src/base/runtime.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Returns the scripts of two entry points that share a module, by name. */
async function bundled(shared: string): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "scripts-"));
  folders.push(folder);
  const sources = { one: "log(1);", other: "log(2);" };
  writeFileSync(
    join(folder, "shared.ts"),
    `export function log(value: number): void { console.log(value, ${shared}); }`,
  );
  for (const [name, code] of Object.entries(sources))
    writeFileSync(join(folder, `${name}.ts`), `import { log } from "./shared.ts";\n${code}`);
  const scripts = await bundleForBrowsers(Object.keys(sources).map((name) => join(folder, `${name}.ts`)));
  return Object.fromEntries(scripts.map(({ file, bytes }) => [file, bytes.toString()]));
}

test("shared parts of scripts are named by content: equal in every folder, different by content", async () => {
  const [here, elsewhere, changed] = [await bundled("true"), await bundled("true"), await bundled("false")];
  expect(elsewhere).toEqual(here);
  const [shared, ...others] = Object.keys(here).filter((file) => file.startsWith("shared-"));
  expect(others).toEqual([]);
  expect(here["one.js"]).toContain(`"./${shared}"`);
  expect(Object.keys(changed).filter((file) => file in here)).toEqual(["one.js", "other.js"]);
  expect(changed["one.js"]).not.toBe(here["one.js"]);
});
