import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { accountsOf, keyOf, type MadeKey, steppedUpOwner } from "../support/service-accounts.ts";
import { memberWith } from "../support/team.ts";
import { until } from "../support/waiting.ts";

const PLATFORM = "/v1/admin/service-accounts";
const PASSWORD = "correct horse battery staple 9";

let at: Deployment;
let platform: Awaited<ReturnType<typeof steppedUpAdmin>>;
let owner: Awaited<ReturnType<typeof steppedUpOwner>>;
beforeAll(async () => {
  at = await deployment();
  platform = await steppedUpAdmin(at, "owner");
  owner = await steppedUpOwner(at);
});

const as = (key: string, url = at.other.url) => {
  const client = new Client(url);
  return (method: string, path: string, body?: object) =>
    client.request(method, path, { bearer: key, ...(body ? { body } : {}) });
};
const platformKey = (scopes: readonly string[], fields = {}) => keyOf(platform.client, PLATFORM, scopes, fields);
const ownKey = (scopes: readonly string[], fields = {}) =>
  keyOf(owner.client, accountsOf(owner.organizationId), scopes, fields);
const isEnded = async ({ key }: Pick<MadeKey, "key">) => (await as(key)("GET", "/v1/auth/session")).status === 401;

describe("a program of the platform", () => {
  test("creates an organization, reads users, and acts in the organization at both paths (G476).", async () => {
    const { key } = await platformKey([
      "organizations.write",
      "users.read",
      "members.list",
      "members.role",
      "members.invite",
    ]);
    const call = as(key);
    const created = await call("POST", "/v1/admin/orgs", {
      organization_name: "Made by a program",
      owner_email: newEmail(),
      owner_password: PASSWORD,
    });
    expect(created.status).toBe(201);
    const id = created.body.organization_id;
    expect((await call("GET", `/v1/orgs/${id}/members`)).body.total).toBe(1);
    expect((await call("GET", `/v1/admin/orgs/${id}/members`)).body.total).toBe(1);
    expect((await call("GET", "/v1/admin/users?page_size=1")).status).toBe(200);
    expect((await call("GET", `/v1/users/${created.body.owner_user_id}`)).status).toBe(200);
    const [record] = await at.sql`
      select actor_type from audit_logs where action = 'organization.created' and organization_id = ${id}`;
    expect(record?.actor_type).toBe("api_key");
  });

  test("grants and withdraws the role owner with organizations.write alone (G476).", async () => {
    const host = await registered(at.one.url);
    const member = await memberWith(at, host.organizationId, "member");
    const path = `/v1/orgs/${host.organizationId}/members/${member.userId}`;
    const limited = as((await platformKey(["members.role", "members.invite"])).key);
    expect((await limited("PATCH", path, { role: "owner" })).status).toBe(403);
    expect((await limited("PATCH", path, { role: "admin" })).status).toBe(200);
    const full = as((await platformKey(["members.role", "organizations.write"])).key);
    expect((await full("PATCH", path, { role: "owner" })).status).toBe(200);
    expect((await full("PATCH", path, { role: "member" })).status).toBe(200);
    const host_ = `/v1/orgs/${host.organizationId}/members/${host.userId}`;
    expect((await full("PATCH", host_, { role: "member" })).status).toBe(409);
  });

  test("with a list of organizations finds these alone, with their records (G476).", async () => {
    const [host, other] = [await registered(at.one.url), await registered(at.one.url)];
    const fields = { organizations: [host.organizationId.toUpperCase()] };
    const scopes = ["organizations.read", "organizations.write", "members.list", "audit.read"];
    const call = as((await platformKey(scopes, fields)).key);
    const listed = await call("GET", "/v1/admin/orgs");
    expect(listed.body.items.map(({ id }: { id: string }) => id)).toEqual([host.organizationId]);
    for (const path of [`/v1/orgs/${other.organizationId}/members`, `/v1/admin/orgs/${other.organizationId}/members`]) {
      expect((await call("GET", path)).status).toBe(404);
    }
    expect((await call("GET", `/v1/orgs/${host.organizationId}/members`)).status).toBe(200);
    expect((await call("PATCH", `/v1/admin/orgs/${other.organizationId}`, { name: "Taken" })).status).toBe(404);
    expect(
      (
        await call("POST", "/v1/admin/orgs", {
          organization_name: "New",
          owner_email: newEmail(),
          owner_password: PASSWORD,
        })
      ).status,
    ).toBe(403);
    const records = (await call("GET", "/v1/audit-logs?page_size=100")).body.items;
    expect(records.length).toBeGreaterThan(0);
    expect(new Set(records.map((record: { organization_id: string }) => record.organization_id))).toEqual(
      new Set([host.organizationId]),
    );
    expect((await call("GET", `/v1/audit-logs?organization_id=${other.organizationId}`)).body.total ?? 0).toBe(0);
  });

  test("400 for scopes that the kind of account or a list of organizations cannot have (G476).", async () => {
    const account = (await platform.client.post(PLATFORM, { name: "Program" })).body;
    const keys = `${PLATFORM}/${account.id}/keys`;
    for (const body of [
      { scopes: ["scim.write"] },
      { scopes: ["users.read"], organizations: [] },
      { scopes: ["audit.export"], organizations: [owner.organizationId] },
      { scopes: ["ssf.read"], organizations: [owner.organizationId] },
      { scopes: ["support.grant"] },
    ]) {
      expect([body, (await platform.client.post(keys, body)).status]).toEqual([body, 400]);
    }
    const own = `${accountsOf(owner.organizationId)}/${(await ownKey(["members.list"])).accountId}/keys`;
    expect((await owner.client.post(own, { scopes: ["users.read"] })).status).toBe(400);
    expect((await owner.client.post(own, { scopes: ["members.list"], organizations: [] })).status).toBe(400);
  });
});

describe("no widening (G478)", () => {
  test("A program creates keys within its scopes, addresses and lifetime.", async () => {
    const own = await ownKey(["machines.manage", "members.list"], {
      allowed_ips: ["127.0.0.0/8", "::1"],
      expires_in_days: 10,
    });
    const call = as(own.key);
    const keys = `${accountsOf(owner.organizationId)}/${(await ownKey(["members.list"])).accountId}/keys`;
    const beyond = await call("POST", keys, { scopes: ["members.list", "audit.read"] });
    expect([beyond.status, beyond.body.error.message.includes("audit.read")]).toEqual([403, true]);
    for (const range of ["0.0.0.0/0", "126.0.0.0/7", "192.0.2.1"]) {
      const wide = await call("POST", keys, { scopes: ["members.list"], allowed_ips: [range] });
      expect([range, wide.status]).toEqual([range, 403]);
    }
    const made = await call("POST", keys, { scopes: ["members.list"], expires_in_days: 300 });
    expect([made.status, made.body.allowed_ips]).toEqual([201, ["127.0.0.0/8", "::1/128"]]);
    const [creator] = await at.sql`select expires_at from api_keys where id = ${own.id}`;
    expect(new Date(made.body.expires_at).getTime()).toBe(creator?.expires_at.getTime());
    expect((await as(made.body.key)("GET", `/v1/orgs/${owner.organizationId}/members`)).status).toBe(200);
  });

  test("users.credentials is given by a platform owner alone: no admin, and no program with the scope.", async () => {
    const admin = await steppedUpAdmin(at, "admin");
    const account = (await admin.client.post(PLATFORM, { name: "Program" })).body;
    const keys = `${PLATFORM}/${account.id}/keys`;
    expect((await admin.client.post(keys, { scopes: ["users.credentials"] })).status).toBe(403);
    expect((await admin.client.post(keys, { scopes: ["users.write"] })).status).toBe(201);
    const { key } = await platformKey(["service_accounts.write", "users.credentials", "users.write"]);
    expect((await as(key)("POST", keys, { scopes: ["users.credentials"] })).status).toBe(403);
    expect((await as(key)("POST", keys, { scopes: ["users.write"] })).status).toBe(201);
  });

  test("The end of a key ends what the key created, recursively and on every replica.", async () => {
    const first = await platformKey(["service_accounts.write"]);
    const second = await nextKey(first);
    const third = await nextKey(second);
    expect(await isEnded(third)).toBe(false);
    await platform.client.delete(`${PLATFORM}/${first.accountId}/keys/${first.id}`);
    for (const each of [first, second, third]) await until("the key ends", () => isEnded(each));
    const records = await at.sql`
      select metadata->>'reason' as reason from audit_logs
      where action = 'api_key.revoked' and resource_id = any(${[second.id, third.id]})`;
    expect(records.map(({ reason }) => reason)).toEqual(["creator_ended", "creator_ended"]);
  });

  test("The deletion of the account of a key ends what the key created.", async () => {
    const first = await platformKey(["service_accounts.write"]);
    const second = await nextKey(first);
    await platform.client.delete(`${PLATFORM}/${first.accountId}`);
    await until("the key ends", () => isEnded(second));
  });

  test("Forty creations beside the revocation of the creator leave no live key.", async () => {
    const first = await platformKey(["service_accounts.write"]);
    const accounts = await Promise.all(
      Array.from({ length: 10 }, async () => (await as(first.key)("POST", PLATFORM, { name: "Child" })).body.id),
    );
    const create = (id: string, url: string) =>
      as(first.key, url)("POST", `${PLATFORM}/${id}/keys`, { scopes: ["service_accounts.read"] });
    const racing = accounts.flatMap((id) => [create(id, at.one.url), create(id, at.other.url)]);
    const revoked = platform.client.delete(`${PLATFORM}/${first.accountId}/keys/${first.id}`);
    await Promise.all([...racing, revoked]);
    const live = await at.sql`
      select id from api_keys where created_by_credential = ${first.id} and revoked_at is null`;
    expect([...live]).toEqual([]);
  });

  test("The identifiers of this API are not registered as APIs.", async () => {
    const origin = new URL(at.one.url);
    for (const end of ["", "/", "/v1", "/v1/"]) {
      const issuer = (await new Client(at.one.url).get("/.well-known/openid-configuration")).body.issuer as string;
      const body = { identifier: `${issuer}${end}`, name: "Own", scopes: [] };
      const made = await platform.client.post("/v1/admin/resources", body);
      expect([origin.protocol, end, made.status]).toEqual([origin.protocol, end, 409]);
    }
  });
});

describe("keys of the former release (G479)", () => {
  test("reach the former endpoints as before and nothing more, as keys of an older replica do.", async () => {
    const { key, id } = await ownKey(["members.list", "members.remove", "audit.read"]);
    await at.sql`update api_keys set permissions = null where id = ${id}`;
    const { id: replaced } = await platformKey(["audit.read", "members.list"]);
    expect(replaced).toBeString();
    const call = as(key, at.one.url);
    const base = `/v1/orgs/${owner.organizationId}`;
    expect((await call("GET", `${base}/members`)).status).toBe(200);
    expect((await call("GET", "/v1/audit-logs")).status).toBe(200);
    for (const path of ["/sessions", "/groups", "/roles", "/policies"]) {
      expect([path, (await call("GET", `${base}${path}`)).status]).toEqual([path, 403]);
    }
  });

  test("A key with a list of organizations has no scope for a replica of the former release.", async () => {
    const { id } = await platformKey(["audit.read"], { organizations: [owner.organizationId] });
    const [row] = await at.sql`select scopes, permissions from api_keys where id = ${id}`;
    expect(row).toEqual({ scopes: [], permissions: ["audit.read"] });
  });
});

async function nextKey({ key }: Pick<MadeKey, "key">): Promise<MadeKey> {
  const call = as(key);
  const accountId = (await call("POST", PLATFORM, { name: "Child" })).body.id as string;
  const made = await call("POST", `${PLATFORM}/${accountId}/keys`, { scopes: ["service_accounts.write"] });
  expect(made.status).toBe(201);
  return { accountId, id: made.body.id, key: made.body.key };
}
