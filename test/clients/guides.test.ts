/** The code of the guides, verbatim, in the parts without a framework; `npm run test:clients` runs all of the code. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { pbkdf2Sync, randomBytes, scryptSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hashSync } from "@node-rs/bcrypt";
import { guideBlock, writeGuide } from "../../clients/demo/guide-code.ts";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { blockOf, serviceCommandsOf } from "../support/document-blocks.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { ISSUER, runService } from "../support/replica.ts";
import { assignRoles } from "../support/roles.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { joinedAs } from "../support/team.ts";
import { ask, expectRequirements, expectToVerify, startApi, stopApis } from "./apis.ts";

const ROOT = join(import.meta.dir, "../..");
let at: Deployment;
/**
 * The folder lies below node_modules, where the package of the workspace and the packages of the repository resolve.
 */
let folder: string;

beforeAll(async () => {
  mkdirSync(join(ROOT, "node_modules/.guides"), { recursive: true });
  folder = mkdtempSync(join(ROOT, "node_modules/.guides/run-"));
  for (const guide of ["protect-an-api", "roles-and-permissions", "command-line-tool", "moving-users"])
    writeGuide(guide, folder);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", join(ROOT, "clients/js")]);
  at = await deployment();
});

afterAll(() => {
  stopApis();
  rmSync(folder, { recursive: true, force: true });
});

const BRIDGE = join(import.meta.dir, "serve-handlers.mjs");

describe("protect-an-api.md", () => {
  test("Next.js handlers on Node.js: forged tokens and revoked sessions are refused, roles and aal2 hold", async () => {
    const url = await startApi(["node", BRIDGE, "next", join(folder, "next")], folder, at.other.url);
    await expectToVerify(at, url);
    await expectRequirements(at, url);
  });

  test("Elysia on Bun: the same", async () => {
    const url = await startApi([process.execPath, "elysia/api.mjs"], folder, at.other.url);
    await expectToVerify(at, url);
    await expectRequirements(at, url);
  });
});

describe("roles-and-permissions.md", () => {
  /** Runs a command of the guide; returns the JSON response. */
  async function run(info: string, variables: Record<string, string>) {
    const commands = guideBlock("roles-and-permissions", `sh ${info}`).replaceAll(
      "localhost:3000",
      new URL(at.one.url).host,
    );
    const env = { PATH: process.env.PATH, ...variables };
    const child = Bun.spawn(["sh", "-ec", commands], { env, stderr: "pipe" });
    return JSON.parse(await new Response(child.stdout).text());
  }

  test("the API accepts a member with the role, and refuses the member within two seconds of the loss", async () => {
    const admin = await steppedUpAdmin(at);
    const owner = await steppedUpOwner(at);
    const { organizationId } = owner;
    const { email, userId } = await joinedAs(at, owner, "member");
    const { accessToken: OWNER_TOKEN } = owner;
    const member = await signedIn(at.one.url, email);
    const registration = await run("register", { ADMIN_TOKEN: admin.accessToken });
    expect(registration.scopes).toMatchObject([{ permission: "invoices.approve" }]);
    const role = await run("role", { OWNER_TOKEN, ORGANIZATION: organizationId });
    expect(role).toMatchObject({ key: "approver", permissions: ["invoices.approve"] });
    const url = await startApi([process.execPath, "invoices/api.mjs"], folder, at.other.url);
    const approve = async () => {
      const headers = { authorization: `Bearer ${member.accessToken}` };
      const response = await fetch(`${url}/invoices/7/approval`, { method: "POST", headers });
      return [response.status, await response.json()];
    };
    expect((await ask(`${url}/invoices`, member.accessToken)).status).toBe(200);
    expect(await approve()).toMatchObject([403, { error: { code: "forbidden" } }]);
    expect((await assignRoles(owner, organizationId, userId, [role.id])).status).toBe(200);
    await eventually("the approval", 2000, async () => (await approve())[0] === 200);
    expect(await approve()).toEqual([200, { approved: "7", by: userId }]);
    const { key: API_KEY } = await keyOf(owner.client, accountsOf(organizationId), ["members.list"]);
    const checked = await run("check", { API_KEY, ORGANIZATION: organizationId, USER: userId });
    expect(checked).toEqual({ allowed: { "invoices.approve": true } });
    expect((await assignRoles(owner, organizationId, userId, [])).status).toBe(200);
    await eventually("the refusal", 2000, async () => (await approve())[0] === 403);
  });
});

describe("clients/js/README.md", () => {
  /** Runs a block of the README on Bun, after declarations of the values that a reader has; returns the output. */
  async function run(name: string, values: Record<string, string>, declarations = ""): Promise<string> {
    const code = blockOf("clients/js/README.md", `ts ${name}`).replace(
      'issuer: "https://id.example.com"',
      `issuer: "${ISSUER}", baseUrl: "${at.one.url}"`,
    );
    const known = Object.entries(values).map(([key, value]) => `const ${key} = ${JSON.stringify(value)};`);
    const file = join(folder, `readme-${name}.ts`);
    const program = code.replace("https://id.example.com", at.one.url);
    writeFileSync(
      file,
      `${known.join("\n")}${declarations}\n${program}\nconsole.log(JSON.stringify(seen()));process.exit();`,
    );
    const child = Bun.spawn([process.execPath, file], { cwd: folder, env: { PATH: process.env.PATH }, stderr: "pipe" });
    const [output, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect([error, await child.exited]).toEqual(["", 0]);
    return output;
  }

  test("the client signs in and has a token, and the verifiers judge tokens", async () => {
    const { email } = await registered(at.one.url);
    const seen = "const seen = () => [sessions.ok, token.ok && typeof token.data];";
    const output = await run("client", { email, password: PASSWORD, code: "" }, seen);
    expect(output.trim().split("\n")).toEqual([email, '[true,"string"]']);
    const { accessToken: token } = await signedIn(at.one.url, email);
    const refusal = await run("verifier", { token }, "const seen = () => 0;");
    expect(refusal.split("\n")[0]).toBe("insufficient_aal");
    const request = 'const request = new Request("http://a/"); const seen = () => verification.refusal.code;';
    expect((await run("resource-verifier", {}, request)).trim()).toBe('"missing_token"');
  });
});

describe("command-line-tool.md", () => {
  /** Runs a command of the tool on Node.js with a separate home folder. */
  async function tool(command: string, input = "") {
    const child = Bun.spawn(["node", "tool.mjs", command], {
      cwd: folder,
      env: { PATH: process.env.PATH, XDG_CONFIG_HOME: join(folder, "config"), IDENTITY_URL: at.one.url },
      stdin: new Blob([input]),
      stderr: "pipe",
    });
    const read = (stream: ReadableStream) => new Response(stream).text();
    const [text, error, code] = await Promise.all([read(child.stdout), read(child.stderr), child.exited]);
    return { text: text.trim(), error, code };
  }

  test("signs in, keeps the session in a file of the user alone, and signs out", async () => {
    const { email } = await registered(at.one.url);
    expect(await tool("login", `${email}\nwrong password\n`)).toMatchObject({ text: "", code: 1 });
    expect(await tool("login", `${email}\n${PASSWORD}\n`)).toMatchObject({ text: "Signed in.", code: 0 });
    const file = join(folder, "config/example-tool/session.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await tool("whoami")).toMatchObject({ text: `${email}, owner`, code: 0 });
    // After the access token's fifteen minutes, the tool starts with the refresh token alone.
    const { refreshToken } = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ refreshToken }));
    expect(await tool("whoami")).toMatchObject({ text: `${email}, owner`, code: 0 });
    expect(JSON.parse(readFileSync(file, "utf8")).refreshToken).not.toBe(refreshToken);
    expect(await tool("logout")).toMatchObject({ text: "Signed out.", code: 0 });
    expect((await tool("whoami")).code).toBe(1);
    // The state after a crash in the middle of a write.
    writeFileSync(file, "");
    expect(await tool("whoami")).toMatchObject({ text: "", error: expect.stringContaining("Not signed in"), code: 1 });
    expect(await tool("login", `${email}\n${PASSWORD}\n`)).toMatchObject({ code: 0 });
    expect(readdirSync(dirname(file))).toEqual(["session.json"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("moving-users.md", () => {
  const unpadded = (bytes: Buffer) => bytes.toString("base64");

  /** Builds a row of better-auth's tables with a hash of better-auth's default. */
  function betterAuthRow(email: string): string {
    const salt = randomBytes(16).toString("hex");
    const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
    const key = scryptSync(PASSWORD, salt, 64, cost).toString("hex");
    return JSON.stringify({ email, name: "Ada", verified: true, password: `${salt}:${key}` });
  }

  function keycloakRealm(emails: readonly [string, string]): string {
    const salt = randomBytes(16);
    const sha512 = pbkdf2Sync(PASSWORD, salt, 21_000, 64, "sha512");
    const argon2 = Bun.password.hashSync(PASSWORD, { algorithm: "argon2id", memoryCost: 1024, timeCost: 2 });
    const [, , , , argonSalt = "", argonKey = ""] = argon2.split("$");
    const more = { memory: ["1024"], type: ["id"], version: ["1.3"], parallelism: ["1"] };
    const credential = (secret: object, data: object) => [
      { type: "password", secretData: JSON.stringify(secret), credentialData: JSON.stringify(data) },
    ];
    return JSON.stringify({
      users: [
        {
          email: emails[0],
          firstName: "Ada",
          emailVerified: true,
          enabled: true,
          credentials: credential(
            { value: unpadded(sha512), salt: unpadded(salt) },
            { hashIterations: 21_000, algorithm: "pbkdf2-sha512" },
          ),
        },
        {
          email: emails[1],
          emailVerified: false,
          enabled: true,
          credentials: credential(
            { value: argonKey, salt: argonSalt },
            { hashIterations: 2, algorithm: "argon2", additionalParameters: more },
          ),
        },
        { email: newEmail(), enabled: false },
      ],
    });
  }

  function supabaseRow(email: string): string {
    const encrypted_password = hashSync(PASSWORD, 4);
    const raw_user_meta_data = { full_name: "Ada" };
    return JSON.stringify({ email, encrypted_password, email_confirmed_at: "2026-01-01", raw_user_meta_data });
  }

  test("people of better-auth, Keycloak and Supabase sign in with the passwords they had", async () => {
    const [one, two, three, four] = [newEmail(), newEmail(), newEmail(), newEmail()] as const;
    writeFileSync(join(folder, "realm.json"), keycloakRealm([two, three]));
    const convert = (script: string, input: string) =>
      execFileSync("node", [script], { cwd: folder, input, encoding: "utf8" });
    const file = join(folder, "users.ndjson");
    execFileSync("sh", ["-ec", guideBlock("moving-users", "sh keycloak")], { cwd: folder });
    const lines = [
      convert("better-auth.mjs", betterAuthRow(one)),
      readFileSync(file, "utf8"),
      convert("supabase.mjs", supabaseRow(four)),
    ].join("");
    expect(lines.trim().split("\n")).toHaveLength(5);
    writeFileSync(file, lines);
    const [command = []] = serviceCommandsOf("docs/guides/moving-users.md", "sh import");
    const args = command.map((word) => word.replace("users.ndjson", file));
    expect((await runService(args, { DATABASE_URL: at.databaseUrl })).code).toBe(0);
    for (const email of [one, two, three, four]) {
      expect([email, (await signedIn(at.one.url, email)).answer.status]).toEqual([email, 200]);
    }
    expect((await new Client(at.one.url).post("/v1/auth/login", { email: one, password: "x" })).status).toBe(401);
  });
});
