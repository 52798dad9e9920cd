/** The administration of social providers by configuration (docs/contract.md, sections 15.5 and 15.6). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SOCIAL_PRESETS } from "../../src/models/social-provider/presets.ts";
import { registered } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import {
  APP,
  type ConfiguredDeployment,
  configuredDeployment,
  PROVIDERS_PATH,
} from "../support/identity/configured.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";
import { platformUser, viewerAndAdmin } from "../support/platform.ts";
import { eventually } from "../support/waiting.ts";

let social: ConfiguredDeployment;
let admin: ConfiguredDeployment["admin"];
beforeAll(async () => {
  social = await configuredDeployment();
  ({ admin } = social);
});
afterAll(() => social.removeProviders());

let keys = 0;
function newKey() {
  keys += 1;
  return `admin_${keys}`;
}
const create = (settings: Record<string, unknown> = {}, client = admin) =>
  client.post(PROVIDERS_PATH, { provider: newKey(), preset: "gitlab", ...settings });
const pathOf = (key: string) => `${PROVIDERS_PATH}/${key}`;

async function created(settings: Record<string, unknown> = {}) {
  const { status, body, text } = await create(settings);
  expect([status, text]).toEqual([201, expect.any(String)]);
  return body;
}

async function auditsOf(provider: string) {
  const rows = await social.at.sql`
    select action, metadata from audit_logs
    where resource_type = 'social_provider' and resource_id = ${provider} order by id`;
  return rows.map(({ action, metadata }) => ({ action, metadata }));
}

describe("GET /v1/admin/social-provider-presets", () => {
  test("200: every preset with its defaults, for a platform viewer", async () => {
    const { client } = await platformUser(social.at, "viewer");
    const { status, body } = await client.get("/v1/admin/social-provider-presets");
    expect(status).toBe(200);
    expect(body.items).toHaveLength(SOCIAL_PRESETS.length);
    const gitlab = body.items.find((each: { preset: string }) => each.preset === "gitlab");
    expect(gitlab).toMatchObject({ name: "GitLab", protocol: "oidc", defaults: { issuer: "https://gitlab.com" } });
  });
});

describe("POST /v1/admin/social-providers", () => {
  test("201: a preset fills the absent members; the secret is sealed, and never returned or recorded", async () => {
    const key = newKey();
    const { status, body, text } = await create({ provider: key, client_id: "app", secret: APP.secret, enabled: true });
    expect(status).toBe(201);
    expect(body).toEqual({
      provider: key,
      preset: "gitlab",
      protocol: "oidc",
      name: "GitLab",
      enabled: true,
      sign_up: true,
      issuer: "https://gitlab.com",
      authorization_endpoint: null,
      token_endpoint: null,
      userinfo_endpoint: null,
      jwks_uri: null,
      client_id: "app",
      token_auth: "client_secret_basic",
      scopes: ["openid", "email", "profile"],
      authorization_parameters: {},
      pkce: "S256",
      nonce: true,
      response_mode: "query",
      claims_from: "id_token",
      subject_from: "/sub",
      email_from: "/email",
      email_verified_from: "/email_verified",
      name_from: "/name",
      email_trust: "claim",
      email_domains: [],
      secret_set: true,
      key_id: expect.any(String),
      redirect_uri: expect.stringMatching(new RegExp(`/v1/auth/oauth/${key}/callback$`)),
      identities: 0,
      degraded: false,
      revision: 1,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect(text).not.toContain(APP.secret);
    expect(await auditsOf(key)).toEqual([{ action: "social_provider.created", metadata: { provider: key } }]);
    const [row] = await social.at.sql`select sealed_secret from social_providers where provider = ${key}`;
    expect(row?.sealed_secret.toString("latin1")).not.toContain(APP.secret);
    expect((await admin.get(pathOf(key))).body).toEqual(body);
    expect((await admin.get(PROVIDERS_PATH)).body.items).toContainEqual(body);
  });

  test("201: the defaults of OAuth 2.0 trust no address", async () => {
    const endpoints = { authorization_endpoint: "https://a.test/a", token_endpoint: "https://a.test/t" };
    const settings = { preset: "custom", protocol: "oauth2", name: "Acme", ...endpoints };
    const body = await created({ ...settings, userinfo_endpoint: "https://a.test/me" });
    expect(body).toMatchObject({ claims_from: "userinfo", subject_from: "/id", email_trust: "never", scopes: [] });
  });

  const domains = Array.from({ length: 51 }, (_, index) => `d${index}.test`);
  const flaws: [string, Record<string, unknown>, string][] = [
    ["a reserved key", { provider: "passkey" }, "provider"],
    ["the key of a fixed provider", { provider: "oauth_idp_a" }, "provider"],
    ["a key with capitals", { provider: "GitLab" }, "provider"],
    ["an unknown preset", { preset: "myspace" }, "preset"],
    ["an unknown protocol", { protocol: "saml" }, "protocol"],
    ["a name with a link", { name: "https://evil.test" }, "name"],
    ["a long name", { name: "x".repeat(61) }, "name"],
    ["no issuer", { preset: "keycloak" }, "issuer"],
    ["an issuer with a query", { issuer: "https://a.test/?x" }, "issuer"],
    ["an issuer without TLS", { issuer: "http://a.test" }, "issuer"],
    ["a private address", { token_endpoint: "https://10.0.0.1/token" }, "token_endpoint"],
    ["an address with user information", { jwks_uri: "https://a@b.test/keys" }, "jwks_uri"],
    ["OAuth 2.0 without endpoints", { preset: "custom", protocol: "oauth2" }, "authorization_endpoint"],
    ["OAuth 2.0 with an ID token", { preset: "spotify", claims_from: "id_token" }, "claims_from"],
    ["enabled without a client id", { enabled: true, secret: APP.secret }, "client_id"],
    ["enabled without a secret", { enabled: true, client_id: "app" }, "secret"],
    ["a short secret", { secret: "seven77" }, "secret"],
    ["a secret of 5000 bytes", { secret: "x".repeat(5000) }, "secret"],
    ["a secret with a control character", { secret: "a secret\nof two lines" }, "secret"],
    ["a public client without PKCE", { token_auth: "none", pkce: "off" }, "pkce"],
    ["21 scopes", { scopes: Array.from({ length: 21 }, () => "openid") }, "scopes"],
    ["a scope with a space", { scopes: ["openid email"] }, "scopes"],
    ["a parameter of the protocol", { authorization_parameters: { State: "x" } }, "authorization_parameters"],
    ["a request object", { authorization_parameters: { request_uri: "x" } }, "authorization_parameters"],
    ["a pointer without a slash", { email_from: "email" }, "email_from"],
    ["a pointer of six levels", { name_from: "/a/b/c/d/e/f" }, "name_from"],
    ["a pointer with a wrong escape", { subject_from: "/a~2" }, "subject_from"],
    ["trust in every address of no domain", { email_trust: "always" }, "email_domains"],
    ["a wildcard", { email_domains: ["*.a.test"] }, "email_domains"],
    ["51 domains", { email_domains: domains }, "email_domains"],
    ["a NUL", { name_from: "/a\u0000" }, "body"],
  ];
  for (const [what, settings, field] of flaws) {
    test(`400: ${what}; no row is written`, async () => {
      const { status, body } = await create({ provider: "flawed_provider", ...settings });
      expect([status, body.error?.code, body.error?.fields?.[0]?.field]).toEqual([400, "invalid_input", field]);
      expect(await social.at.sql`select 1 from social_providers where provider = 'flawed_provider'`).toHaveLength(0);
    });
  }

  test("409: a taken key, also of twenty requests at once", async () => {
    const key = newKey();
    const statuses = (await race(() => create({ provider: key }))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect(await auditsOf(key)).toHaveLength(1);
  });

  test("401 and 403: only a platform administrator with a step-up writes", async () => {
    const { viewer, admin: unconfirmed } = await viewerAndAdmin(social.at);
    expect((await create({}, viewer)).status).toBe(403);
    expect((await create({}, unconfirmed)).body.error.code).toBe("mfa_required");
    const { client } = await registered(social.at.one.url);
    expect((await create({}, client)).status).toBe(403);
    expect((await client.get(PROVIDERS_PATH)).status).toBe(403);
    expect((await viewer.get(PROVIDERS_PATH)).status).toBe(200);
  });
});

describe("PATCH /v1/admin/social-providers/:provider", () => {
  test("200: given members change, others stay; the record names the members and no value", async () => {
    const { provider } = await created({ secret: APP.secret, client_id: "app" });
    const { status, body } = await admin.patch(pathOf(provider), { name: "Our GitLab", enabled: true });
    expect([status, body.name, body.enabled, body.secret_set, body.revision]).toEqual([
      200,
      "Our GitLab",
      true,
      true,
      2,
    ]);
    const [, record] = await auditsOf(provider);
    expect(record).toEqual({ action: "social_provider.updated", metadata: { provider, fields: "name enabled" } });
  });

  test("a change is in use on both replicas within seconds", async () => {
    const provider = await social.provider({ ...social.apiSettings });
    const startAt = async (url: string) =>
      (await new OAuthBrowser(url).client.get(`/v1/auth/oauth/${provider}/start`)).status;
    await eventually("the other replica follows", 10_000, async () => (await startAt(social.at.other.url)) === 302);
    await admin.patch(pathOf(provider), { enabled: false });
    expect(await startAt(social.at.one.url)).toBe(404);
    await eventually("the other replica follows", 10_000, async () => (await startAt(social.at.other.url)) === 404);
  });

  test("a change of the party that receives the secret ends the secret", async () => {
    const { provider } = await created({ secret: APP.secret, client_id: "app" });
    const moved = await admin.patch(pathOf(provider), { token_endpoint: "https://evil.test/token" });
    expect([moved.status, moved.body.secret_set]).toEqual([200, false]);
    const enabled = await created({ secret: APP.secret, client_id: "app", enabled: true });
    const refused = await admin.patch(pathOf(enabled.provider), { issuer: "https://evil.test" });
    expect([refused.status, refused.body.error.fields[0].field]).toEqual([400, "secret"]);
  });

  test("400: secret and clear_secret together; 404: an unknown provider", async () => {
    const { provider } = await created();
    const both = { secret: APP.secret, clear_secret: true };
    expect((await admin.patch(pathOf(provider), both)).status).toBe(400);
    expect((await admin.patch(pathOf("unknown"), { name: "x" })).status).toBe(404);
    expect((await admin.patch(pathOf("%00"), { name: "x" })).status).toBe(404);
  });

  test("412: another version than the version of If-Match", async () => {
    const { provider } = await created();
    const read = await admin.get(pathOf(provider));
    const headers = { "if-match": read.headers.get("etag") ?? "" };
    expect((await admin.patch(pathOf(provider), { name: "First" }, { headers })).status).toBe(200);
    expect((await admin.patch(pathOf(provider), { name: "Second" }, { headers })).status).toBe(412);
  });
});

describe("POST /v1/admin/social-providers/:provider/test", () => {
  const probe = (key: string) => admin.post(`/v1/admin/social-providers/${key}/test`);
  const checksOf = (body: { checks: { check: string; ok: boolean }[] }) =>
    Object.fromEntries(body.checks.map(({ check, ok }) => [check, ok]));

  test("200: every check of an OpenID provider passes, and the audit trail has the test", async () => {
    const key = await social.provider({ issuer: social.openid.issuer });
    const { status, body } = await probe(key);
    expect([status, body.ok]).toEqual([200, true]);
    expect(checksOf(body)).toEqual({ secret: true, discovery: true, issuer: true, jwks: true, endpoints: true });
    expect((await auditsOf(key)).at(-1)?.action).toBe("social_provider.tested");
  });

  test("200: the failed check is named: no secret, another issuer, a dead provider, a private address", async () => {
    const { provider: bare } = await created({ issuer: social.forged.url });
    expect(checksOf((await probe(bare)).body).secret).toBe(false);
    const other = await social.provider({ issuer: `${social.openid.issuer}/` });
    expect(checksOf((await probe(other)).body)).toMatchObject({ secret: true, issuer: false });
    const dead = await social.provider({ issuer: "https://dead.invalid" });
    const { body } = await probe(dead);
    expect([body.ok, checksOf(body)]).toEqual([
      false,
      { secret: true, discovery: false, jwks: false, endpoints: false },
    ]);
    const api = await social.provider({ ...social.apiSettings });
    expect(checksOf((await probe(api)).body)).toEqual({ secret: true, endpoints: true });
  });

  test("404: an unknown provider; 403: no viewer", async () => {
    expect((await probe("unknown")).status).toBe(404);
    const { viewer } = await viewerAndAdmin(social.at);
    expect((await viewer.post(`${pathOf("unknown")}/test`)).status).toBe(403);
  });
});

describe("linked identities", () => {
  async function linked(key: string) {
    social.api.profile = { id: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.test` };
    const response = await new OAuthBrowser(social.at.one.url).signIn(key);
    expect(response.status).toBe(200);
    return response.body.user.user_id as string;
  }
  const identitiesOf = (key: string) => social.at.sql`select user_id from user_identities where provider = ${key}`;

  test("409: a change of the subjects needs unlink_identities, which ends every identity (P11)", async () => {
    const key = await social.provider({ ...social.apiSettings });
    const userId = await linked(key);
    for (const change of [{ subject_from: "/email" }, { userinfo_endpoint: `${social.api.url}/other` }]) {
      const refused = await admin.patch(pathOf(key), change);
      expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"]);
    }
    expect(await identitiesOf(key)).toHaveLength(1);
    const changed = await admin.patch(pathOf(key), { subject_from: "/email", unlink_identities: true });
    expect([changed.status, changed.body.identities]).toEqual([200, 0]);
    const notices = await social.at.sql`
      select 1 from audit_logs where action = 'auth.identity.unlinked' and resource_id = ${userId}`;
    expect(notices).toHaveLength(1);
  });

  test("a subject of the former source is no subject of the new source, also where both are equal (P11)", async () => {
    const key = await social.provider({ ...social.apiSettings });
    const victim = await linked(key);
    const [former] = await social.at.sql`select issuer, subject from user_identities where provider = ${key}`;
    await admin.patch(pathOf(key), { subject_from: "/handle", unlink_identities: true });
    // An identity that a replica with the former settings links after the change.
    await social.at.sql`
      insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
      values (${key}, ${former?.issuer}, ${former?.subject}, ${victim}, now(), now())`;
    social.api.profile = { handle: former?.subject, email: `${crypto.randomUUID()}@example.test` };
    const response = await new OAuthBrowser(social.at.one.url).signIn(key);
    expect([response.status, response.body.user.user_id === victim]).toEqual([200, false]);
  });

  test("409: a deletion needs confirm=true; a new provider with the key matches no former identity", async () => {
    const key = await social.provider({ ...social.apiSettings });
    const victim = await linked(key);
    const [former] = await social.at.sql`select issuer, subject from user_identities where provider = ${key}`;
    expect((await admin.delete(pathOf(key))).status).toBe(409);
    expect((await admin.delete(`${pathOf(key)}?confirm=true`)).status).toBe(204);
    expect(await identitiesOf(key)).toHaveLength(0);
    expect((await admin.get(pathOf(key))).status).toBe(404);
    await social.at.sql`
      insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
      values (${key}, ${former?.issuer}, ${former?.subject}, ${victim}, now(), now())`;
    await social.provider({ ...social.apiSettings }, key);
    expect(await identitiesOf(key)).toHaveLength(0);
  });

  test("204: a provider without identities needs no confirmation; the record names the key", async () => {
    const { provider } = await created();
    expect((await admin.delete(pathOf(provider))).status).toBe(204);
    expect((await auditsOf(provider)).map(({ action }) => action)).toContain("social_provider.deleted");
    expect((await admin.delete(pathOf(provider))).status).toBe(404);
  });
});
