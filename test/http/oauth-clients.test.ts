/** Administration of applications, and the consents of users. */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt, exportJWK, generateKeyPair } from "jose";
import { CLIENT_MISSES_PER_NETWORK_MAX } from "../../src/limits/oauth-limits.ts";
import { refusalsOf } from "../support/bound-refusals.ts";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import {
  authorizePath,
  basic,
  CALLBACK,
  introspectAt,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  refreshAt,
  registerClient,
  sendForm,
  tokensFor,
} from "../support/oauth.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { startReplica } from "../support/replica.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { eventually } from "../support/waiting.ts";

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
});

const PATH = "/v1/admin/oauth-clients";
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const SETTINGS = { name: "Wiki", token_endpoint_auth_method: "client_secret_basic", redirect_uris: [CALLBACK] };

describe("POST /v1/admin/oauth-clients", () => {
  test("an application registered at one replica is known to the other at once (G272)", async () => {
    const created = await admin.post(PATH, { ...SETTINGS, audiences: ["https://at-once.example.test/"] });
    const { client_id: id, client_secret: secret } = created.body;
    const answers = await race(() => introspectAt(at.other.url, { id, secret, redirectUri: "" }, "unknown"), 40);
    expect(answers.filter(({ status, body }) => status !== 200 || body.active !== false)).toEqual([]);
  });

  test("a network that sends ten unknown applications in a minute waits with the next (G272)", async () => {
    const replica = await startReplica({ DATABASE_URL: at.databaseUrl });
    const askUnknown = () => introspectAt(replica.url, { id: UNKNOWN, secret: "x", redirectUri: "" }, "x");
    const unknown = await askUnknown();
    expect([unknown.status, unknown.body.error]).toEqual([401, "invalid_client"]);
    await race(askUnknown, CLIENT_MISSES_PER_NETWORK_MAX);
    // Applications forget a registration after `invalid_client`.
    const unread = await askUnknown();
    expect([unread.status, unread.body.error]).toEqual([429, "temporarily_unavailable"]);
    expect(Number(unread.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refusalsOf("client_misses", replica.url)).toBeGreaterThan(0);
    await replica.stop();
  });

  test("201: returns the application and its secret, this once; what is stored is a hash", async () => {
    const created = await admin.post(PATH, SETTINGS);
    expect(created.status).toBe(201);
    const { client_secret, ...shown } = created.body;
    expect(client_secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(shown).toMatchObject({
      application_type: "web",
      subject_type: "public",
      first_party: false,
      disabled: false,
    });
    const [row] = await at.sql`select secret_hash from oauth_client_secrets where client_id = ${shown.client_id}`;
    expect(row?.secret_hash).toHaveLength(32);
    const [listed] = (await admin.get(PATH)).body.items;
    expect(listed).toEqual(shown);
    const audited = await at.sql`
      select action, metadata from audit_logs
      where resource_id = ${shown.client_id} and resource_type = 'oauth_client'`;
    expect(audited.map(({ action, metadata }) => ({ action, metadata }))).toEqual([
      { action: "oauth.client.created", metadata: {} },
    ]);
  });

  const invalid: [string, Record<string, unknown>][] = [
    ["a redirect URI with a fragment", { redirect_uris: [`${CALLBACK}#x`] }],
    ["http to another machine", { redirect_uris: ["http://app.example.test/callback"] }],
    ["a scheme of its own for a web application", { redirect_uris: ["com.example.app:/callback"] }],
    ["a script", { redirect_uris: ["javascript:alert(1)"], application_type: "native" }],
    ["a redirect URI with user information", { redirect_uris: ["https://user@app.example.test/"] }],
    ["a relative redirect URI", { redirect_uris: ["/callback"] }],
    ["a redirect URI twice", { redirect_uris: [CALLBACK, CALLBACK] }],
    ["no redirect URI for codes", { redirect_uris: [] }],
    [
      "more than twenty redirect URIs",
      { redirect_uris: Array.from({ length: 21 }, (_, index) => `${CALLBACK}/${index}`) },
    ],
    ["a logout endpoint without TLS", { backchannel_logout_uri: "http://app.example.test/" }],
    ["a scope with a space", { scopes: ["a b"] }],
    ["a private key", { token_endpoint_auth_method: "private_key_jwt", keys: [{ kty: "EC", d: "x" }] }],
    ["a shared key", { token_endpoint_auth_method: "private_key_jwt", keys: [{ kty: "oct", k: "x" }] }],
    ["private_key_jwt without a key", { token_endpoint_auth_method: "private_key_jwt" }],
    [
      "a public client with tokens of its own",
      { token_endpoint_auth_method: "none", grant_types: ["client_credentials"], redirect_uris: [] },
    ],
    ["pairwise subjects without a sector", { subject_type: "pairwise" }],
    ["a sector that redirect URIs are not in", { subject_type: "pairwise", sector: "example.com" }],
    ["an unknown grant", { grant_types: ["password"] }],
    ["a name with a link", { name: "see https://attacker.example.test" }],
  ];
  test.each(invalid)("400: refuses %s, and changes nothing", async (_, settings) => {
    const before = (await admin.get(PATH)).body.total;
    const response = await admin.post(PATH, { ...SETTINGS, ...settings });
    expect([response.status, response.body.error?.code]).toEqual([400, "invalid_input"]);
    expect((await admin.get(PATH)).body.total).toBe(before);
  });

  test("401, 403: requires a platform administrator with a recent second factor; a viewer may list", async () => {
    expect((await new Client(at.one.url).post(PATH, SETTINGS)).status).toBe(401);
    const { client } = await registered(at.one.url);
    expect([(await client.get(PATH)).status, (await client.post(PATH, SETTINGS)).status]).toEqual([403, 403]);
    const viewer = await platformUser(at, "viewer");
    expect([(await viewer.client.get(PATH)).status, (await viewer.client.post(PATH, SETTINGS)).status]).toEqual([
      200, 403,
    ]);
    const weak = await platformUser(at, "admin");
    expect((await weak.client.post(PATH, SETTINGS)).body.error.code).toBe("mfa_required");
    const { client: strong } = await steppedUpAdmin(at);
    expect((await strong.post(PATH, SETTINGS)).status).toBe(201);
  });
});

describe("PATCH and DELETE /v1/admin/oauth-clients/:id", () => {
  test("200: absent members keep their values, null clears, and the other replica knows", async () => {
    const client = await registerClient({ logo_url: "https://app.example.test/logo.svg" });
    const changed = await admin.patch(`${PATH}/${client.id}`, { logo_url: null, redirect_uris: [`${CALLBACK}/new`] });
    expect(changed.body).toMatchObject({ logo_url: null, name: "Wiki", redirect_uris: [`${CALLBACK}/new`] });
    const moved = { ...client, redirectUri: `${CALLBACK}/new` };
    await eventually("the other replica knows", 6_000, async () => {
      const response = await new Client(at.other.url).get(authorizePath(moved, makePkce().challenge), {
        documented: false,
      });
      return response.status === 303;
    });
    expect((await admin.patch(`${PATH}/${client.id}`, { redirect_uris: ["nothing"] })).status).toBe(400);
    expect((await admin.patch(`${PATH}/${UNKNOWN}`, { name: "x" })).status).toBe(404);
  });

  test("204: a deleted application ends with all codes, tokens and consents", async () => {
    const client = await registerClient();
    const api = await registerClient({ audiences: ["https://api.example.test/"] });
    const { browser, userId } = await personWithBrowser();
    const { access_token } = await tokensFor(client, browser, { resource: "https://api.example.test/" });
    expect((await introspectAt(at.one.url, api, access_token)).body.active).toBe(true);
    expect((await admin.delete(`${PATH}/${client.id}`)).status).toBe(204);
    expect((await introspectAt(at.one.url, api, access_token)).body.active).toBe(false);
    await eventually("the other replica knows", 6_000, async () => {
      return !(await introspectAt(at.other.url, api, access_token)).body.active;
    });
    expect(await at.sql`select 1 from oauth_grants where user_id = ${userId}`).toHaveLength(0);
    expect((await admin.delete(`${PATH}/${client.id}`)).status).toBe(404);
  });
});

describe("PATCH /v1/admin/oauth-clients/:id, settings of the authentication and of the subject", () => {
  const read = async (id: string) =>
    (await admin.get(PATH)).body.items.find((each: { client_id: string }) => each.client_id === id);
  const keyOf = async () => exportJWK((await generateKeyPair("ES256")).publicKey);

  test("to a method without a secret deletes the secrets, and to a secret returns the first one, once", async () => {
    const client = await registerClient();
    const path = `${PATH}/${client.id}`;
    const open = await admin.patch(path, { token_endpoint_auth_method: "none" });
    expect(open.body).toMatchObject({ token_endpoint_auth_method: "none", secrets: [] });
    expect(open.body).not.toHaveProperty("client_secret");
    expect(await at.sql`select 1 from oauth_client_secrets where client_id = ${client.id}`).toHaveLength(0);
    expect((await introspectAt(at.one.url, client, "x")).status).toBe(401);
    const changes = await race(() => admin.patch(path, { token_endpoint_auth_method: "client_secret_post" }), 8);
    const secrets = changes.flatMap(({ body }) => body.client_secret ?? []);
    expect([changes.map(({ status }) => status), secrets.length]).toEqual([Array(8).fill(200), 1]);
    expect((await introspectAt(at.one.url, { ...client, secret: secrets[0] }, "x")).status).toBe(200);
    const other = await admin.patch(path, { token_endpoint_auth_method: "client_secret_basic" });
    expect([other.body.client_secret, other.body.secrets.length]).toEqual([undefined, 1]);
    expect((await introspectAt(at.one.url, { ...client, secret: secrets[0] }, "x")).status).toBe(200);
    await eventually("the other replica knows", 6_000, async () => {
      return (await introspectAt(at.other.url, { ...client, secret: secrets[0] }, "x")).status === 200;
    });
  });

  test("to and from private_key_jwt, with the keys", async () => {
    const client = await registerClient();
    const path = `${PATH}/${client.id}`;
    const without = await admin.patch(path, { token_endpoint_auth_method: "private_key_jwt" });
    expect([without.status, without.body.error.fields[0].field]).toEqual([400, "keys"]);
    expect((await read(client.id)).secrets).toHaveLength(1);
    const keys = [await keyOf()];
    const signing = await admin.patch(path, { token_endpoint_auth_method: "private_key_jwt", keys });
    expect(signing.body).toMatchObject({ token_endpoint_auth_method: "private_key_jwt", keys, secrets: [] });
    const kept = await admin.patch(path, { token_endpoint_auth_method: "client_secret_basic", keys });
    expect([kept.status, kept.body.error.fields[0].field]).toEqual([400, "keys"]);
    const back = await admin.patch(path, { token_endpoint_auth_method: "client_secret_basic" });
    expect([back.body.keys, back.body.client_secret]).toEqual([[], expect.any(String)]);
  });

  test("a public client has no grant without a user, and a change to such a grant is refused", async () => {
    const robot = await registerClient({ grant_types: ["client_credentials"], redirect_uris: [] });
    const refused = await admin.patch(`${PATH}/${robot.id}`, { token_endpoint_auth_method: "none" });
    expect([refused.status, refused.body.error.fields[0].field]).toEqual([400, "grant_types"]);
    expect((await introspectAt(at.one.url, robot, "x")).status).toBe(200);
  });

  test("another subject_type applies to new authorizations; earlier tokens keep their subject", async () => {
    const client = await registerClient();
    const path = `${PATH}/${client.id}`;
    const { browser, userId } = await personWithBrowser();
    const before = await tokensFor(client, browser);
    const pairwise = { subject_type: "pairwise", sector: "example.test" };
    expect((await admin.patch(path, { subject_type: "pairwise" })).body.error.fields[0].field).toBe("sector");
    expect((await admin.patch(path, pairwise)).body).toMatchObject(pairwise);
    const subject = decodeJwt((await tokensFor(client, browser)).id_token).sub;
    const refreshed = (await refreshAt(at.one.url, client, before.refresh_token)).body;
    expect([subject === userId, decodeJwt(refreshed.id_token).sub]).toEqual([false, userId]);
    expect((await admin.patch(path, { subject_type: "public" })).body).toMatchObject({
      subject_type: "public",
      sector: null,
    });
    expect(decodeJwt((await tokensFor(client, browser)).id_token).sub).toBe(userId);
  });

  test("another application_type validates the redirect URIs of the client again", async () => {
    const redirect_uris = ["com.example.app:/callback"];
    const client = await registerClient({ application_type: "native", redirect_uris });
    const refused = await admin.patch(`${PATH}/${client.id}`, { application_type: "web" });
    expect([refused.status, refused.body.error.fields[0].field]).toEqual([400, "redirect_uris"]);
    const change = { application_type: "web", redirect_uris: [CALLBACK] };
    expect((await admin.patch(`${PATH}/${client.id}`, change)).body).toMatchObject(change);
  });

  test("the audit trail names the changed members, and no value", async () => {
    const client = await registerClient();
    const change = { name: "Wiki", token_endpoint_auth_method: "none", policy_uri: "https://app.example.test/privacy" };
    await admin.patch(`${PATH}/${client.id}`, change);
    const [entry] = await at.sql`
      select metadata from audit_logs where action = 'oauth.client.updated' and resource_id = ${client.id}`;
    expect(entry?.metadata).toEqual({ fields: "policy_uri token_endpoint_auth_method" });
  });
});

describe("POST and DELETE /v1/admin/oauth-clients/:id/secrets", () => {
  test("201, 204, 409: two are valid at a time, so that one is replaced without a gap", async () => {
    const client = await registerClient();
    const added = await admin.post(`/v1/admin/oauth-clients/${client.id}/secrets`);
    expect(added.status).toBe(201);
    const renewed = { ...client, secret: added.body.client_secret };
    for (const each of [client, renewed]) expect((await introspectAt(at.one.url, each, "x")).status).toBe(200);
    expect((await admin.post(`/v1/admin/oauth-clients/${client.id}/secrets`)).status).toBe(409);
    const [old] = added.body.secrets;
    expect((await admin.delete(`/v1/admin/oauth-clients/${client.id}/secrets/${old.id}`)).status).toBe(204);
    expect((await introspectAt(at.one.url, client, "x")).status).toBe(401);
    expect((await introspectAt(at.one.url, renewed, "x")).status).toBe(200);
    expect((await admin.delete(`/v1/admin/oauth-clients/${client.id}/secrets/${old.id}`)).status).toBe(404);
    const open = await registerClient({ token_endpoint_auth_method: "none" });
    expect((await admin.post(`/v1/admin/oauth-clients/${open.id}/secrets`)).status).toBe(409);
  });
});

describe("API keys with oauth_clients.read and oauth_clients.write", () => {
  const PLATFORM = "/v1/admin/service-accounts";

  /** Returns a function that sends requests with a key of the platform. */
  async function keyWith(...scopes: string[]) {
    const { key, id } = await keyOf(admin, PLATFORM, scopes);
    const client = new Client(at.one.url);
    const send = (method: string, path: string, body?: object) =>
      client.request(method, path, { bearer: key, ...(body ? { body } : {}) });
    return { send, id };
  }

  type Sender = Awaited<ReturnType<typeof keyWith>>["send"];

  /** Returns the statuses of every endpoint, for a third-party application and the first secret of the application. */
  async function statusesOf(send: Sender): Promise<Record<string, number>> {
    const { id } = await registerClient({ first_party: false });
    const [listed] = (await admin.get(PATH)).body.items;
    const status = async (method: string, path: string, body?: object) => (await send(method, path, body)).status;
    return {
      list: await status("GET", PATH),
      create: await status("POST", PATH, SETTINGS),
      change: await status("PATCH", `${PATH}/${id}`, { name: "Renamed" }),
      addSecret: await status("POST", `/v1/admin/oauth-clients/${id}/secrets`),
      deleteSecret: await status("DELETE", `/v1/admin/oauth-clients/${id}/secrets/${listed.secrets[0].id}`),
      remove: await status("DELETE", `${PATH}/${id}`),
    };
  }
  const REFUSED = { list: 403, create: 403, change: 403, addSecret: 403, deleteSecret: 403, remove: 403 };

  test("each scope reaches the endpoints of the scope, without a step-up, and no further endpoint (G111)", async () => {
    expect(await statusesOf((await keyWith("oauth_clients.read")).send)).toEqual({ ...REFUSED, list: 200 });
    expect(await statusesOf((await keyWith("oauth_clients.write")).send)).toEqual({
      ...{ list: 403, create: 201, change: 200 },
      ...{ addSecret: 201, deleteSecret: 204, remove: 204 },
    });
    expect(await statusesOf((await keyWith("audit.read", "members.list")).send)).toEqual(REFUSED);
  });

  test("a new key of an organization has none of the scopes, and an older key is refused (G111, G315)", async () => {
    const owner = await steppedUpOwner(at);
    const scopes = ["oauth_clients.read", "oauth_clients.write"];
    const accounts = accountsOf(owner.organizationId);
    const { key, id, accountId } = await keyOf(owner.client, accounts, ["members.list"]);
    const refused = await owner.client.post(`${accounts}/${accountId}/keys`, { scopes: ["members.list", ...scopes] });
    expect([refused.status, refused.body.error.fields[0].field]).toEqual([400, "scopes"]);
    await at.sql`update api_keys set scopes = ${scopes}, permissions = null where id = ${id}`;
    const client = new Client(at.one.url);
    const send: Sender = (method, path, body) =>
      client.request(method, path, { bearer: key, ...(body ? { body } : {}) });
    expect(await statusesOf(send)).toEqual(REFUSED);
    const { body } = await send("GET", PATH);
    expect(body.error).toMatchObject({ code: "forbidden", message: expect.stringContaining("platform") });
  });

  test("the key is the actor of the audit record", async () => {
    const { send, id } = await keyWith("oauth_clients.write");
    const { client_id } = (await send("POST", PATH, SETTINGS)).body;
    await send("PATCH", `${PATH}/${client_id}`, { name: "Renamed" });
    await send("DELETE", `${PATH}/${client_id}`);
    const records = await at.sql`
      select action, actor_type, actor_id, organization_id from audit_logs
      where resource_id = ${client_id} order by id`;
    const actor = { actor_type: "api_key", actor_id: id, organization_id: null };
    expect([...records]).toEqual([
      { action: "oauth.client.created", ...actor },
      { action: "oauth.client.updated", ...actor },
      { action: "oauth.client.updated", ...actor },
      { action: "oauth.client.deleted", ...actor },
    ]);
  });

  test("403: a key neither registers, changes nor deletes a first-party application (G111)", async () => {
    const { send } = await keyWith("oauth_clients.write", "oauth_clients.read");
    const { id } = await registerClient({ first_party: true });
    const third = await registerClient({ first_party: false });
    const before = (await admin.get(`${PATH}?page_size=100`)).body;
    const own = before.items.find((each: { client_id: string }) => each.client_id === id);
    const calls: [string, string, object?][] = [
      ["POST", PATH, { ...SETTINGS, first_party: true }],
      ["PATCH", `${PATH}/${third.id}`, { first_party: true }],
      ["PATCH", `${PATH}/${id}`, { redirect_uris: ["https://attacker.example.test/"] }],
      ["PATCH", `${PATH}/${id}`, { first_party: false }],
      ["PATCH", `${PATH}/${id}`, { disabled: true }],
      ["POST", `${PATH}/${id}/secrets`],
      ["DELETE", `${PATH}/${id}/secrets/${own.secrets[0].id}`],
      ["DELETE", `${PATH}/${id}`],
    ];
    for (const [method, path, body] of calls) {
      const response = await send(method, path, body);
      expect([method, path, response.status, response.body.error.code]).toEqual([method, path, 403, "forbidden"]);
    }
    expect((await admin.get(`${PATH}?page_size=100`)).body).toEqual(before);
  });
});

describe("GET and DELETE /v1/users/me/grants", () => {
  test("200: returns the consents of the caller, and of no other user", async () => {
    const client = await registerClient();
    const { browser, client: person } = await personWithBrowser();
    await tokensFor(client, browser, { scope: "openid email" });
    const { body } = await person.get("/v1/users/me/grants");
    expect(body).toMatchObject({
      total: 1,
      items: [{ client: { id: client.id, name: "Wiki" }, scopes: ["openid", "email"] }],
    });
    expect(body.items[0].last_used_at).toBeString();
    const other = await registered(at.one.url);
    expect((await other.client.get("/v1/users/me/grants")).body.total).toBe(0);
    expect((await other.client.delete(`/v1/users/me/grants/${body.items[0].id}`)).status).toBe(404);
  });

  test("a deleted account leaves its tokens in the revocation feed", async () => {
    const client = await registerClient();
    const { browser, userId } = await personWithBrowser();
    const { id_token } = await tokensFor(client, browser);
    await at.sql`delete from users where id = ${userId}`;
    const sid = String(decodeJwt(id_token).sid);
    await eventually("the feed has it", 2_000, async () => {
      const { revocations } = (await new Client(at.other.url).get("/.well-known/service-revocations.json")).body;
      return revocations.some((each: { sid: string }) => each.sid === sid);
    });
  });

  test("a revoked grant does not return by codes that were issued without a consent page", async () => {
    const client = await registerClient({ first_party: false });
    const { browser, client: api, userId } = await personWithBrowser();
    const { challenge } = makePkce();
    for (let round = 0; round < 12; round += 1) {
      const { path } = await browser.follow(authorizePath(client, challenge));
      await browser.submit(path, { decision: "allow" });
      const [grant] = (await api.get("/v1/users/me/grants")).body.items;
      const silent = () => browser.get(authorizePath(client, challenge, { prompt: "none" }));
      const takeBack = () => api.delete(`/v1/users/me/grants/${grant.id}`);
      const responses = await race((index) => (index === 3 ? takeBack() : silent()), 8);
      expect(responses[3]?.status).toBe(204);
      expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
      expect(await at.sql`select 1 from oauth_grants where user_id = ${userId}`).toHaveLength(0);
    }
  });

  test("204: taking back ends every token on every replica, and is asked for again", async () => {
    const client = await registerClient();
    const { browser, client: person } = await personWithBrowser();
    const tokens = await tokensFor(client, browser, { scope: "openid offline_access" });
    expect((await introspectAt(at.other.url, client, tokens.access_token)).body.active).toBe(true);
    const [grant] = (await person.get("/v1/users/me/grants")).body.items;
    expect((await person.delete(`/v1/users/me/grants/${grant.id}`)).status).toBe(204);
    expect((await introspectAt(at.one.url, client, tokens.access_token)).body.active).toBe(false);
    await eventually("the other replica knows", 1_000, async () => {
      return !(await introspectAt(at.other.url, client, tokens.access_token)).body.active;
    });
    expect((await refreshAt(at.one.url, client, tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await person.delete(`/v1/users/me/grants/${grant.id}`)).status).toBe(404);
    expect((await person.get("/v1/auth/session")).status).toBe(200);
    expect((await sendForm(at.one.url, "/oauth2/revoke", { token: tokens.access_token }, basic(client))).status).toBe(
      200,
    );
    const [audited] = await at.sql`
      select metadata->>'client_id' as client from audit_logs
      where action = 'oauth.grant.revoked' and resource_id = ${grant.id}`;
    expect(audited?.client).toBe(client.id);
  });
});
