/** Registration of applications by themselves, RFC 7591 and 7592 (docs/contract.md, section 23.17). */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as openid from "openid-client";
import { dynamicClientRegistration, fetchUserInfo, type ServerMetadata } from "openid-client";
import { OAUTH_DYNAMIC_CLIENTS_MAX } from "../../src/limits/oauth-limits.ts";
import { refusalsOf } from "../support/bound-refusals.ts";
import { type Answer, Client } from "../support/client.ts";
import { type Deployment, deployment, race, raceWithoutRedis } from "../support/deployment.ts";
import {
  compare,
  type Differences,
  type Exchange,
  MODERN_FEATURES,
  ourSide,
  startPeer,
} from "../support/differential.ts";
import {
  authorizePath,
  CALLBACK,
  exchange,
  fetchAt,
  introspectAt,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  type TestClient,
} from "../support/oauth.ts";
import { ISSUER, type Replica, startReplica } from "../support/replica.ts";
import { eventually } from "../support/waiting.ts";

const REGISTER = "/oauth2/register";
const TOKENS = "/v1/admin/registration-tokens";
const METADATA = { client_name: "Notes", redirect_uris: [CALLBACK] };

let at: Deployment;
let open: Replica;
/** A replica without registration: it reads what others registered, and no other file sends it unknown applications. */
let reading: Replica;
let withToken: Replica;
beforeAll(async () => {
  at = await deployment();
  const shared = { DATABASE_URL: at.databaseUrl };
  [open, reading, withToken] = await Promise.all([
    startReplica({ ...shared, SERVICE_OAUTH_REGISTRATION: "open" }),
    startReplica(shared),
    startReplica({ ...shared, SERVICE_OAUTH_REGISTRATION: "token" }),
  ]);
});
afterAll(async () => {
  await Promise.all([open.stop(), reading.stop(), withToken.stop()]);
});

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const errorOf = ({ status, body }: Answer) => [status, body.error];

async function register(metadata: object = METADATA, url = open.url, token?: string): Promise<Answer> {
  return await new Client(url).request("POST", REGISTER, { body: metadata, ...(token ? bearer(token) : {}) });
}

function manage(
  method: "DELETE" | "GET" | "PUT",
  { client_id: id }: { client_id: string },
  token: string,
  body?: object,
) {
  return new Client(open.url).request(method, `/oauth2/register/${id}`, {
    ...bearer(token),
    ...(body ? { body } : {}),
  });
}

const clientOf = ({ client_id: id, client_secret: secret = "", redirect_uris: uris }: Answer["body"]): TestClient => {
  return { id, secret, redirectUri: uris[0] };
};

async function initialToken(settings: object = {}): Promise<{ id: string; token: string }> {
  const { status, body } = await (await oauthAdmin()).post(TOKENS, { name: "CI", ...settings });
  expect(status).toBe(201);
  return body;
}

describe("POST /oauth2/register: 201 (G228)", () => {
  test("the client has the defaults of RFC 7591, a secret and a token for its management", async () => {
    const { status, body, headers } = await register();
    expect([status, headers.get("cache-control")]).toEqual([201, expect.stringContaining("no-store")]);
    expect(body).toMatchObject({
      client_name: "Notes",
      redirect_uris: [CALLBACK],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
      application_type: "web",
      scope: "openid profile email",
      client_secret_expires_at: 0,
      registration_client_uri: `${ISSUER}${REGISTER}/${body.client_id}`,
    });
    expect([body.client_secret, body.registration_access_token].map((text) => text.length)).toEqual([43, 43]);
  });

  test("the client signs a user in after consent, on every replica, and never without", async () => {
    const { body } = await register({ ...METADATA, grant_types: ["authorization_code", "refresh_token"] });
    const client = clientOf(body);
    const { browser } = await personWithBrowser({ one: reading });
    const pkce = makePkce();
    await eventually("the replica knows the client", 6_000, async () => {
      const { path } = await browser.follow(authorizePath(client, pkce.challenge));
      return path.startsWith("/oauth2/consent");
    });
    const landing = await browser.follow(authorizePath(client, pkce.challenge));
    const request = new URLSearchParams(landing.path.split("?")[1]).get("request") ?? "";
    const { location } = await browser.submit(landing.path, { request, decision: "allow" });
    const code = { code: location?.searchParams.get("code") ?? "", pkce };
    const tokens = await exchange(reading.url, client, code);
    expect([tokens.status, (await introspectAt(reading.url, client, tokens.body.access_token)).body.active]).toEqual([
      200,
      true,
    ]);
    const [row] = await at.sql`select kind, first_party, last_used_at from oauth_clients where id = ${client.id}`;
    expect([row?.kind, row?.first_party, row?.last_used_at === null]).toEqual(["dynamic", false, false]);
  });

  test("openid-client registers and signs in by discovery alone", async () => {
    const options = { execute: [openid.allowInsecureRequests], [openid.customFetch]: fetchAt(open.url) as never };
    const metadata = { ...METADATA, token_endpoint_auth_method: "client_secret_post" };
    const config = await dynamicClientRegistration(new URL(ISSUER), metadata, openid.ClientSecretPost(), options);
    expect((config.serverMetadata() as ServerMetadata).registration_endpoint).toBe(`${ISSUER}${REGISTER}`);
    expect(config.clientMetadata().client_id).toBeString();
    expect(fetchUserInfo).toBeFunction();
  });

  test("scopes of users and public scopes of open APIs remain, others are left out", async () => {
    const admin = await oauthAdmin();
    const scopes = [
      { name: "notes:read", description_en: "Read notes", description_de: null, public: true },
      { name: "notes:admin", description_en: "Administer notes", description_de: null },
    ];
    const api = { identifier: "https://notes.example.test/", name: "Notes", scopes, open_to: "any" };
    expect((await admin.post("/v1/admin/resources", api)).status).toBe(201);
    await eventually("the replica knows the API", 6_000, async () => {
      const { body } = await register({ ...METADATA, scope: "openid notes:read notes:admin root" });
      return body.scope === "openid notes:read";
    });
  });

  test("40 parallel registrations at two replicas with Redis emptied keep to the uses of the token", async () => {
    const { token } = await initialToken({ max_uses: 3 });
    const other = await startReplica({ DATABASE_URL: at.databaseUrl, SERVICE_OAUTH_REGISTRATION: "token" });
    const urls = [withToken.url, other.url];
    const answers = await raceWithoutRedis((index) => register(METADATA, urls[index % 2], token));
    await other.stop();
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect(statuses.every((status) => [201, 401, 429].includes(status))).toBe(true);
    const [row] = await at.sql`select uses from oauth_registration_tokens where max_uses = 3 order by created_at desc`;
    expect(row?.uses).toBe(3);
  });
});

/** The square of the length takes many seconds; a busy machine stays below. */
const LINEAR_WITHIN_MS = 2_000;

describe("POST /oauth2/register: odd values (G403)", () => {
  test("unusable addresses, pages and names are left out, and the response names each with the reason", async () => {
    const usable = ["https://www.example.test/oauth/callback", "http://localhost:8787/callback"];
    const { status, body } = await register({
      client_name: "Editor (mcp.example.test/mcp)",
      redirect_uris: ["editor://oauth/callback", ...usable, 7, usable[0]],
      logo_uri: "javascript:alert(1)",
      policy_uri: "",
      tos_uri: "x",
      client_uri: null,
      contacts: [],
      scope: " ",
    });
    expect([status, body.redirect_uris, body.client_name]).toEqual([201, usable, "Editor"]);
    expect(body).not.toContainAnyKeys(["logo_uri", "policy_uri", "tos_uri", "client_uri"]);
    expect(body.left_out.map(({ member }: { member: string }) => member).sort()).toEqual([
      "client_name",
      "logo_uri",
      "redirect_uris",
      "tos_uri",
    ]);
    for (const { reason } of body.left_out) expect(reason).toBeString();
  });

  test("two spellings of one address are one address, and a name of 60,000 spaces costs no time", async () => {
    const name = `a${" ".repeat(60_000)}b`;
    const startedAt = performance.now();
    const { status, body } = await register({
      client_name: name,
      redirect_uris: ["https://app.example.test/cb", "https://app.example.test/cb "],
    });
    expect([status, body.redirect_uris]).toEqual([201, ["https://app.example.test/cb"]]);
    expect(performance.now() - startedAt).toBeLessThan(LINEAR_WITHIN_MS);
  });

  test("of 22 addresses 20 count, a long name is cut; without a usable address the first flaw is named", async () => {
    const many = Array.from({ length: 22 }, (_, index) => `https://app.example.test/${index}`);
    const { body } = await register({ client_name: "n".repeat(150), redirect_uris: many });
    expect([body.redirect_uris, body.client_name]).toEqual([many.slice(0, 20), "n".repeat(120)]);
    expect(errorOf(await register({ redirect_uris: ["editor://callback"] }))).toEqual([400, "invalid_redirect_uri"]);
  });

  test("a client that registered no scope receives the public scopes of open APIs, as of each request", async () => {
    const admin = await oauthAdmin();
    const identifier = `https://open-${crypto.randomUUID()}.example.test`;
    const { body } = await register({ ...METADATA, token_endpoint_auth_method: "none" });
    const scopes = [{ name: "members:read", public: true }, { name: "members:admin" }];
    const made = await admin.post("/v1/admin/resources", { identifier, name: "Members", open_to: "any", scopes });
    expect(made.status).toBe(201);
    const { browser } = await personWithBrowser({ one: reading });
    const app: TestClient = { id: body.client_id, secret: "", redirectUri: CALLBACK };
    const pkce = makePkce();
    for (const more of [{ scope: "members:read members:admin" }, { scope: "" }]) {
      const request = { ...more, resource: `${identifier}/` };
      await eventually("the replica knows the API", 6_000, async () => {
        const { answer } = await browser.follow(authorizePath(app, pkce.challenge, request));
        expect(answer.text).not.toContain("members:admin");
        return answer.text.includes("members:read");
      });
    }
  });
});

describe("POST /oauth2/register: refusals (G228)", () => {
  test.each<[string, object, string]>([
    ["http", { redirect_uris: ["http://app.example.test/"] }, "invalid_redirect_uri"],
    ["no redirect URI", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["a software statement", { software_statement: "e30.e30.e30" }, "invalid_client_metadata"],
    ["a list that is text", { redirect_uris: CALLBACK }, "invalid_client_metadata"],
    ["an unknown method", { token_endpoint_auth_method: "tls_client_auth" }, "invalid_client_metadata"],
    ["private_key_jwt without keys", { token_endpoint_auth_method: "private_key_jwt" }, "invalid_client_metadata"],
    [
      "a key with NUL",
      { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [{ kty: "EC", kid: "\0" }] } },
      "invalid_client_metadata",
    ],
    ["client_credentials alone", { grant_types: ["client_credentials"] }, "invalid_client_metadata"],
    ["the implicit flow", { response_types: ["id_token"] }, "invalid_client_metadata"],
    ["unsigned ID tokens", { id_token_signed_response_alg: "none" }, "invalid_client_metadata"],
  ])("%s", async (_name, metadata, error) => {
    expect(errorOf(await register({ ...METADATA, ...metadata }))).toEqual([400, error]);
  });

  test("a missing, unknown, expired and deleted initial access token is 401 with a challenge", async () => {
    const [expired, deleted] = [await initialToken(), await initialToken()];
    await at.sql`update oauth_registration_tokens set expires_at = now() - interval '1 s' where id = ${expired.id}`;
    expect((await (await oauthAdmin()).delete(`/v1/admin/registration-tokens/${deleted.id}`)).status).toBe(204);
    for (const token of [undefined, "x".repeat(43), expired.token, deleted.token]) {
      const refused = await register(METADATA, withToken.url, token);
      expect(errorOf(refused)).toEqual([401, "invalid_token"]);
      expect(refused.headers.get("www-authenticate")).toStartWith("Bearer ");
    }
  });

  test("while registration is off, the endpoint is 404 and absent from discovery", async () => {
    expect((await register(METADATA, at.one.url)).status).toBe(404);
    const path = "/.well-known/openid-configuration";
    const { body } = await new Client(at.one.url).get(path);
    expect("registration_endpoint" in body).toBe(false);
    expect((await new Client(open.url).get(path)).body.registration_endpoint).toBe(`${ISSUER}${REGISTER}`);
  });

  test("the registrations of an address are limited, refused registrations included", async () => {
    const limits = { SERVICE_RATE_LIMITS: "on", SERVICE_RATE_LIMIT_OAUTH_REGISTRATION: "10/3600" };
    const settings = { DATABASE_URL: at.databaseUrl, SERVICE_OAUTH_REGISTRATION: "open" };
    const limited = await startReplica({ ...settings, ...limits });
    const answers = await race(() => register({ ...METADATA, redirect_uris: [] }, limited.url), 12);
    const refused = answers.filter(({ status }) => status === 429);
    expect([refused.length, refused[0]?.body.error]).toEqual([2, "temporarily_unavailable"]);
    const { body } = await register();
    const { client_id: id, registration_access_token: token } = body;
    for (const method of ["PUT", "DELETE"] as const) {
      const change = { ...bearer(token), body: { ...METADATA, client_id: id } };
      const response = await new Client(limited.url).request(method, `${REGISTER}/${id}`, change);
      expect(errorOf(response)).toEqual([429, "temporarily_unavailable"]);
    }
    expect((await manage("GET", body, token)).status).toBe(200);
    expect(await refusalsOf("limit_oauth_registration", limited.url)).toBe(4);
    await limited.stop();
  });

  test("beyond the bound, an unused application makes room; where every application stays, it is 429", async () => {
    await at.sql`delete from oauth_clients where kind = 'dynamic'`;
    const { body } = await register();
    await at.sql`
      insert into oauth_clients (id, name, application_type, token_auth_method, redirect_uris,
        post_logout_redirect_uris, grant_types, scopes, resources, audiences, first_party, subject_type, kind,
        disabled_at, created_at, updated_at)
      select gen_random_uuid(), 'filler', 'web', 'none', '{}', '{}', '{}', '{}', '{}', '{}', false, 'public', 'dynamic',
        now(), created_at, updated_at
      from oauth_clients, generate_series(2, ${OAUTH_DYNAMIC_CLIENTS_MAX}) where id = ${body.client_id}`;
    expect((await register()).status).toBe(201);
    expect((await manage("GET", body, body.registration_access_token)).status).toBe(401);
    await at.sql`update oauth_clients set disabled_at = now() where kind = 'dynamic'`;
    expect(errorOf(await register())).toEqual([429, "temporarily_unavailable"]);
    expect(await refusalsOf("dynamic_clients", open.url)).toBe(1);
    await at.sql`delete from oauth_clients where name = 'filler'`;
  });
});

/** RFC 7591, section 2: the metadata of a client with one change. */
const CHANGES: readonly (readonly [string, Record<string, unknown>])[] = [
  ["good", {}],
  ...[undefined, "", 1, ["x"], "x".repeat(100)].map(
    (value) => [`client_name ${value}`, { client_name: value }] as const,
  ),
  ...[
    undefined,
    [],
    "https://app.example.test/callback",
    [1],
    [""],
    ["/callback"],
    ["x"],
    ["https://app.example.test/callback#x"],
    ["http://app.example.test/callback"],
    ["http://127.0.0.1:4711/callback"],
    ["http://localhost:4711/callback"],
    ["javascript:alert(1)"],
    ["data:text/html,x"],
    ["https://app.example.test/a", "https://app.example.test/b"],
    ["https://app.example.test/a", "https://app.example.test/a"],
    ["https://user@app.example.test/a"],
  ].map((value) => [`redirect_uris ${JSON.stringify(value)}`, { redirect_uris: value }] as const),
  ...["client_secret_basic", "client_secret_post", "none", "private_key_jwt", "tls_client_auth", "x", 1, ""].map(
    (value) => [`token_endpoint_auth_method ${value}`, { token_endpoint_auth_method: value }] as const,
  ),
  ...[
    ["authorization_code"],
    ["authorization_code", "refresh_token"],
    ["refresh_token"],
    ["client_credentials"],
    ["implicit"],
    ["password"],
    ["x"],
    [],
    "authorization_code",
    [1],
  ].map((value) => [`grant_types ${JSON.stringify(value)}`, { grant_types: value }] as const),
  ...[["code"], ["token"], ["id_token"], ["code id_token"], ["none"], ["x"], [], "code", [1]].map(
    (value) => [`response_types ${JSON.stringify(value)}`, { response_types: value }] as const,
  ),
  ...["web", "native", "x", 1].map((value) => [`application_type ${value}`, { application_type: value }] as const),
  ...["logo_uri", "client_uri", "policy_uri", "tos_uri"].flatMap((name) =>
    ["https://app.example.test/x", "javascript:alert(1)", "x", 1].map(
      (value) => [`${name} ${value}`, { [name]: value }] as const,
    ),
  ),
  ...["openid", "openid profile", "openid unknown", "", 1].map(
    (value) => [`scope ${value}`, { scope: value }] as const,
  ),
  ...["RS256", "none", "HS256", "x"].map(
    (value) => [`id_token_signed_response_alg ${value}`, { id_token_signed_response_alg: value }] as const,
  ),
  ["jwks and jwks_uri", { jwks: { keys: [] }, jwks_uri: "https://app.example.test/jwks" }],
  ["jwks text", { jwks: "x" }],
  ["software_statement", { software_statement: "e30.e30.e30" }],
  ["an unknown member", { x: 1 }],
];

/** Permitted differences from oidc-provider, with the reason. */
const DIFFERENCES: Differences = [
  [/redirect_uris ("|\[1\]).*: 400 invalid_client_metadata, not/, "RFC 7591, 2: the value is no list of texts"],
  [
    /redirect_uris \["http:.*: 400 invalid_redirect_uri/,
    "RFC 9700, 2.6: no redirect without TLS, except to the own device",
  ],
  [/(client_name|token_endpoint_auth_method) : 201 ok/, "an empty text counts as absent, and the default applies"],
  [/(logo|client|policy|tos)_uri (javascript:alert\(1\)|x): 201 ok/, "RFC 7591, 3.2.1: left out, and named"],
  [/redirect_uris \["https:\/\/user@.*: 400 invalid_redirect_uri/, "RFC 3986, 3.2.1: user information is deprecated"],
  [
    /(grant|response)_types .*: 400 invalid_client_metadata, not 201/,
    "RFC 7591, 2.1: no flow but the code flow is there",
  ],
  [/scope (openid unknown)?: 201 ok, not/, "RFC 7591, 2: the server chooses the scopes; others are left out"],
  [/software_statement: 400 /, "RFC 7591, 2.3: no publisher is trusted, so the statement is refused"],
];

test("registration: this provider and oidc-provider agree about 80 requests, or differ as listed", async () => {
  const requests = CHANGES.map(([name, change]): Exchange => {
    const json = { client_name: "Notes", redirect_uris: [CALLBACK], ...change };
    return { name: `register: ${name}`, method: "POST", endpoint: "register", content: () => ({ json }) };
  });
  expect(requests.length).toBeGreaterThan(80);
  const sides = [ourSide(open.url), await startPeer([], MODERN_FEATURES)] as const;
  expect(await compare(sides, requests, DIFFERENCES)).toEqual({ unlisted: [], unused: [] });
});

describe("the management of a registration (G229)", () => {
  test("GET returns the client without the secret; PUT replaces the metadata; issued tokens stay", async () => {
    const { body } = await register();
    const token = body.registration_access_token;
    const read = await manage("GET", body, token);
    expect([read.status, read.body.client_name, read.body.client_secret]).toEqual([200, "Notes", undefined]);
    const metadata = {
      ...METADATA,
      client_id: body.client_id,
      client_name: "Notes 2",
      policy_uri: `${CALLBACK}/policy`,
    };
    const changed = await manage("PUT", body, token, metadata);
    expect([changed.status, changed.body.client_name, changed.body.policy_uri]).toEqual([
      200,
      "Notes 2",
      `${CALLBACK}/policy`,
    ]);
    const keyless = await manage("PUT", body, token, { ...metadata, token_endpoint_auth_method: "none" });
    expect(keyless.body.token_endpoint_auth_method).toBe("none");
    const secret = await manage("PUT", body, token, metadata);
    expect(secret.body.client_secret).toHaveLength(43);
  });

  test("PUT without client_id, with a wrong secret, or with wrong metadata changes nothing", async () => {
    const { body } = await register();
    const token = body.registration_access_token;
    const named = { ...METADATA, client_id: body.client_id };
    for (const metadata of [METADATA, { ...named, client_secret: "wrong" }, { ...named, scope: 5 }]) {
      expect(errorOf(await manage("PUT", body, token, metadata))).toEqual([400, "invalid_client_metadata"]);
    }
    expect((await manage("GET", body, token)).body.client_name).toBe("Notes");
  });

  test("PUT keeps what only an administrator chooses", async () => {
    const { body } = await register();
    const admin = await oauthAdmin();
    const path = `/v1/admin/oauth-clients/${body.client_id}`;
    const chosen = { subject_type: "pairwise", sector: "example.test", require_dpop_nonce: true };
    expect((await admin.patch(path, chosen)).status).toBe(200);
    const metadata = { ...METADATA, client_id: body.client_id, client_name: "Notes 2" };
    expect((await manage("PUT", body, body.registration_access_token, metadata)).status).toBe(200);
    expect((await admin.patch(path, { require_acr: null })).body).toMatchObject({ ...chosen, name: "Notes 2" });
    const elsewhere = { ...metadata, redirect_uris: ["https://app.example.com/callback"] };
    const refused = await manage("PUT", body, body.registration_access_token, elsewhere);
    expect(errorOf(refused)).toEqual([400, "invalid_client_metadata"]);
  });

  test("the token of another client, the secret and no token are 401 for every method", async () => {
    const [first, second] = [(await register()).body, (await register()).body];
    for (const token of [second.registration_access_token, first.client_secret, ""]) {
      expect(errorOf(await manage("GET", first, token))).toEqual([401, "invalid_token"]);
      expect(errorOf(await manage("DELETE", first, token))).toEqual([401, "invalid_token"]);
    }
    const unknown = { client_id: crypto.randomUUID() };
    expect(errorOf(await manage("GET", unknown, first.registration_access_token))).toEqual([401, "invalid_token"]);
  });

  test("DELETE ends client and token; a registered client has no such management", async () => {
    const { body } = await register();
    const token = body.registration_access_token;
    expect((await manage("DELETE", body, token)).status).toBe(204);
    expect(errorOf(await manage("GET", body, token))).toEqual([401, "invalid_token"]);
    expect(await at.sql`select 1 from oauth_clients where id = ${body.client_id}`).toHaveLength(0);
  });

  test("an administrator makes no such client first-party", async () => {
    const { body } = await register();
    const refused = await (await oauthAdmin()).patch(`/v1/admin/oauth-clients/${body.client_id}`, {
      first_party: true,
    });
    expect([refused.status, refused.body.error.code]).toEqual([400, "invalid_input"]);
  });

  test("registration, change and deletion are audited", async () => {
    const { body } = await register();
    const token = body.registration_access_token;
    await manage("PUT", body, token, { ...METADATA, client_id: body.client_id, client_name: "Other" });
    await manage("DELETE", body, token);
    const rows = await at.sql`select action from audit_logs where resource_id = ${body.client_id} order by timestamp`;
    expect(rows.map(({ action }) => action)).toEqual([
      "oauth.client.registered",
      "oauth.client.updated",
      "oauth.client.deleted",
    ]);
  });
});

describe("/v1/admin/registration-tokens (G228)", () => {
  test("a token is listed without its text", async () => {
    const { id, token } = await initialToken({ max_uses: 2, expires_in_days: 1 });
    const { body } = await (await oauthAdmin()).get(TOKENS);
    const item = body.items.find((each: { id: string }) => each.id === id);
    expect(item).toMatchObject({ name: "CI", max_uses: 2, uses: 0 });
    expect(JSON.stringify(body)).not.toContain(token);
  });

  test("a user without a platform role is 403, bounds are 400, an unknown token is 404", async () => {
    const { client } = await personWithBrowser();
    expect((await client.post(TOKENS, { name: "CI" })).status).toBe(403);
    const admin = await oauthAdmin();
    for (const body of [{ name: "CI", max_uses: 0 }, { name: "CI", expires_in_days: 366 }, {}]) {
      expect((await admin.post(TOKENS, body)).status).toBe(400);
    }
    expect((await admin.delete(`${TOKENS}/${crypto.randomUUID()}`)).status).toBe(404);
  });
});
