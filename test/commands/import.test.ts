import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashSync as bcrypt } from "@node-rs/bcrypt";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { CODE, codeIn, MailProvider } from "../support/mail.ts";
import { runService, startReplica, startService } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { until } from "../support/waiting.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "identity-import-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function fileOf(
  lines: readonly unknown[],
  { name = "users.ndjson", encoding = "utf8" as BufferEncoding } = {},
): string {
  const path = join(directory, name);
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  writeFileSync(path, text, encoding);
  return path;
}

const refusals = (path: string) =>
  readFileSync(`${path}.refused.ndjson`, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe("users import", () => {
  test("takes users who then sign in with their old passwords, whose hashes become Argon2id", async () => {
    const databaseUrl = await freshDatabase();
    const env = { DATABASE_URL: databaseUrl };
    const replica = await startReplica(env);
    const host = await registered(replica.url, { organization_slug: "host-company" });
    const composed = "cafe\u0301 secret of old";
    const path = fileOf([
      {
        email: " Ann@Example.test ",
        password_hash: bcrypt("short", 4),
        display_name: "Ann",
        email_verified: true,
      },
      { email: "bob@example.test", password_hash: bcrypt(composed, 4), organization_slug: "host-company" },
      {
        email: "eve@example.test",
        organization_slug: "host-company",
        role: "admin",
        locale: "de",
        platform_role: "owner",
      },
    ]);
    const { code, output } = await runService(["users", "import", path], env);
    expect([code, output]).toEqual([0, expect.stringContaining("3 users imported, 0 lines refused.")]);
    const ann = await signedIn(replica.url, "ann@example.test", "short");
    expect(ann.answer.body).toMatchObject({ status: "success", capabilities: { role: "owner" } });
    const me = (await ann.client.get("/v1/users/me")).body;
    expect(me).toMatchObject({ display_name: "Ann", email_verified: true, platform_role: null });
    expect(me.organizations[0]).toMatchObject({ name: "Ann", slug: expect.stringMatching(/^ann-[0-9a-f]{12}$/) });
    expect((await signedIn(replica.url, "ann@example.test", "short")).answer.status).toBe(200);
    const bob = await signedIn(replica.url, "bob@example.test", composed);
    expect(bob.answer.body.user.organization_id).toBe(host.organizationId);
    expect((await signedIn(replica.url, "bob@example.test", composed)).answer.status).toBe(200);
    expect((await signedIn(replica.url, "eve@example.test", "")).answer.status).toBe(400);
    const sql = openSql(databaseUrl);
    const rows =
      await sql`select email, password_hash, platform_role from users where email like '%@example.test' order by email`;
    expect(rows.slice(0, 2).every(({ password_hash }) => password_hash.startsWith("$argon2id$"))).toBe(true);
    const eve = rows.find(({ email }) => email === "eve@example.test");
    expect(eve).toMatchObject({ password_hash: null, platform_role: null });
    const audits = await sql`select actor_type, metadata from audit_logs where action = 'users.imported'`;
    expect(audits).toMatchObject([{ actor_type: "system", metadata: { imported: 3, refused: 0 } }]);
    await replica.kill();
  });

  test("a verified address of the import belongs to its user: a proof of control takes nothing away", async () => {
    const databaseUrl = await freshDatabase();
    const mail = new MailProvider();
    const env = { DATABASE_URL: databaseUrl, SERVICE_EMAIL_API_URL: mail.url, SERVICE_EMAIL_API_KEY: "re_test" };
    const replica = await startReplica(env);
    const path = fileOf([
      { email: "ann@example.test", password_hash: bcrypt("short", 4), email_verified: true },
      { email: "bob@example.test", password_hash: bcrypt("short", 4), email_verified: false },
    ]);
    expect((await runService(["users", "import", path], env)).code).toBe(0);
    for (const [email, status] of [
      ["ann@example.test", 200],
      ["bob@example.test", 401],
    ] as const) {
      const client = new Client(replica.url);
      await client.post("/v1/auth/email-otp/request", { email });
      const code = codeIn((await mail.mailsTo(email, CODE))[0]);
      expect((await client.post("/v1/auth/email-otp/verify", { email, code })).status).toBe(200);
      expect([email, (await signedIn(replica.url, email, "short")).answer.status]).toEqual([email, status]);
    }
    await replica.kill();
  });

  test("reports each refused line with number and reason, and takes the remaining lines", async () => {
    const databaseUrl = await freshDatabase();
    const sql = openSql(databaseUrl);
    const good = { email: "good@example.test", password_hash: bcrypt("x", 4) };
    const path = fileOf([
      good,
      "{",
      "[]",
      { email: "x" },
      { email: ["a@example.test"] },
      { email: "a@example.test", password_hash: "md5" },
      { email: "a@example.test", password_hash: 7 },
      { email: "a@example.test", disabled: "perhaps" },
      { email: "a@example.test", email_verified: "yes" },
      { email: "a@example.test", organization_slug: "nowhere" },
      { email: "a@example.test", role: "admin" },
      { email: "a@example.test", role: "emperor", organization_slug: "nowhere" },
      { email: "a@example.test", banned_until: "some day" },
      "",
      { email: "GOOD@example.test" },
      `{"email":"long@example.test","x":"${"y".repeat(20_000)}"}`,
      { email: "last@example.test" },
    ]);
    const { code, output } = await runService(["users", "import", path], { DATABASE_URL: databaseUrl });
    expect([code, output]).toEqual([0, expect.stringContaining("2 users imported, 14 lines refused.")]);
    expect((await sql`select email from users order by email`).map(({ email }) => email)).toEqual([
      "good@example.test",
      "last@example.test",
    ]);
    const report = refusals(path);
    expect(report.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16]);
    expect(report[12]).toEqual({ line: 15, reason: "email: a user with this address already exists" });
    expect(report.map(({ reason }) => reason).join("\n")).not.toContain("md5");
  });

  test("refuses text unfit for PostgreSQL, line by line, and takes the remaining lines", async () => {
    const databaseUrl = await freshDatabase();
    const email = "a@example.test";
    const scrypt = (salt: string) => `$7$C6..../....${salt}$${"a".repeat(43)}`;
    const path = fileOf([
      { email, organization_slug: "no\0where" },
      { email, password_hash: scrypt("Sodium\0Chloride") },
      { email, password_hash: scrypt("Sodium\ud800Chloride") },
      { email: "last@example.test" },
    ]);
    const { code, output } = await runService(["users", "import", path], { DATABASE_URL: databaseUrl });
    expect([code, output]).toEqual([0, expect.stringContaining("1 users imported, 3 lines refused.")]);
    expect(refusals(path).map(({ reason }) => reason)).toEqual([
      "organization_slug: not a text",
      "password_hash: not a text",
      "password_hash: not a text",
    ]);
  });

  test("refuses lines outside of UTF-8, whose letters would be lost; a byte order mark is no such line", async () => {
    const databaseUrl = await freshDatabase();
    const lines = [{ email: "jose@example.test", display_name: "José" }, { email: "ann@example.test" }];
    const importOf = async (path: string) =>
      (await runService(["users", "import", path], { DATABASE_URL: databaseUrl })).output;
    const latin = fileOf(lines, { name: "latin1.ndjson", encoding: "latin1" });
    expect(await importOf(latin)).toContain("1 users imported, 1 lines refused.");
    expect(refusals(latin)).toEqual([{ line: 1, reason: "not UTF-8" }]);
    const marked = fileOf([`\ufeff${JSON.stringify(lines[0])}`]);
    expect(await importOf(marked)).toContain("1 users imported, 0 lines refused.");
    expect(await openSql(databaseUrl)`select email, display_name from users order by email`).toMatchObject([
      { email: "ann@example.test" },
      { email: "jose@example.test", display_name: "José" },
    ]);
  });

  test("tells of an earlier import of the file, and reads the file again on request: no user twice", async () => {
    const env = { DATABASE_URL: await freshDatabase() };
    const path = fileOf([{ email: "a@example.test" }, { email: "b@example.test" }]);
    await runService(["users", "import", path], env);
    expect((await runService(["users", "import", path], env)).output).toContain("This file was imported at");
    const again = await runService(["users", "import", path, "--restart"], env);
    expect(again.output).toContain("0 users imported, 2 lines refused.");
  });

  test("names unknown members and what was left out, and corrects accounts without a sign-in (G456)", async () => {
    const databaseUrl = await freshDatabase();
    const env = { DATABASE_URL: databaseUrl };
    const replica = await startReplica(env);
    const hash = bcrypt("short", 4);
    const foreign = [
      { user_id: "auth0|1", email: "auth0@example.test", email_verified: true, name: "Ada", passwordHash: hash },
      { id: "user_1", email: "clerk@example.test", password_digest: hash },
      { email: "used@example.test", password_hash: hash, display_name: 42, locale: "../.." },
    ];
    const first = await runService(["users", "import", fileOf(foreign)], env);
    expect(first.output).toContain("3 users imported, 0 lines refused.");
    expect(first.output).toContain("2 of them without a password.");
    expect(first.output).toContain('"passwordHash" (1)');
    expect(first.output).toContain('"password_digest" (1)');
    expect(first.output).toMatch(/left out.*"display_name" \(1\), "locale" \(1\)/);
    expect((await signedIn(replica.url, "used@example.test", "short")).answer.status).toBe(200);
    const other = bcrypt("another", 4);
    const corrected = foreign.map(({ email }) => ({
      email,
      password_hash: other,
      email_verified: true,
      display_name: "Ada",
    }));
    const path = fileOf(corrected, { name: "corrected.ndjson" });
    const dry = await runService(["users", "import", path, "--dry-run"], env);
    expect(dry.output).toContain("2 users would be imported, 1 lines refused.");
    expect((await signedIn(replica.url, "auth0@example.test", "another")).answer.status).toBe(401);
    const second = await runService(["users", "import", path], env);
    expect(second.output).toContain("2 users imported, 1 lines refused.");
    expect(second.output).toContain("2 of them correct users of an earlier file");
    for (const email of ["auth0@example.test", "clerk@example.test"])
      expect((await signedIn(replica.url, email, "another")).answer.status).toBe(200);
    // A used account keeps its password: a file of the past takes no account over.
    expect((await signedIn(replica.url, "used@example.test", "another")).answer.status).toBe(401);
    expect((await signedIn(replica.url, "used@example.test", "short")).answer.status).toBe(200);
    await replica.kill();
  });

  test("gives no account the password of a further line for its address, also in a later file (G456)", async () => {
    const env = { DATABASE_URL: await freshDatabase() };
    const replica = await startReplica(env);
    const [own, foreign] = [bcrypt("victim", 4), bcrypt("attacker", 4)];
    const email = "victim@example.test";
    const others = Array.from({ length: 1000 }, (_, index) => ({ email: `other-${index}@example.test` }));
    const victim = { email, email_verified: true, password_hash: own };
    const spelling = { email: "Victim@Example.test", password_hash: foreign };
    const one = fileOf([victim, ...others, spelling, { ...victim, password_hash: foreign }]);
    expect((await runService(["users", "import", one], env)).output).toContain("1001 users imported, 2 lines refused.");
    const later = fileOf([spelling], { name: "later.ndjson" });
    expect((await runService(["users", "import", later], env)).output).toContain("0 users imported, 1 lines refused.");
    const twice = fileOf([victim, { ...victim, password_hash: foreign }], { name: "twice.ndjson" });
    expect((await runService(["users", "import", twice], env)).output).toContain("0 users imported, 2 lines refused.");
    expect((await signedIn(replica.url, email, "attacker")).answer.status).toBe(401);
    expect((await signedIn(replica.url, email, "victim")).answer.status).toBe(200);
    await replica.kill();
  });

  test("keeps bans, and reads flags, languages and empty values as databases write them (G456)", async () => {
    const databaseUrl = await freshDatabase();
    const env = { DATABASE_URL: databaseUrl };
    const replica = await startReplica(env);
    const password_hash = bcrypt("short", 4);
    const at = (name: string) => `${name}@example.test`;
    const path = fileOf([
      { email: at("disabled"), password_hash, disabled: true },
      { email: at("banned"), password_hash, banned_until: "2099-01-01T00:00:00+00:00" },
      { email: at("forever"), password_hash, banned_until: "infinity" },
      { email: at("over"), password_hash, banned_until: "2020-01-01 00:00:00+00" },
      { email: at("plain"), password_hash, disabled: "f", banned_until: null, email_verified: "true", locale: "en_US" },
      { email: at("empty"), password_hash, display_name: " ", locale: "", email_verified: null, role: "" },
      { email: at("marks"), password_hash, display_name: "\u200eDana\u200f" },
      { email: at("link"), password_hash, display_name: "Ada https://ada.example" },
      "\r",
      "   ",
    ]);
    const { output } = await runService(["users", "import", path], env);
    expect(output).toContain("8 users imported, 0 lines refused.");
    expect(output).toContain("3 of them disabled.");
    for (const [name, status] of Object.entries({ disabled: 401, banned: 401, forever: 401, over: 200, plain: 200 }))
      expect([name, (await signedIn(replica.url, at(name), "short")).answer.status]).toEqual([name, status]);
    const rows = await openSql(databaseUrl)`select email, display_name, locale from users order by email`;
    const stored = Object.fromEntries(rows.map((row) => [row.email.split("@")[0], [row.display_name, row.locale]]));
    expect(stored).toMatchObject({
      plain: [null, "en-US"],
      empty: [null, null],
      marks: ["Dana", null],
      link: [null, null],
    });
    await replica.kill();
  });

  test("continues after a kill: every user once, every refusal once", async () => {
    const databaseUrl = await freshDatabase();
    const env = { DATABASE_URL: databaseUrl };
    const sql = openSql(databaseUrl);
    const count = 40_000;
    const path = fileOf(
      Array.from({ length: count }, (_, index) =>
        index % 100 === 7 ? { email: `bad ${index}` } : { email: `u${index}@example.test` },
      ),
    );
    const users = async () => (await sql`select count(*)::int as users from users`)[0]?.users ?? 0;
    const doomed = startService(["users", "import", path], env);
    await until("some batches are in", async () => (await users()) > 3000);
    await doomed.kill();
    const before = await users();
    expect(before).toBeLessThan(count);
    const { code, output } = await runService(["users", "import", path], env);
    expect([code, output]).toEqual([0, expect.stringMatching(/Continuing after line \d+\./)]);
    expect(output).toContain(`${count * 0.99} users imported, ${count * 0.01} lines refused.`);
    expect(await users()).toBe(count * 0.99);
    const lines = refusals(path).map(({ line }) => line);
    expect(lines).toEqual(Array.from({ length: count * 0.01 }, (_, index) => index * 100 + 8));
    expect((await sql`select count(*)::int as members from members`)[0]?.members).toBe(count * 0.99);
  });

  test("exits 1 for a missing file, 2 without a file", async () => {
    const env = { DATABASE_URL: await freshDatabase() };
    const missing = await runService(["users", "import", join(directory, "missing")], env);
    expect([missing.code, existsSync(join(directory, "missing.refused.ndjson"))]).toEqual([1, false]);
    expect((await runService(["users", "import"], env)).code).toBe(2);
  });
});

describe("SERVICE_PASSWORD_CHECK", () => {
  const register = (url: string, password: string) =>
    new Client(url).post("/v1/auth/register", {
      organization_name: "Acme",
      email: `p${Math.random()}@example.test`,
      password,
    });

  test("list: refuses common passwords and their variations, takes the rest", async () => {
    const replica = await startReplica({ DATABASE_URL: await freshDatabase(), SERVICE_PASSWORD_CHECK: "list" });
    for (const common of [
      "qwerty123456",
      "PASSWORD1234",
      "password!!!!",
      "passwordpassword",
      "aaaaaaaaaaaa",
      "123456789012",
    ]) {
      const response = await register(replica.url, common);
      expect([common, response.status, response.body.error?.code]).toEqual([common, 400, "invalid_input"]);
    }
    const { client } = await registered(replica.url);
    const change = { current_password: PASSWORD, new_password: "password2024!" };
    expect((await client.post("/v1/users/me/password", change)).status).toBe(400);
    for (const fine of [PASSWORD, "lorry-mango-tiptoe", "Tr0ub4dor&3 and more"])
      expect((await register(replica.url, fine)).status).toBe(201);
    await replica.kill();
  });

  test("hibp: sends five digits of the hash, refuses a found password, and passes without a response", async () => {
    // SHA-1 of "password1234": E6B6AFBD6D76BB5D2041542D7D2E3FAC5BB05593
    let response: () => Response = () =>
      new Response(`B${"0".repeat(34)}:3\r\nFBD6D76BB5D2041542D7D2E3FAC5BB05593:57\r\n`);
    const asked: string[] = [];
    const api = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        asked.push(new URL(request.url).pathname);
        return response();
      },
    });
    const replica = await startReplica({
      DATABASE_URL: await freshDatabase(),
      SERVICE_PASSWORD_CHECK: "hibp",
      SERVICE_PASSWORD_CHECK_URL: api.url.origin,
    });
    expect((await register(replica.url, "password1234")).status).toBe(400);
    expect(asked).toEqual(["/range/E6B6A"]);
    response = () => new Response("FBD6D76BB5D2041542D7D2E3FAC5BB05593:0\r\n");
    expect((await register(replica.url, "password1234")).status).toBe(201);
    response = () => new Response(null, { status: 503 });
    expect((await register(replica.url, "password1234")).status).toBe(201);
    await api.stop(true);
    expect((await register(replica.url, "password1234")).status).toBe(201);
    await replica.kill();
  });
});
