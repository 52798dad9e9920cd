/**
 * `npm run test:clients` tests the package as npm packs the package, in a separate project, on Node.js, Bun and Deno,
 * with every framework of docs/guides/protect-an-api.md and the programs of docs/guides/other-languages.md. The script
 * downloads packages outside of `npm install`, which takes a few minutes; the suite contains a small version
 * (`guides.test.ts`).
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchPackages } from "../../clients/demo/fetched-packages.ts";
import { guideFiles, guideNames, writeGuide } from "../../clients/demo/guide-code.ts";
import { packClient } from "../../tools/pack-client.ts";
import { browser } from "../support/browser.ts";
import { PASSWORD, registered, signedIn } from "../support/client.ts";
import { findDeno } from "../support/deno.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { findProgram, installDebianPackages } from "../support/packages.ts";
import { ISSUER } from "../support/replica.ts";
import { until } from "../support/waiting.ts";
import { expectRequirements, expectToVerify, expectUnhindered, startApi, stopApis } from "./apis.ts";

/** Globals of the functions that run in a page. */
declare const document: { querySelector(selector: string): { readonly textContent: string | null } | null };

const CLIENT = join(import.meta.dir, "../../clients/js");
const BRIDGE = join(import.meta.dir, "serve-handlers.mjs");
const GO_JWT = "github.com/golang-jwt/jwt/v4";
const GO_JWT_OF_DEBIAN = "/usr/share/gocode/src/github.com/golang-jwt/jwt";
const INSTALL_DEADLINE_MS = 900_000;

let at: Deployment;
/** A project with the tarball, all frameworks and the files of the guides. */
let project: string;
let tarball: string;
const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "identity-clients-"));
  folders.push(folder);
  return folder;
}

/** Returns the output. Throws with the output of a failed command. */
function run(folder: string, command: string, ...args: string[]): string {
  const { status, stdout } = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout}`);
  return stdout;
}

beforeAll(async () => {
  const packed = newFolder();
  run(CLIENT, "npm", "run", "build");
  const [{ filename }] = JSON.parse(
    run(CLIENT, "npm", "pack", "--json", "--loglevel=error", "--pack-destination", packed),
  );
  tarball = join(packed, filename);
  project = newFolder();
  const frameworks = [
    "hono",
    "@hono/node-server",
    "express",
    "fastify",
    "elysia",
    "next",
    "react",
    "react-dom",
    "esbuild",
    "@modelcontextprotocol/sdk",
  ] as const;
  const tools = ["@types/express", "@types/node", "typescript", "@arethetypeswrong/cli"] as const;
  fetchPackages(project, [...frameworks, ...tools], [tarball]);
  for (const guide of guideNames()) writeGuide(guide, project);
  at = await deployment();
}, INSTALL_DEADLINE_MS);

afterAll(() => {
  stopApis();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const RUNTIMES: Record<string, () => string[]> = {
  "Node.js": () => ["node"],
  Bun: () => [process.execPath],
  // The program itself, with the permissions of a server and a client: the program that npm installs as `.bin/deno` is
  // a parent of Deno, and Deno would outlive a killed parent.
  Deno: () => [findDeno(), "run", "--allow-net", "--allow-env", "--allow-read"],
};

describe("the package", () => {
  test("Two packs are equal, with checksum and provenance of the tarball (G245).", () => {
    const [first, second] = [newFolder(), newFolder()].map((folder) => ({ folder, ...packClient(folder) }));
    expect(first?.sha256).toBe(second?.sha256 ?? "");
    expect(run(first?.folder ?? "", "sha256sum", "--check", "SHA256SUMS")).toContain("OK");
    const { subject } = JSON.parse(readFileSync(join(first?.folder ?? "", "provenance.json"), "utf8"));
    expect(subject).toEqual([{ name: first?.tarball, digest: { sha256: first?.sha256 } }]);
  }, 120_000);

  test("contains its modules with types, its command (also as one file), package.json and README.md, no more", () => {
    const names = run(project, "tar", "-tzf", tarball).trim().split("\n").sort();
    const modules = readdirSync(join(CLIENT, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `package/dist/${name.slice(0, -".ts".length)}`);
    const command = "identity-service-client.mjs";
    const expected = ["package.json", "README.md", `bin/${command}`, `dist/${command}`].map(
      (name) => `package/${name}`,
    );
    expect(names).toEqual([...expected, ...modules.flatMap((name) => [`${name}.js`, `${name}.d.ts`])].sort());
  });

  test("has types that resolve the same way for every kind of importer, by arethetypeswrong", () => {
    const output = run(project, "node_modules/.bin/attw", tarball, "--profile", "esm-only", "--format", "json");
    const problems = Object.values<{ resolutionKind: string }[]>(JSON.parse(output).problems ?? {}).flat();
    // The package is ESM: these two importers support neither `exports` nor `import`.
    const kinds = problems.map(({ resolutionKind }) => resolutionKind);
    expect(kinds.filter((kind) => kind !== "node10" && kind !== "node16-cjs")).toEqual([]);
  });

  test("and every guide compile with strict and exactOptionalPropertyTypes, also without skipLibCheck", () => {
    // The libraries of the guides sign-in-*.md have no types, and the server of mcp-server.md is JavaScript without
    // annotations: `npm run test:guides` runs the programs.
    const typedGuides = guideNames().filter((guide) => guide !== "mcp-server" && !guide.startsWith("sign-in-"));
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true };
    const modules = { target: "es2023", module: "nodenext", lib: ["es2023", "dom", "dom.iterable"], types: ["node"] };
    const files = typedGuides.flatMap((guide) =>
      [...guideFiles(guide).keys()].filter((name) => /\.(?:m?js|ts)$/.test(name)),
    );
    const options = { ...strict, ...modules, allowJs: true, checkJs: true, skipLibCheck: true };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files }));
    run(project, "node_modules/.bin/tsc", "-p", ".");
    const entries = Object.keys(JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8")).exports)
      .filter((entry) => !entry.endsWith(".json"))
      .map((entry, index) => `export * as entry${index} from "identity-service-client${entry.slice(1)}";`);
    writeFileSync(join(project, "entries.ts"), entries.join("\n"));
    const types = { compilerOptions: { ...strict, ...modules, skipLibCheck: false }, files: ["entries.ts"] };
    writeFileSync(join(project, "tsconfig.types.json"), JSON.stringify(types));
    run(project, "node_modules/.bin/tsc", "-p", "tsconfig.types.json");
  });

  describe("in an empty project", () => {
    let empty: string;
    beforeAll(() => {
      empty = newFolder();
      fetchPackages(empty, [], [tarball]);
      writeFileSync(
        join(empty, "try.mjs"),
        `import { createClient } from "identity-service-client";
         import { createVerifier } from "identity-service-client/verifier";
         for (const name of ["passkeys", "express", "fastify", "hono", "elysia", "next"])
           await import(\`identity-service-client/\${name}\`);
         const [, , issuer, baseUrl, email, password] = process.argv;
         const client = createClient({ baseUrl });
         const verifier = createVerifier({ issuer, baseUrl, whenBlind: "deny" });
         await client.signIn({ email, password });
         const token = await client.accessToken();
         const before = await verifier.verify(token.data);
         await client.signOut();
         let after = before;
         const late = Date.now() + 10_000;
         while (after.ok && Date.now() < late) after = await verifier.verify(token.data);
         console.log(token.ok, before.ok, after.refusal?.code);`,
      );
    }, INSTALL_DEADLINE_MS);

    test.each(Object.keys(RUNTIMES))(
      "%s signs in, verifies, and refuses the session once it has ended",
      async (name) => {
        const { email } = await registered(at.one.url);
        const [command = "", ...args] = RUNTIMES[name]?.() ?? [];
        const output = run(empty, command, ...args, "try.mjs", ISSUER, at.other.url, email, PASSWORD);
        expect(output.trim()).toBe("true true revoked_session");
      },
    );
  });
});

describe("every adapter, on every runtime", () => {
  const programs: Record<string, string[]> = {
    Hono: ["hono/api.mjs"],
    Express: ["express/api.mjs"],
    Fastify: ["fastify/api.mjs"],
    Elysia: [BRIDGE, "elysia"],
    "Next.js": [BRIDGE, "next"],
  };
  const cases = Object.keys(programs).flatMap((framework) => Object.keys(RUNTIMES).map((name) => [framework, name]));

  test.each(cases)(
    "%s on %s verifies, and refuses forged tokens, ended sessions, low roles and aal1",
    async (framework = "", name = "") => {
      const [file = "", kind] = programs[framework] ?? [];
      const paths: Record<string, string> = { elysia: "elysia/api.mjs", next: "next" };
      const args = kind === undefined ? [file] : [file, kind, join(project, paths[kind] ?? "")];
      const url = await startApi([...(RUNTIMES[name]?.() ?? []), ...args], project, at.other.url);
      await expectToVerify(at, url);
      await expectRequirements(at, url);
      stopApis();
    },
  );

  test("Next.js itself serves the route handlers of the guide", async () => {
    const next = join(project, "node_modules/.bin/next");
    const folder = join(project, "next");
    writeFileSync(
      join(folder, "app/layout.js"),
      "export default ({ children }) => <html lang='en'><body>{children}</body></html>;",
    );
    run(folder, next, "build");
    // A single process, because the server that `next start` starts could outlive the parent.
    writeFileSync(
      join(folder, "start.mjs"),
      `import { createServer } from "node:http";
       import next from "next";
       const app = next({ dev: false, dir: "." });
       await app.prepare();
       const server = createServer(app.getRequestHandler());
       server.listen(0, () => console.log(\`listening on http://localhost:\${server.address().port}\`));`,
    );
    const url = await startApi(["node", "start.mjs"], folder, at.other.url);
    await expectToVerify(at, url);
    await expectRequirements(at, url);
  });
});

describe("what the guides say to type", () => {
  test("protect-an-api.md: a new user reaches the API, and is refused two seconds after signing out", async () => {
    const url = await startApi(["node", "hono/api.mjs"], project, at.other.url);
    const commands = readFileSync(join(project, "try-it.sh"), "utf8");
    const addresses = { "localhost:3000": at.one.url, "localhost:4000": url };
    const here = commands.replace(/localhost:\d000/g, (address) => addresses[address as keyof typeof addresses]);
    const statuses = run(project, "sh", "-c", here).matchAll(/^HTTP\/1\.1 (\d+)/gm);
    expect([...statuses].map(([, status]) => status)).toEqual(["200", "401", "401"]);
    stopApis();
  });

  test("browser-application.md: one command bundles the page's script", () => {
    run(project, "sh", "bundle.sh");
    expect(readFileSync(join(project, "app.js"), "utf8")).toContain("http://localhost:4000");
  });
});

describe("other languages", () => {
  test("the program in Python, with Debian's python3-jwt", async () => {
    const python = "/usr/bin/python3";
    const present = spawnSync(python, ["-c", "import jwt, cryptography"]).status === 0;
    if (!present) installDebianPackages("python3-jwt python3-cryptography");
    const url = await startApi([python, "api.py"], project, at.other.url);
    await expectToVerify(at, url);
    await expectUnhindered(at, url);
  });

  test("the program in Go, with Debian's golang", async () => {
    const go = findProgram("go");
    if (!existsSync(GO_JWT_OF_DEBIAN)) installDebianPackages("golang-github-golang-jwt-jwt-dev");
    const folder = newFolder();
    writeGuide("other-languages", folder);
    run(folder, go, "mod", "init", "example");
    run(folder, go, "mod", "edit", `-require=${GO_JWT}@v4.4.3`, `-replace=${GO_JWT}=${GO_JWT_OF_DEBIAN}`);
    run(folder, go, "build", "-o", "api", "api.go");
    const url = await startApi([join(folder, "api")], folder, at.other.url);
    await expectToVerify(at, url);
    await expectUnhindered(at, url);
  });
});

describe("npm run demo", () => {
  test("starts the service, the API and the application, and what it says to try happens", async () => {
    const demo = Bun.spawn([process.execPath, "clients/demo/run.ts"], {
      cwd: join(import.meta.dir, "../.."),
      stdout: "pipe",
    });
    try {
      const reader = demo.stdout.getReader();
      let said = "";
      while (!said.includes("Stop: Ctrl-C")) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the demo ended:\n${said}`);
        said += new TextDecoder().decode(value);
      }
      const address = (name: string) => new RegExp(`${name}\\s+(http://localhost:\\d+)`).exec(said)?.[1] ?? "";
      const page = await (await browser()).newPage();
      await page.goto(address("Application"));
      await page.fill("[name=email]", "owner@acme.example");
      await page.fill("[name=password]", "correct horse battery staple");
      await page.click("#sign-in button");
      await page.waitForFunction(() => document.querySelector("#who")?.textContent === "owner@acme.example (owner)");
      const outputs = async (status: number) => {
        await page.click("#call");
        return (await page.textContent("#output"))?.includes(`${status} `) ?? false;
      };
      await until("the API serves the person", () => outputs(200));
      await page.reload();
      await page.waitForFunction(() => document.querySelector("#who")?.textContent !== "");
      await until("it serves them after a reload too", () => outputs(200));
      const { accessToken } = await signedIn(address("Service"), "owner@acme.example", "correct horse battery staple");
      const headers = { authorization: `Bearer ${accessToken}` };
      await fetch(`${address("Service")}/v1/auth/sessions?except_current=true`, { method: "DELETE", headers });
      await until("the next call is refused", () => outputs(401));
    } finally {
      demo.kill("SIGTERM");
      await demo.exited;
    }
  });
});
