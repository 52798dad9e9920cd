import { beforeAll, describe, expect, test } from "bun:test";
import { verifyExport } from "../../clients/js/src/audit.ts";
import { isKeyText } from "../../src/models/service-account/key-format.ts";
import { scopesOf } from "../../src/vocabulary/key-scope.ts";
import { Client, newEmail, registered } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { INVITE_LINK, tokenTo } from "../support/mail.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { accountsOf, keyOf, type MadeKey, steppedUpOwner } from "../support/service-accounts.ts";
import { disableUser, enterEnterprise, insertMember } from "../support/states.ts";
import { memberWith } from "../support/team.ts";
import { stopwatch, until } from "../support/waiting.ts";

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const NIL = "00000000-0000-0000-0000-000000000000";
const PLATFORM = "/v1/admin/service-accounts";

let at: Deployment;
let owner: Awaited<ReturnType<typeof steppedUpOwner>>;
/** A key with every scope of an organization. */
let full: MadeKey;
let accounts: string;
beforeAll(async () => {
  at = await deployment();
  owner = await steppedUpOwner(at);
  accounts = accountsOf(owner.organizationId);
  const scopes = scopesOf("organization");
  full = await keyOf(owner.client, accounts, scopes);
});

const withKey = (key: string, url = at.one.url) => {
  const client = new Client(url);
  return (method: string, path: string, options = {}) => client.request(method, path, { bearer: key, ...options });
};
const statusOf = async (key: string, path: string, options = {}, url = at.one.url) =>
  (await withKey(key, url)("GET", path, options)).status;

describe("POST /v1/orgs/:org_id/service-accounts, …/:id/keys", () => {
  describe("201", () => {
    test("shows a key once, in a form known to scanners, stores the hash and records the maker (G55)", async () => {
      const account = await owner.client.post(accounts, { name: "Sync" });
      expect(account.body).toMatchObject({
        organization_id: owner.organizationId,
        name: "Sync",
        created_by: owner.userId,
      });
      const path = `/v1/orgs/${owner.organizationId}/service-accounts/${account.body.id}/keys`;
      const made = await owner.client.post(path, { scopes: ["members.list"], expires_in_days: 7 });
      expect(made.body.key).toMatch(/^localhost_sk_[0-9A-Za-z]{46}$/);
      expect(made.body.key.slice(13, 21)).toBe(made.body.key_id);
      expect(isKeyText(made.body.key)).toBe(true);
      expect(Date.parse(made.body.expires_at) - Date.parse(made.body.created_at)).toBe(7 * 24 * 3600 * 1000);
      const { key, ...shown } = made.body;
      expect((await owner.client.get(path)).body.items).toEqual([shown]);
      const [row] = await at.sql`select k::text as text, key_hash from api_keys k where id = ${made.body.id}`;
      expect(row?.key_hash.toString("hex")).toBe(new Bun.CryptoHasher("sha256").update(key).digest("hex"));
      expect(row?.text).not.toContain(key.slice(21));
      const audit = await at.sql`
        select action, actor_id, actor_type, metadata from audit_logs where resource_id = ${made.body.id}`;
      const metadata = { service_account_id: account.body.id, key_id: made.body.key_id, scopes: "members.list" };
      expect([...audit]).toEqual([{ action: "api_key.created", actor_id: owner.userId, actor_type: "user", metadata }]);
    });

    test("a key has a name in lists, never in the audit trail; without a name the member is null", async () => {
      const { body: account } = await owner.client.post(accounts, { name: "Named" });
      const path = `${accounts}/${account.id}/keys`;
      const named = await owner.client.post(path, { scopes: ["members.list"], name: " Anna’s laptop " });
      const unnamed = await owner.client.post(path, { scopes: ["members.list"], name: null });
      expect([named.body.name, unnamed.body.name]).toEqual(["Anna’s laptop", null]);
      const { items } = (await owner.client.get(path)).body;
      expect(items.map(({ name }: { name: string | null }) => name)).toEqual([null, "Anna’s laptop"]);
      const [record] = await at.sql`select metadata::text as text from audit_logs where resource_id = ${named.body.id}`;
      expect(record?.text).toContain(named.body.key_id);
      expect(record?.text).not.toContain("laptop");
    });

    test("an admin of the organization may; lists show what is theirs", async () => {
      const admin = await memberWith(at, owner.organizationId, "admin");
      expect((await admin.client.post(accounts, { name: "Of an admin" })).status).toBe(201);
      const listed = await admin.client.get(`${accounts}?page_size=100`);
      expect(listed.body.items.map(({ name }: { name: string }) => name)).toContain("Of an admin");
    });
  });

  describe("400 invalid_input", () => {
    test.each([
      [{ scopes: [] }],
      [{ scopes: ["members.list"], name: "" }],
      [{ scopes: ["members.list"], name: "x".repeat(121) }],
      [{ scopes: ["members.list"], name: "www.example.com" }],
      [{ scopes: ["everything"] }],
      [{}],
      [{ scopes: ["members.list"], expires_in_days: 0 }],
      [{ scopes: ["members.list"], expires_in_days: 366 }],
      [{ scopes: ["members.list"], allowed_ips: ["10.0.0.0/33"] }],
      [{ scopes: ["members.list"], allowed_ips: ["010.1"] }],
      [{ scopes: ["members.list"], allowed_ips: ["010.0.0.1"] }],
      [{ scopes: ["members.list"], allowed_ips: ["0x7f000001"] }],
      [{ scopes: ["members.list"], allowed_ips: ["::ffff:10.0.0.1"] }],
      [{ scopes: ["members.list"], allowed_ips: ["fe80::1%eth0"] }],
      [{ scopes: ["members.list"], allowed_ips: ["fe80::%25eth0/64"] }],
      [{ scopes: ["members.list"], allowed_referrers: ["https://app.example.com/path"] }],
      [{ scopes: ["members.list"], allowed_referrers: ["javascript:alert(1)"] }],
    ])("refuses %j", async (body) => {
      const path = `${accounts}/${full.accountId}/keys`;
      expect((await owner.client.post(path, body)).status).toBe(400);
    });
  });

  describe("401 mfa_required", () => {
    test("a key needs a step-up, an account does not", async () => {
      const person = await registered(at.one.url);
      const account = await person.client.post(accountsOf(person.organizationId), { name: "x" });
      expect(account.status).toBe(201);
      const path = `${accountsOf(person.organizationId)}/${account.body.id}/keys`;
      const response = await person.client.post(path, { scopes: ["members.list"] });
      expect([response.status, response.body.error.code]).toEqual([401, "mfa_required"]);
    });
  });

  describe("403 and 404", () => {
    test("a member gets 403; a non-member gets 404, whether the organization exists or not", async () => {
      const member = await memberWith(at, owner.organizationId, "member");
      const stranger = await registered(at.one.url);
      const calls: [string, string, object?][] = [
        ["POST", "", { name: "x" }],
        ["GET", ""],
        ["DELETE", `/${full.accountId}`],
        ["POST", `/${full.accountId}/keys`, { scopes: ["members.list"] }],
        ["GET", `/${full.accountId}/keys`],
        ["DELETE", `/${full.accountId}/keys/${full.id}`],
      ];
      for (const [method, path, body] of calls) {
        const ask = async (client: Client, base: string) =>
          (await client.request(method, base + path, { body })).status;
        expect([method, path, await ask(member.client, accounts)]).toEqual([method, path, 403]);
        expect([method, path, await ask(stranger.client, accounts)]).toEqual([method, path, 404]);
        expect([method, path, await ask(stranger.client, accountsOf(UNKNOWN))]).toEqual([method, path, 404]);
        expect([method, path, await ask(owner.client, PLATFORM)]).toEqual([method, path, 403]);
      }
      expect(await statusOf(full.key, "/v1/auth/session")).toBe(200);
    });

    test("an account of another organization is not found below one's own (G16)", async () => {
      const other = await steppedUpOwner(at);
      const base = `${accountsOf(other.organizationId)}/${full.accountId}`;
      for (const [method, path] of [
        ["POST", `${base}/keys`],
        ["GET", `${base}/keys`],
        ["DELETE", `${base}/keys/${full.id}`],
        ["DELETE", base],
      ] as const) {
        const body = method === "POST" ? { body: { scopes: ["members.list"] } } : {};
        expect((await other.client.request(method, path, body)).status).toBe(404);
      }
      expect(await statusOf(full.key, "/v1/auth/session")).toBe(200);
    });
  });

  describe("409 conflict", () => {
    test("of twenty keys at once two are made; a revoked one makes room", async () => {
      const account = await owner.client.post(accounts, { name: "Race" });
      const path = `${accounts}/${account.body.id}/keys`;
      const responses = await race(() => owner.client.post(path, { scopes: ["members.list"] }));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(18).fill(409)]);
      const id = responses.find(({ status }) => status === 201)?.body.id;
      expect((await owner.client.delete(`${path}/${id}`)).status).toBe(204);
      expect((await owner.client.post(path, { scopes: ["members.list"] })).status).toBe(201);
    });
  });
});

describe("a request with a key", () => {
  test("GET /v1/auth/session says what the key is and may", async () => {
    const key = await keyOf(owner.client, accounts, ["audit.read", "members.list"], {
      allowed_ips: ["127.0.0.1", "::1/128"],
      allowed_referrers: ["https://app.example.com"],
    });
    const headers = { origin: "https://app.example.com" };
    const { status, body } = await withKey(key.key)("GET", "/v1/auth/session", { headers });
    expect(status).toBe(200);
    expect(body.user).toEqual({
      user_id: key.accountId,
      organization_id: owner.organizationId,
      email: null,
      auth_method: "api_key",
      session_family_id: key.id,
      scopes: ["audit.read", "members.list"],
      allowed_ips: ["127.0.0.1/32", "::1/128"],
      allowed_referrers: ["https://app.example.com"],
      extensions: {},
      mfa_verified_at: null,
    });
    expect(body.capabilities).toEqual({ role: null, permissions: ["audit.read", "members.list"] });
  });

  test("is held to the addresses and referrers of the key", async () => {
    const elsewhere = await keyOf(owner.client, accounts, ["members.list"], { allowed_ips: ["192.0.2.0/24"] });
    expect(await statusOf(elsewhere.key, "/v1/auth/session")).toBe(403);
    const page = await keyOf(owner.client, accounts, ["members.list"], {
      allowed_referrers: ["https://app.example.com"],
    });
    const from = (headers: object) => statusOf(page.key, "/v1/auth/session", { headers });
    expect(await from({ referer: "https://app.example.com/some/page" })).toBe(200);
    expect(await from({ referer: "https://app.example.com.evil.test/" })).toBe(403);
    expect(await from({})).toBe(403);
  });

  test("reaches what its scopes name, without CSRF, and is named in the audit trail", async () => {
    const org = `/v1/orgs/${owner.organizationId}`;
    const call = withKey(full.key);
    const email = newEmail();
    const invited = await call("POST", `${org}/invitations`, { body: { email, role: "admin" } });
    expect([invited.status, invited.body.invited_by]).toEqual([201, owner.userId]);
    expect(await tokenTo(at.mail, email, INVITE_LINK)).toBeString();
    expect((await call("POST", `${org}/invitations/${invited.body.id}/resend`)).status).toBe(200);
    expect((await call("GET", `${org}/invitations`)).body.items[0].id).toBe(invited.body.id);
    expect((await call("DELETE", `${org}/invitations/${invited.body.id}`)).status).toBe(204);
    const member = await memberWith(at, owner.organizationId, "member");
    expect((await call("GET", `${org}/members?q=${member.email}`)).body.total).toBe(1);
    expect((await call("DELETE", `${org}/members/${member.userId}`)).status).toBe(204);
    const records = await at.sql`
      select action from audit_logs where actor_id = ${full.id} and actor_type = 'api_key' order by id`;
    expect(records.map(({ action }) => action)).toEqual([
      "invitation.created",
      "invitation.resent",
      "invitation.revoked",
      "member.removed",
    ]);
  });

  test("has the power of an admin at most: neither an invitation nor a removal reaches an owner", async () => {
    const call = withKey(full.key);
    const org = `/v1/orgs/${owner.organizationId}`;
    expect((await call("POST", `${org}/invitations`, { body: { email: newEmail(), role: "owner" } })).status).toBe(403);
    expect((await call("DELETE", `${org}/members/${owner.userId}`)).status).toBe(403);
  });

  test("invites in the creator's name, and no longer after the creator has lost the permission (G36)", async () => {
    const admin = await steppedUpOwner(at);
    await insertMember(at.sql, owner.organizationId, admin.userId, "admin");
    const key = await keyOf(admin.client, accounts, ["members.invite"]);
    const send = async () => {
      const body = { email: newEmail() };
      return (await withKey(key.key)("POST", `/v1/orgs/${owner.organizationId}/invitations`, { body })).status;
    };
    expect(await send()).toBe(201);
    await at.sql`update members set role = 'member' where user_id = ${admin.userId} and role = 'admin'`;
    expect(await send()).toBe(403);
  });

  test("is refused by every endpoint for people (G56)", async () => {
    const document = (await new Client(at.one.url).get("/openapi.json")).body;
    const call = withKey(full.key);
    for (const [path, methods] of Object.entries<Record<string, { security: object[] }>>(document.paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        const open = security.length === 0 || security.some((each) => Object.keys(each).length === 0);
        if (open || "refresh_cookie" in (security[0] ?? {})) continue;
        const name = `${method.toUpperCase()} ${path}`;
        if (!security.some((each) => "api_key" in each)) {
          const url = path.replaceAll(/\{\w+\}/g, UNKNOWN);
          const { status, body } = await call(method.toUpperCase(), url);
          expect([name, status, body?.error.code]).toEqual([name, 403, "forbidden"]);
        }
      }
    }
  });

  test("without the scope of the endpoint is refused: 403 for each endpoint", async () => {
    const none = await keyOf(owner.client, accounts, ["audit.export"]);
    const org = `/v1/orgs/${owner.organizationId}`;
    for (const [method, path] of [
      ["GET", `${org}/members`],
      ["DELETE", `${org}/members/${owner.userId}`],
      ["GET", `${org}/invitations`],
      ["POST", `${org}/invitations`],
      ["DELETE", `${org}/invitations/${UNKNOWN}`],
      ["POST", `${org}/invitations/${UNKNOWN}/resend`],
      ["GET", "/v1/audit-logs"],
    ] as const) {
      expect((await withKey(none.key)(method, path)).status).toBe(403);
    }
  });

  test("of one organization reads and changes no row of a further organization (G16, G56)", async () => {
    const other = await registered(at.one.url);
    const call = withKey(full.key);
    const base = `/v1/orgs/${other.organizationId}`;
    const invited = await other.client.post(`${base}/invitations`, { email: newEmail() });
    for (const [method, path, body] of [
      ["GET", `${base}/members`],
      ["DELETE", `${base}/members/${other.userId}`],
      ["GET", `${base}/invitations`],
      ["POST", `${base}/invitations`, { email: newEmail() }],
      ["DELETE", `${base}/invitations/${invited.body.id}`],
      ["POST", `${base}/invitations/${invited.body.id}/resend`],
      // The path contains the caller's organization, and an invitation or member of a foreign organization.
      ["DELETE", `/v1/orgs/${owner.organizationId}/invitations/${invited.body.id}`],
      ["POST", `/v1/orgs/${owner.organizationId}/invitations/${invited.body.id}/resend`],
      ["DELETE", `/v1/orgs/${owner.organizationId}/members/${other.userId}`],
    ] as const) {
      const response = await call(method, path, body ? { body } : {});
      expect([method, path, response.status]).toEqual([method, path, 404]);
    }
    const read = await call("GET", `/v1/audit-logs?page_size=100&user_id=${other.userId}`);
    expect([read.status, read.body.total]).toEqual([200, 0]);
    // An address of a user outside of the organization must not be found, letter by letter, through a search (G188).
    const [known, unknown] = [owner.email, other.email].map(encodeURIComponent);
    await at.sql`
      insert into audit_logs
        (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type, metadata, outcome)
      values
        (gen_random_uuid(), now(), ${owner.organizationId}, ${other.userId}, 'user', 'auth.login', 'session', '{}',
         'success')`;
    const total = async (query: string) => (await call("GET", `/v1/audit-logs?${query}`)).body.total;
    expect(await total(`user_id=${other.userId}`)).toBe(1);
    expect([await total(`actor=${unknown}`), await total(`q=${unknown}`)]).toEqual([0, 0]);
    expect([await total(`actor=${known}`), await total(`q=${known}`)]).toEqual([
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(await total(`actor=${known}`)).toBeGreaterThan(0);
    const own = await call("GET", "/v1/audit-logs?page_size=100");
    const organizations = new Set(own.body.items.map((item: { organization_id: string }) => item.organization_id));
    expect([...organizations]).toEqual([owner.organizationId]);
    expect(own.body.total).toBe(own.body.items.length);
    expect((await call("GET", "/v1/admin/audit-export?to=2001-01-01T00:00:00Z")).status).toBe(402);
    await enterEnterprise(at.sql, owner.organizationId);
    const lines = (await call("GET", "/v1/admin/audit-export")).text.trimEnd().split("\n").slice(0, -1);
    expect(lines.length).toBeGreaterThan(5);
    expect(new Set(lines.map((line) => JSON.parse(line).organization_id))).toEqual(new Set([owner.organizationId]));
  });

  test("of an organization gets an export with proof, in which other leaves are hashes", async () => {
    await enterEnterprise(at.sql, owner.organizationId);
    // Earlier records of the shared trail may be edited: a test of another file moves their time.
    const [first] = await at.sql`
      select min(timestamp) as since from audit_logs where organization_id = ${owner.organizationId}`;
    const from = `from=${first?.since.toISOString()}`;
    const provable = `/v1/admin/audit-export?proof=true&${from}`;
    const call = withKey(full.key);
    const found = await call("GET", provable);
    const size = found.headers.get("x-service-audit-tree-size");
    const ask = () => call("GET", `/v1/admin/audit-export/proof?tree_size=${size}&${from}`);
    let proof = await ask();
    await until("the proof", async () => {
      if (proof.status === 429) proof = await ask();
      return proof.status !== 429;
    });
    const { body: discovery } = await call("GET", "/.well-known/openid-configuration");
    const keys = [discovery.service_audit_log.verifier_key];
    const stream = (text: string) => new Blob([text]).stream();
    const evidence = { lines: stream(found.text), proof: stream(proof.text), keys };
    const verdict = await verifyExport({ ...evidence, organizationId: owner.organizationId, treeSize: Number(size) });
    expect(verdict).toMatchObject({ ok: true, organizationId: owner.organizationId });
    expect(proof.text).not.toContain(UNKNOWN);
    const admin = await steppedUpAdmin(at);
    const { key } = await keyOf(admin.client, PLATFORM, ["audit.export"]);
    const exported = await withKey(key)("GET", "/v1/admin/audit-export?proof=true&to=2001-01-01T00:00:00Z");
    expect([exported.status, exported.headers.has("x-service-audit-tree-size")]).toEqual([200, true]);
  });

  test("outlives the membership of its maker, except for invitations: a key belongs to its account (G67)", async () => {
    const [host, maker] = [await steppedUpOwner(at), await steppedUpOwner(at)];
    await insertMember(at.sql, host.organizationId, maker.userId, "admin");
    const made = await keyOf(maker.client, accountsOf(host.organizationId), ["members.list", "members.invite"]);
    const path = `/v1/orgs/${host.organizationId}`;
    expect((await host.client.delete(`${path}/members/${maker.userId}`)).status).toBe(204);
    await disableUser(at.sql, maker.userId);
    const call = withKey(made.key);
    const listed = async () => (await call("GET", `${path}/members`)).status;
    expect(await listed()).toBe(200);
    expect((await call("POST", `${path}/invitations`, { body: { email: newEmail() } })).status).toBe(403);
    // An owner sees the key with the creator, and revokes the key.
    const keys = await host.client.get(`${accountsOf(host.organizationId)}/${made.accountId}/keys`);
    expect(keys.body.items).toMatchObject([{ id: made.id, created_by: maker.userId, revoked_at: null }]);
    await host.client.delete(`${accountsOf(host.organizationId)}/${made.accountId}/keys/${made.id}`);
    await gone(made.key);
  });

  test("that is mistyped, unknown, expired or of a suspended organization is 401", async () => {
    const swapped = `${full.key.slice(0, 20)}${full.key[20] === "a" ? "b" : "a"}${full.key.slice(21)}`;
    expect(isKeyText(swapped)).toBe(false);
    expect(await statusOf(swapped, "/v1/auth/session")).toBe(401);
    const host = await steppedUpOwner(at);
    const keys = await Promise.all(
      [1, 2].map(() => keyOf(host.client, accountsOf(host.organizationId), ["audit.read"])),
    );
    const [expiring, suspended] = keys.map(({ key }) => key) as [string, string];
    await at.sql`update api_keys set expires_at = now() - interval '1 second' where id = ${keys[0]?.id ?? ""}`;
    expect(await statusOf(expiring, "/v1/auth/session")).toBe(401);
    expect(await statusOf(suspended, "/v1/auth/session")).toBe(200);
    const { client } = await steppedUpAdmin(at);
    await client.patch(`/v1/admin/orgs/${host.organizationId}`, { suspended: true });
    await gone(suspended);
    await client.patch(`/v1/admin/orgs/${host.organizationId}`, { suspended: false });
    expect(await statusOf(suspended, "/v1/auth/session")).toBe(200);
  });
});

/** Waits until the two replicas refuse a key. Throws if a replica accepts the key a second after the call. */
async function gone(key: string): Promise<void> {
  const elapsed = stopwatch();
  for (;;) {
    const began = elapsed();
    const statuses = await Promise.all(
      [at.one.url, at.other.url].map((url) => statusOf(key, "/v1/auth/session", {}, url)),
    );
    if (statuses.every((status) => status === 401)) return;
    if (began > 1_000) throw new Error(`the key was accepted ${began} ms after it ended: ${statuses}`);
  }
}

describe("GET /v1/orgs/:org_id/service-accounts/:id/keys", () => {
  test("200: live keys come before any number of ended keys; at most 100", async () => {
    const { id, accountId } = await keyOf(owner.client, accounts, ["members.list"]);
    await at.sql`
      insert into api_keys (id, service_account_id, key_id, key_hash, scopes, allowed_ips, allowed_referrers,
                            expires_at, revoked_at, created_at)
      select gen_random_uuid(), ${accountId}, 'replaced', sha256((${id}::text || n)::bytea), '{}', '{}', '{}',
             now() + interval '1 day', now(), now() + interval '1 second' from generate_series(1, 100) n`;
    const { items } = (await owner.client.get(`${accounts}/${accountId}/keys`)).body;
    expect([items.length, items[0].id]).toEqual([100, id]);
  });
});

describe("DELETE /v1/orgs/:org_id/service-accounts/:id/keys/:key_id, …/:id", () => {
  test("204: a revoked key, and those of a deleted account, are refused everywhere within a second (G55)", async () => {
    for (const end of ["key", "account"]) {
      const { key, id, accountId } = await keyOf(owner.client, accounts, ["members.list"]);
      for (const url of [at.one.url, at.other.url]) expect(await statusOf(key, "/v1/auth/session", {}, url)).toBe(200);
      const keyPath = `/v1/orgs/${owner.organizationId}/service-accounts/${accountId}/keys/${id}`;
      const path = end === "key" ? keyPath : `${accounts}/${accountId}`;
      expect((await owner.client.delete(path)).status).toBe(204);
      await gone(key);
      expect((await owner.client.delete(path)).status).toBe(end === "key" ? 204 : 404);
      const feed = await new Client(at.other.url).get("/.well-known/service-revocations.json");
      expect(feed.body.revocations).toContainEqual(expect.objectContaining({ sid: id, reason: "key_revoked" }));
    }
  });
});

describe("/v1/admin/service-accounts", () => {
  test("keys of the platform read the whole trail and act everywhere; platform admins make them", async () => {
    const admin = await steppedUpAdmin(at);
    const created = await admin.client.post("/v1/admin/service-accounts", { name: "SIEM" });
    const base = `/v1/admin/service-accounts/${created.body.id}/keys`;
    const made = await admin.client.post(base, { scopes: ["audit.read", "audit.export", "members.list"] });
    expect([created.body.organization_id, made.status]).toEqual([null, 201]);
    const call = withKey(made.body.key);
    expect((await call("GET", "/v1/auth/session")).body.user.organization_id).toBe(NIL);
    const read = await call("GET", `/v1/audit-logs?user_id=${owner.userId}`);
    expect(read.body.total).toBeGreaterThan(0);
    expect((await call("GET", "/v1/admin/audit-export?to=2001-01-01T00:00:00Z")).status).toBe(200);
    expect((await call("GET", `/v1/orgs/${owner.organizationId}/members`)).status).toBe(200);
    expect((await admin.client.get(base)).body.items).toHaveLength(1);
    expect((await admin.client.get("/v1/admin/service-accounts")).body.total).toBeGreaterThan(0);
    const revoke = `/v1/admin/service-accounts/${created.body.id}/keys/${made.body.id}`;
    expect((await admin.client.delete(revoke)).status).toBe(204);
    await gone(made.body.key);
    expect((await admin.client.delete(`/v1/admin/service-accounts/${created.body.id}`)).status).toBe(204);
  });
});
