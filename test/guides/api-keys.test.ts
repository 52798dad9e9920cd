/** The patterns and the program of docs/guides/api-keys.md, with generated keys. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { makeKeyText } from "../../src/models/service-account/key-format.ts";

const GUIDE = readFileSync(join(import.meta.dir, "../../docs/guides/api-keys.md"), "utf8");
const random = systemRandom(systemClock);
const PREFIXES = ["acme", "x", "Acme2", "acme_prod", "x".repeat(20)];

function blockOf(language: string): string {
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(GUIDE)?.[1];
  if (!block) throw new Error(`the guide has no block of ${language}`);
  return block;
}

describe("the secret-scanning pattern", () => {
  const [every = "", ours = ""] = blockOf("regex").trim().split("\n");
  const matches = (pattern: string, text: string) => text.match(new RegExp(pattern, "g")) ?? [];

  test("finds generated keys of every prefix, and one without a prefix, wherever they stand (G99)", () => {
    const keys = PREFIXES.flatMap((prefix) => Array.from({ length: 20 }, () => makeKeyText(random, prefix).key));
    const former = keys.map((key) => key.replace(/^.*(?=sk_)/, ""));
    for (const key of [...keys, ...former]) {
      const places = [key, `KEY="${key}"`, `Authorization: Bearer ${key}\n`, `https://x.test/?key=${key}&y=1`];
      for (const text of places) expect(matches(every, text)).toEqual([key]);
    }
  });

  test("of one deployment finds the keys of this deployment alone, and no longer or shorter texts", () => {
    const { key } = makeKeyText(random, "acme");
    expect(matches(ours, `a ${key} b`)).toEqual([key]);
    expect(matches(ours, makeKeyText(random, "other").key)).toEqual([]);
    for (const text of [`${key}a`, key.slice(0, -1), "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "task_sk_"]) {
      expect([...matches(every, text), ...matches(ours, text)]).toEqual([]);
    }
  });

  test("stands in the rule of gitleaks and in the program as it stands in the guide", () => {
    expect(blockOf("toml")).toContain(`'''${every}'''`);
    expect(blockOf("js")).toContain(`/${every}/g`);
  });
});

test("the scanner prints keys, and no text with a similar form", async () => {
  const folder = mkdtempSync(join(tmpdir(), "identity-guides-"));
  try {
    writeFileSync(join(folder, "scan.mjs"), blockOf("js"));
    const { key } = makeKeyText(random, "acme");
    const typo = `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`;
    const child = Bun.spawn(["node", join(folder, "scan.mjs")], { stdin: new Blob([`x ${key}\n${typo}\n`]) });
    expect([await new Response(child.stdout).text(), await child.exited]).toEqual([`${key}\n`, 0]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
