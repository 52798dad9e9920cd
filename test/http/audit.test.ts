import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, registered } from "../support/client.ts";
import { type Deployment, ownDeployment, race } from "../support/deployment.ts";
import { platformUser } from "../support/platform.ts";
import { runService, startReplica } from "../support/replica.ts";
import { enterEnterprise } from "../support/states.ts";
import { until } from "../support/waiting.ts";

const KEY = "an export key für tests";
const LOGS = "/v1/audit-logs";
const EXPORT = "/v1/admin/audit-export";
let at: Deployment;
let directory: string;
let viewer: Client;
/** A platform admin in an organization that may export. */
let admin: Client;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "identity-audit-"));
  at = await ownDeployment({ SERVICE_AUDIT_EXPORT_KEY: KEY, SERVICE_SPOOL_DIRECTORY: directory });
  viewer = (await platformUser(at, "viewer")).client;
  const person = await platformUser(at, "admin");
  admin = person.client;
  await enterEnterprise(at.sql, person.organizationId);
});
afterAll(async () => {
  await Promise.all([at.one.stop(), at.other.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

/** Inserts entries of an invented actor, in the months around a month. */
async function seed(count: number, action = "auth.login"): Promise<string> {
  const actor = Bun.randomUUIDv7();
  await at.sql`
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
                            resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select gen_random_uuid(), timestamptz '2026-01-31T23:59:59.500Z' + n * interval '1 second', null, ${actor}, 'user',
           ${action}, 'user', n::text, '10.0.0.1', E'a "quoted" \\\\ back\\nslash', null, '{"n": 1}', 'success'
    from generate_series(0, ${count - 1}) n`;
  return actor;
}

describe("GET /v1/audit-logs", () => {
  const list = async (query: string, by = viewer) => (await by.get(`${LOGS}${query}`)).body;

  describe("200", () => {
    test("selects by outcome, group of actions and organization, with exact totals", async () => {
      const { client, userId, organizationId, email } = await registered(at.one.url);
      await client.post("/v1/auth/logout");
      await new Client(at.one.url).post("/v1/auth/login", { email, password: "a wrong password" });
      const totalOf = async (query: string) => (await list(`?user_id=${userId}&${query}`)).total;
      expect(await totalOf("outcome=failure")).toBe(1);
      expect(await totalOf("outcome=success")).toBe(2);
      expect(await totalOf("action=auth.*")).toBe(3);
      expect(await totalOf("action=auth.*&outcome=failure")).toBe(1);
      expect(await totalOf("action=member.*")).toBe(0);
      expect(await totalOf("action=nothing.*")).toBe(0);
      expect(await totalOf(`organization_id=${organizationId}&outcome=success`)).toBe(2);
      const all = (await list("?page_size=1")).total;
      const [failures, successes] = [
        await list("?outcome=failure&page_size=1"),
        await list("?outcome=success&page_size=1"),
      ];
      expect(failures.items[0].outcome).toBe("failure");
      expect(successes.total + failures.total).toBeGreaterThanOrEqual(all);
      const ofAuth = await at.sql`select count(*)::int as total from audit_logs where action like 'auth.%'`;
      expect((await list("?action=auth.*&page_size=1")).total).toBe(ofAuth[0]?.total);
      for (const query of ["outcome=denied", "organization_id=x"])
        expect([query, (await viewer.get(`${LOGS}?${query}`)).status]).toEqual([query, 400]);
    });

    test("finds the events of an actor by address, and events by a text, with exact totals", async () => {
      const { client, userId, email } = await registered(at.one.url, { display_name: "Ada 100%_Lovelace" });
      await client.post("/v1/auth/logout");
      await new Client(at.one.url).post("/v1/auth/login", { email, password: "a wrong password" });
      const own = (await list(`?user_id=${userId}`)).total;
      const totalOf = async (values: Record<string, string>) =>
        (await list(`?${new URLSearchParams({ ...values, page_size: "2" })}`)).total;
      expect(own).toBeGreaterThan(2);
      expect(await totalOf({ actor: ` ${email.toUpperCase()} ` })).toBe(own);
      expect(await totalOf({ actor: userId, user_id: userId })).toBe(own);
      expect(await totalOf({ actor: email, user_id: Bun.randomUUIDv7() })).toBe(0);
      expect(await totalOf({ actor: "nobody@example.test" })).toBe(0);
      expect(await totalOf({ actor: "no address" })).toBe(0);
      expect(await totalOf({ q: email })).toBe(own);
      expect(await totalOf({ q: "ADA 100%_love", action: "auth.*", outcome: "failure" })).toBe(1);
      expect(await totalOf({ q: "ada 100%_xlove" })).toBe(0);
      const [record] = (await list(`?user_id=${userId}&page_size=1`)).items;
      expect(await totalOf({ q: record.event_id })).toBe(1);
      expect(await totalOf({ q: record.request_id.slice(0, 30) })).toBeGreaterThan(0);
      const actor = await seed(3);
      await at.sql`update audit_logs set metadata = '{"reason": "a_rare%value"}' where actor_id = ${actor}`;
      expect(await totalOf({ q: "a_rare%VALUE" })).toBe(3);
      expect(await totalOf({ q: "reason", actor })).toBe(0);
      const beyond = await list(`?q=${encodeURIComponent(email)}&page=9&page_size=100`);
      expect([beyond.items, beyond.total]).toEqual([[], own]);
      expect(await totalOf({ q: "  ", actor: " " })).toBe((await list("?page_size=1")).total);
      for (const query of ["q=%00", `actor=${"x".repeat(201)}`])
        expect([query, (await viewer.get(`${LOGS}?${query}`)).status]).toEqual([query, 400]);
    });

    test("returns records with the members of the contract, newest first", async () => {
      const headers = { "x-request-id": "5d1f3c5e-0000-7000-8000-00000000abcd", "user-agent": "Browser/7" };
      const { client, userId, organizationId, sessionId } = await registered(at.one.url);
      await client.post("/v1/auth/logout", undefined, { headers });
      const { items, total } = await list(`?user_id=${userId}`);
      expect(total).toBe(2);
      expect(items.map((item: { action: string }) => item.action)).toEqual(["auth.logout", "auth.register"]);
      expect(items[0].id).toBeGreaterThan(items[1].id);
      expect(items[0]).toEqual({
        id: expect.any(Number),
        event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        organization_id: organizationId,
        actor_id: userId,
        actor_type: "user",
        action: "auth.logout",
        resource_type: "session",
        resource_id: sessionId,
        ip_address: "127.0.0.1",
        user_agent: "Browser/7",
        request_id: headers["x-request-id"],
        metadata: { reason: "logout" },
        outcome: "success",
      });
    });

    test("filters by actor, action and time, both ends included, and pages with an exact total", async () => {
      const actor = await seed(60);
      const by = `?user_id=${actor}`;
      expect(await list(by)).toMatchObject({ total: 60, page: 1, page_size: 25 });
      const last = await list(`${by}&page=3`);
      expect(last.items).toHaveLength(10);
      expect(last.items.at(-1).resource_id).toBe("0");
      expect((await list(`${by}&page=4`)).items).toEqual([]);
      expect((await list(`${by}&page_size=1000`)).page_size).toBe(100);
      expect((await list(`${by}&action=auth.login`)).total).toBe(60);
      expect((await list(`${by}&action=auth.log`)).total).toBe(0);
      const span = "from=2026-02-01T00:00:00.500Z&to=2026-02-01T00:00:02.500Z";
      expect((await list(`${by}&${span}`)).items.map((item: { resource_id: string }) => item.resource_id)).toEqual([
        "3",
        "2",
        "1",
      ]);
      expect((await list(`${by}&from=2026-02-01T01:00:00.500%2B01:00&to=2026-02-01T00:00:00.500Z`)).total).toBe(1);
      expect((await list(`${by}&from=2026-02-01T01:00:00.500+01:00&to=2026-02-01T00:00:00.500Z`)).total).toBe(1);
      expect((await list(`${by}&from=2027-01-01T00:00:00Z`)).total).toBe(0);
    });
  });

  describe("400 invalid_input", () => {
    test.each([
      "from=yesterday",
      "to=2026-13-01T00:00:00Z",
      "from=2026-02-30T00:00:00Z",
      "from=2026-01-01",
      "to=1767225600",
      "user_id=x",
      "action=%00",
      "page=x",
      "from=",
    ])("refuses %s", async (query) => {
      expect((await viewer.get(`${LOGS}?${query}`)).status).toBe(400);
    });
  });

  describe("401 and 403", () => {
    test("need a platform role", async () => {
      const { client } = await registered(at.one.url);
      expect((await client.get(LOGS)).status).toBe(403);
      expect((await new Client(at.one.url).get(LOGS)).status).toBe(401);
    });
  });
});

describe("GET /v1/admin/audit-export", () => {
  const download = (query = "", by = admin) => by.get(`${EXPORT}${query}`);

  function read(text: string) {
    const lines = text.split("\n");
    expect(lines.pop()).toBe("");
    const trailer = JSON.parse(lines.pop() ?? "");
    const data = lines.map((line) => `${line}\n`).join("");
    return { rows: lines.map((line) => JSON.parse(line)), trailer, data };
  }

  describe("200", () => {
    test("is one document a line, with a trailer of valid signature and count; the header says the same", async () => {
      const actor = await seed(1000);
      const response = await download("?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z");
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/x-ndjson");
      expect(response.headers.get("cache-control")).toBe("no-store");
      const { rows, trailer, data } = read(response.text);
      const signature = `sha256=${createHmac("sha256", KEY).update(data).digest("hex")}`;
      expect(trailer).toEqual({ _signature: signature, _count: rows.length });
      expect(response.headers.get("x-service-signature")).toBe(signature);
      const own = rows.filter((row) => row.actor_id === actor);
      expect(own).toHaveLength(1000);
      expect(own[0]).toEqual({
        id: expect.any(Number),
        event_id: expect.any(String),
        timestamp: "2026-01-31T23:59:59.500Z",
        organization_id: "00000000-0000-0000-0000-000000000000",
        actor_id: actor,
        actor_type: "user",
        action: "auth.login",
        resource_type: "user",
        resource_id: "0",
        ip_address: "10.0.0.1",
        user_agent: 'a "quoted" \\ back\nslash',
        request_id: null,
        metadata: { n: 1 },
        outcome: "success",
      });
      expect(rows.map((row) => row.id)).toEqual(rows.map((row) => row.id).sort((a, b) => a - b));
    });

    test("is empty but signed for a time without entries, and writes audit.exported", async () => {
      const response = await download("?from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z");
      const { rows, trailer } = read(response.text);
      expect(rows).toEqual([]);
      expect(trailer).toEqual({ _signature: `sha256=${createHmac("sha256", KEY).digest("hex")}`, _count: 0 });
      const [row] =
        await at.sql`select metadata from audit_logs where action = 'audit.exported' order by id desc limit 1`;
      expect(row?.metadata).toEqual({ count: 0, from: "2001-01-01T00:00:00Z", to: "2001-01-02T00:00:00Z" });
    });

    test("verifies with `audit verify`, which finds every change, a missing end and another key", async () => {
      const { text } = await download("?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z");
      const verify = async (content: string, key = KEY) => {
        const file = join(mkdtempSync(join(tmpdir(), "identity-verify-")), "audit.ndjson");
        writeFileSync(file, content);
        return await runService(["audit", "verify", file], {
          DATABASE_URL: "postgres://x/y",
          SERVICE_AUDIT_EXPORT_KEY: key,
        });
      };
      const good = await verify(text);
      expect([good.code, good.output]).toEqual([0, expect.stringMatching(/\d+ rows, the signature is valid/)]);
      const lines = text.split("\n");
      const tampered = {
        "a changed word": text.replace("auth.login", "auth.logon"),
        "a line less": lines.slice(1).join("\n"),
        "a line more": `${lines[0]}\n${text}`,
        "two lines exchanged": [lines[1], lines[0], ...lines.slice(2)].join("\n"),
        "no trailer": lines.slice(0, -2).join("\n"),
        "other line ends": text.replaceAll("\n", "\r\n"),
        nothing: "",
      };
      const verdicts = Object.entries(tampered).map(async ([what, content]) => [what, (await verify(content)).code]);
      expect(Object.fromEntries(await Promise.all(verdicts))).toEqual(
        Object.fromEntries(Object.keys(tampered).map((what) => [what, 1])),
      );
      expect((await verify(text, "another key")).code).toBe(1);
      expect((await runService(["audit", "verify"], {})).code).toBe(2);
      // An option of the verification with a proof, without the proof: the command does not fall back to a weaker
      // verification.
      const unproven = await runService(["audit", "verify", "f", "--checkpoint", "kept"], {});
      expect([unproven.code, unproven.output]).toEqual([2, expect.stringContaining("--proof")]);
    });

    test("leaves no file behind, however it ends", async () => {
      await download();
      const gone = new AbortController();
      const headers = { authorization: `Bearer ${admin.cookie("service_at")}` };
      const started = fetch(at.one.url + EXPORT, { headers, signal: gone.signal });
      const reader = (await started).body?.getReader();
      await reader?.read();
      gone.abort();
      expect(readdirSync(directory)).toEqual([]);
      const spools = async () => readdirSync(`/proc/${at.one.pid}/fd`).filter((fd) => isSpool(at.one.pid, fd)).length;
      await until("the spool is closed", async () => (await spools()) === 0);
    });
  });

  describe("400 invalid_input", () => {
    test.each(["from=yesterday", "to=2026-02-30T00:00:00Z"])("refuses %s", async (query) => {
      expect((await download(`?${query}`)).status).toBe(400);
    });
  });

  describe("402 payment_required", () => {
    test("is what any caller of an organization without the entitlement gets, before roles are looked at", async () => {
      const { client } = await registered(at.one.url);
      const owner = await platformUser(at, "owner");
      for (const by of [client, owner.client]) {
        const response = await download("?from=nonsense", by);
        expect([response.status, response.body.error]).toMatchObject([
          402,
          { code: "payment_required", type: "payment_required" },
        ]);
      }
    });
  });

  describe("403 forbidden", () => {
    test("is what a viewer of an entitled organization gets, and a user without a role", async () => {
      for (const role of ["viewer", null]) {
        const { client, userId, organizationId } = await registered(at.one.url);
        await at.sql`update users set platform_role = ${role} where id = ${userId}`;
        await enterEnterprise(at.sql, organizationId);
        expect((await download("", client)).status).toBe(403);
      }
    });
  });

  describe("429 rate_limited", () => {
    test("refuses a third concurrent export, and serves again afterwards", async () => {
      await seed(1000);
      const period = "?from=2026-01-01T00:00:00Z&to=2026-04-01T00:00:00Z";
      const { exports, refused } = await at.sql.begin(async (transaction) => {
        // Exports wait for the table until this transaction ends.
        await transaction`lock table audit_logs in access exclusive mode`;
        const exports = race(() => download(period), 2);
        await until("both wait", async () => {
          const [row] = await at.sql`
            select count(*)::int as waiting from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%; copy %'`;
          return row?.waiting === 2;
        });
        return { exports, refused: await download(period) };
      });
      expect(refused.status).toBe(429);
      const { text } = await new Client(at.one.url).get("/metrics");
      expect(text).toMatch(/service_bound_refusals_total\{service_bound="export_slots"[^}]*\} [1-9]/);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      for (const { status, text } of await exports) {
        expect(status).toBe(200);
        expect(read(text).trailer._count).toBe(read(text).rows.length);
      }
      expect((await download("?to=2001-01-01T00:00:00Z")).status).toBe(200);
    });
  });

  describe("500 internal_error (G31)", () => {
    test("returns a problem when the disk is full, leaves no file behind, and no other request fails", async () => {
      await seed(5000);
      const settings = {
        DATABASE_URL: at.databaseUrl,
        SERVICE_SPOOL_DIRECTORY: directory,
        SERVICE_AUDIT_EXPORT_KEY: KEY,
      };
      const replica = await startReplica(settings, { fileKib: 64 });
      const client = admin.at(replica.url);
      const response = await download("", client);
      expect([response.status, response.body.error.code]).toEqual([500, "internal_error"]);
      await until("the cause is logged", async () => replica.output().includes("spool_failed"));
      expect(readdirSync(directory)).toEqual([]);
      expect(readdirSync(`/proc/${replica.pid}/fd`).some((fd) => isSpool(replica.pid, fd))).toBe(false);
      expect((await client.get("/v1/auth/session")).status).toBe(200);
      expect((await download("?to=2001-01-01T00:00:00Z", client)).status).toBe(200);
      await replica.kill();
    });

    test("returns a problem when the spool cannot be written, and no other request fails", async () => {
      const replica = await startReplica({
        DATABASE_URL: at.databaseUrl,
        SERVICE_SPOOL_DIRECTORY: join(directory, "missing"),
        SERVICE_AUDIT_EXPORT_KEY: KEY,
      });
      const client = admin.at(replica.url);
      const response = await download("", client);
      expect([response.status, response.body.error.code]).toEqual([500, "internal_error"]);
      expect(response.text).not.toContain("missing");
      expect((await client.get("/v1/auth/session")).status).toBe(200);
      await replica.kill();
    });
  });
});

function isSpool(pid: number, fd: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`).includes(".spool");
  } catch {
    return false;
  }
}
