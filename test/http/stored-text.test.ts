/** Text that PostgreSQL cannot store, and ambiguous JSON: every endpoint responds with 400, never with 500. */
import { beforeAll, describe, expect, test } from "bun:test";
import { parseObject } from "../../src/http/input/json-body.ts";
import { validatePublicConfig } from "../../src/models/provider-config/provider.ts";
import { type Client, newEmail, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = (await steppedUpAdmin(at)).client;
});

const put = (provider: string, fields: object) =>
  admin.put(`/v1/admin/integrations/${provider}`, { enabled: false, ...fields });

describe("public_config", () => {
  test("null is no JSON object: 400, and what is stored stays; absent is an empty one", async () => {
    expect((await put("oauth_idp_c", { public_config: { client_id: "kept" } })).status).toBe(200);
    const response = await put("oauth_idp_c", { public_config: null });
    expect([response.status, response.body.error.code]).toEqual([400, "invalid_input"]);
    const [row] = await at.sql`select public_config from provider_configs where provider = 'oauth_idp_c'`;
    expect(row?.public_config).toEqual({ client_id: "kept" });
    expect((await put("oauth_idp_c", {})).body.public_config).toEqual({});
  });

  test.each([
    ["a lone surrogate", { client_id: "a\ud800b" }],
    ["a lone low surrogate", { client_id: "\udc00" }],
    ["a lone surrogate in a member that is not kept", { other: "\ud800" }],
    ["a lone surrogate far below", { other: [{ deep: ["\udfff\ud800"] }] }],
    ["a lone surrogate as a name", { "\ud800": 1 }],
    ["a NUL", { client_id: "a\u0000b" }],
    ["a NUL in a member that is not kept", { other: { deep: "\u0000" } }],
    ["a NUL as a name", { "a\u0000": 1 }],
  ])("with %s is 400", async (_, publicConfig) => {
    const response = await put("oauth_idp_a", { public_config: publicConfig });
    expect([response.status, response.body.error.code]).toEqual([400, "invalid_input"]);
    expect(validatePublicConfig("oauth_idp_a", false, publicConfig).ok).toBe(false);
  });
});

describe("an unpaired surrogate (RFC 7493, section 2.1)", () => {
  test("anywhere in a body is 400", async () => {
    const { client, organizationId } = await registered(at.one.url);
    const bad = "x\ud83dy";
    for (const response of [
      await client.patch("/v1/users/me", { display_name: bad }),
      await client.post(`/v1/orgs/${organizationId}/invitations`, { email: newEmail(), role: "member", [bad]: 1 }),
      await client.post("/v1/auth/login", { email: newEmail(), password: bad }),
      await admin.put("/v1/admin/feature-flags", { key: "x", enabled: true, description: bad }),
      await admin.patch(`/v1/admin/orgs/${organizationId}`, { name: bad }),
      await put("oauth_idp_d", { secret: bad }),
    ]) {
      expect([response.status, response.body.error.code]).toEqual([400, "invalid_input"]);
    }
  });

  test("is told from a pair, and from the text of an escape", () => {
    expect(parseObject('{"a":"\\ud83d\\ude00"}')).toEqual({ ok: true, value: { a: "😀" } });
    expect(parseObject('{"a":"\\\\ud83d"}')).toEqual({ ok: true, value: { a: "\\ud83d" } });
    for (const text of ['{"a":"\\ud83d"}', '{"\\uDE00":1}', '{"a":["\\ude00\\ud83d"]}', '{"a":"\\uD83Dx\\uDE00"}']) {
      expect(parseObject(text).ok).toBe(false);
    }
  });
});

describe("what else a client may say", () => {
  test("is stored or refused, never 500: descriptions, terms, tokens and headers", async () => {
    const { client } = await registered(at.one.url);
    const headers = { "user-agent": `${"x".repeat(511)}é\u00ff`, "accept-language": "x-\u00ff" };
    expect((await client.post("/v1/auth/trusted-browsers", {}, { headers })).status).toBe(201);
    const flag = { key: "stored-text", enabled: false, description: "a\u0000" };
    expect((await admin.put("/v1/admin/feature-flags", flag)).status).toBe(400);
    for (const path of [
      "/v1/admin/orgs?q=%00",
      "/v1/admin/users?q=%00",
      "/v1/audit-logs?action=%00",
      "/v1/auth/invitations/preview?token=%00",
      "/v1/auth/oauth/oauth_idp_a/start?redirect_to=/%00",
    ]) {
      expect((await admin.get(path)).status).toBeWithin(400, 500);
    }
    for (const path of ["/v1/admin/orgs?q=%ed%a0%80", "/v1/audit-logs?action=%ff"]) {
      expect((await admin.get(path)).status).toBe(200);
    }
  });
});

describe("a search term", () => {
  test("is trimmed, and a blank one lists all: organizations, users and members", async () => {
    const mark = `t${Math.random().toString(36).slice(2)}`;
    const person = await registered(at.one.url, { organization_name: `Org ${mark}`, display_name: `Ann ${mark}` });
    const { client: viewer } = await platformUser(at, "viewer");
    const lists: [Client, string][] = [
      [viewer, "/v1/admin/orgs"],
      [viewer, "/v1/admin/users"],
      [person.client, `/v1/orgs/${person.organizationId}/members`],
    ];
    for (const [client, path] of lists) {
      const total = async (q: string) => (await client.get(`${path}?q=${encodeURIComponent(q)}`)).body.total;
      expect([path, await total(` \t${mark} `)]).toEqual([path, 1]);
      expect([path, await total(mark), await total(`${mark} x`)]).toEqual([path, 1, 0]);
      const all = (await client.get(path)).body.total;
      for (const blank of ["", " ", "\t\n", "\u00a0"]) expect([path, await total(blank)]).toEqual([path, all]);
    }
  });
});

describe("PUT /v1/admin/feature-flags", () => {
  test("keeps what is not given, of the two lists each; the default of 100 holds at creation alone", async () => {
    const key = `f${Math.random().toString(36).slice(2)}`;
    const [on, off] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
    const write = async (fields: object) =>
      (await admin.put("/v1/admin/feature-flags", { key, enabled: true, ...fields })).body;
    expect(await write({})).toMatchObject({ rollout_percent: 100, organizations: { on: [], off: [] } });
    await write({ rollout_percent: 7, description: "d", organizations: { on: [on], off: [off] } });
    const kept = { rollout_percent: 7, description: "d", organizations: { on: [on], off: [off] } };
    expect(await write({})).toMatchObject(kept);
    expect(await write({ rollout_percent: null, description: null, organizations: null })).toMatchObject(kept);
    expect(await write({ organizations: {} })).toMatchObject(kept);
    expect(await write({ organizations: { on: [] } })).toMatchObject({ organizations: { on: [], off: [off] } });
    expect(await write({ organizations: { off: [] } })).toMatchObject({ organizations: { on: [], off: [] } });
  });
});
