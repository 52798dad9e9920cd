/** Rules for the tests: started programs, awaited expectations, and exact counts in a Redis that may be lost. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { guideFiles, guideNames } from "../../clients/demo/guide-code.ts";
import { DENO } from "../support/deno.ts";
import { suiteWithout } from "../support/missing-programs.ts";
import { DEBIAN_PACKAGES, missingPrograms, PROGRAMS, TOOLS } from "../support/packages.ts";
import { programsOf, programsOfScript } from "../support/started-programs.ts";

const ROOT = join(import.meta.dir, "../..");
/** The README requires Node.js and npm; Bun is a package of npm. */
const OF_THE_README = ["node", "npm", "npx"];

const files = ["test", "db", "src"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file)),
);
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Shell scripts of the guides; tests run the scripts. */
const guideScripts = () =>
  guideNames().flatMap((guide) =>
    [...guideFiles(guide)].flatMap(([name, script]) =>
      name.endsWith(".sh") ? [{ file: `docs/guides/${guide}.md`, script }] : [],
    ),
  );

describe("programs started by tests", () => {
  const started = [
    ...files.flatMap((file) => programsOf(file, read(file)).map((program) => ({ file, program }))),
    ...guideScripts().flatMap(({ file, script }) => programsOfScript(script).map((program) => ({ file, program }))),
  ];

  test("The convention finds programs of every kind of call, and those of shell scripts and guides.", () => {
    const names = new Set(started.map(({ program }) => program));
    for (const name of ["openssl", "tar", "ps", "python3", "nice", "unshare", "mount", "grep", "curl"])
      expect([name, names.has(name)]).toEqual([name, true]);
  });

  test("Every program is in the installed list of the suite.", () => {
    const listed = new Set([...Object.keys(TOOLS), ...OF_THE_README]);
    const offenders = started.filter(
      ({ file, program }) => !listed.has(program) && !read(file).includes("installDebianPackages("),
    );
    expect(offenders.map(({ file, program }) => `${file}: ${program}`)).toEqual([]);
  });

  test("The list has no program without a start.", () => {
    const names = new Set(started.map(({ program }) => program));
    expect(Object.keys(TOOLS).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe("TEST_ALLOW_MISSING=1 (G267)", () => {
  test("Files with a missing program are left out by name, and no further file.", () => {
    expect(suiteWithout(new Set()).notRun.size).toBe(0);
    const without = suiteWithout(new Set(["go", "chromium"]));
    const { notRun } = without;
    expect(notRun.get("test/http/audit-log.test.ts")).toEqual(["go"]);
    expect(notRun.get("test/pages/journey.test.ts")).toEqual(["chromium"]);
    expect(without.files).toContain("test/http/login.test.ts");
    expect(without.files).toContain("test/config.test.ts");
    expect(without.files.length + notRun.size).toBe(suiteWithout(new Set()).files.length);
    const small = suiteWithout(new Set(["curl", DEBIAN_PACKAGES]));
    expect(small.notRun.get("test/clients/guides.test.ts")).toEqual(["curl"]);
    expect(small.notRun.get("test/providers/simplesamlphp.test.ts")).toEqual([DEBIAN_PACKAGES]);
    expect(suiteWithout(new Set(["redis"])).notRun.has("test/commands/interrupted-run.test.ts")).toBe(true);
    // A file that uses one function of a module does not need the programs of the remaining functions.
    expect(suiteWithout(new Set(["redis"])).files).toContain("test/actors/sweeper.test.ts");
  });

  test("Deno is missing where npm cannot fetch Deno, and only the files with a replica on Deno are left out.", () => {
    const offline = () => {
      throw new Error("npm is offline");
    };
    expect(missingPrograms(offline).get(DENO)).toStartWith("Deno");
    expect(missingPrograms(() => "/usr/bin/deno").has(DENO)).toBe(false);
    expect([...suiteWithout(new Set([DENO])).notRun]).toEqual([["test/replicas/deno.test.ts", [DENO]]]);
  });
});

test("CONTRIBUTING names every program beyond the essential packages of Debian.", () => {
  const essential = new Set(["bash", "coreutils", "dash", "grep", "mount", "perl-base", "sed", "tar"]);
  const spelled = { openssl: "OpenSSL", python3: "Python 3" } as Record<string, string>;
  const line = /The tests need .*/.exec(read("CONTRIBUTING.md"))?.[0] ?? "";
  const packages = Object.values(TOOLS).filter((name) => !essential.has(name));
  for (const name of packages) expect(line).toContain(spelled[name] ?? name);
  for (const name of Object.keys(PROGRAMS)) expect(line.toLowerCase()).toContain(name);
});

describe("exact counts", () => {
  /**
   * Returns true for a file with a replica with limits and Redis, and with a test that expects a refusal of the first
   * request beyond a limit.
   */
  const countsExactly = (text: string) => {
    const objects = text.replaceAll(/\$\{[^}]*\}/g, "").match(/\{[^{}]*SERVICE_RATE_LIMITS: "on"[^{}]*\}/g) ?? [];
    return objects.some((object) => object.includes("REDIS_URL")) && /\b429\b|bound_refusals/.test(text);
  };

  test("A file with exact limits repeats the work during a loss of Redis by a replica.", () => {
    const counting = files.filter((file) => /^test\/(?:http|pages|replicas)\//.test(file) && countsExactly(read(file)));
    expect(counting).toContain("test/http/bounds.test.ts");
    const repeats = /\bwhileShared\(|\btestWhileShared\(|\battempts\(/;
    expect(counting.filter((file) => !repeats.test(read(file)))).toEqual([]);
  });
});

test("Every expectation about a promise is awaited: the failure of a dropped promise fails no test.", () => {
  const statement = /^[ \t]*expect\([^;]*?\)\s*\.(?:not\.)?(?:rejects|resolves)\b[^;]*;/gm;
  const offenders = files.flatMap((file) =>
    (read(file).match(statement) ?? []).map((each) => `${file}: ${each.trim()}`),
  );
  expect(offenders).toEqual([]);
});
