import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { exportPKCS8, generateKeyPair } from "jose";
import { type Client, registered } from "../support/client.ts";
import { type Deployment, ownDeployment } from "../support/deployment.ts";
import { tokenTo, VERIFY_LINK } from "../support/mail.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { runService, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, stopLater, type TestRedis } from "../support/services.ts";
import { eventually, stopwatch } from "../support/waiting.ts";

const OLD_KEY = randomBytes(32).toString("base64");
const NEW_KEY = randomBytes(32).toString("base64");
const PROVIDERS = ["email_transport", "oauth_idp_a", "oauth_idp_b", "oauth_idp_c", "oauth_idp_d", "oauth_idp_e"];

/** The response of the email provider to a probe for the list of domains. */
let domains: (request: Request) => Response | Promise<Response> = () => Response.json({ data: [] });
const emailApi = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 30, fetch: (request) => domains(request) });
stopLater(() => emailApi.stop(true));

let at: Deployment & { redis: TestRedis };
let admin: Client;
beforeAll(async () => {
  at = await ownDeployment({ SERVICE_CONFIG_KEY: OLD_KEY });
  admin = (await steppedUpAdmin(at)).client;
});
afterEach(async () => {
  await put("email_transport", { enabled: false, clear_secret: true });
});

const put = (provider: string, body: unknown, client = admin) => client.put(`/v1/admin/integrations/${provider}`, body);
const probe = (provider: string, client = admin) => client.post(`/v1/admin/integrations/${provider}/test`);

async function viewOf(provider: string, client = admin) {
  const { body } = await client.get("/v1/admin/integrations");
  return body.providers.find((each: { provider: string }) => each.provider === provider);
}

async function auditsOf(action: string, provider: string) {
  return await at.sql`select * from audit_logs where action = ${action} and resource_id = ${provider} order by id`;
}

describe("GET /v1/admin/integrations", () => {
  test("200: every provider in a masked view, for a platform viewer", async () => {
    const { client } = await platformUser(at, "viewer");
    const { status, body } = await client.get("/v1/admin/integrations");
    expect(status).toBe(200);
    expect(body.secrets_enabled).toBe(true);
    expect(body.providers.map((each: { provider: string }) => each.provider)).toEqual(PROVIDERS);
    expect(Object.keys(body.providers[0])).toEqual([
      "provider",
      "enabled",
      "public_config",
      "secret_set",
      "key_id",
      "updated_at",
      "degraded",
    ]);
  });

  test("401 and 403: no other caller", async () => {
    const { client } = await registered(at.one.url);
    expect((await client.get("/v1/admin/integrations")).status).toBe(403);
    client.jar.removeAllCookiesSync();
    expect((await client.get("/v1/admin/integrations")).body.error.code).toBe("authentication_required");
  });
});

describe("PUT /v1/admin/integrations/:provider", () => {
  test("200: the masked view; the secret is sealed, kept when absent or null, replaced, and cleared", async () => {
    const secret = "a client secret of github";
    const first = await put("oauth_idp_b", { enabled: true, public_config: { client_id: "app" }, secret });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      provider: "oauth_idp_b",
      enabled: true,
      public_config: { client_id: "app" },
      secret_set: true,
      degraded: false,
    });
    expect(first.body.key_id).toMatch(/^[0-9a-f]{16}$/);
    const [row] = await at.sql`select sealed_secret from provider_configs where provider = 'oauth_idp_b'`;
    expect(row?.sealed_secret.toString("latin1")).not.toContain(secret);
    const kept = await put("oauth_idp_b", { enabled: true, public_config: { client_id: "other" }, secret: null });
    expect(kept.body).toMatchObject({ public_config: { client_id: "other" }, secret_set: true, degraded: false });
    expect((await probe("oauth_idp_b")).body).toMatchObject({ ok: true });
    const cleared = await put("oauth_idp_b", { enabled: false, clear_secret: true });
    expect(cleared.body).toMatchObject({ enabled: false, public_config: {}, secret_set: false, key_id: null });
    expect((await viewOf("oauth_idp_b")).updated_at).toBe(cleared.body.updated_at);
  });

  test("200: the audit trail has provider, actor and key id, and nothing else", async () => {
    const secret = "another client secret";
    const { body } = await put("oauth_idp_e", { enabled: true, public_config: { client_id: "fb" }, secret });
    const [entry] = (await auditsOf("provider.updated", "oauth_idp_e")).slice(-1);
    expect(entry?.metadata).toEqual({ provider: "oauth_idp_e", key_id: body.key_id });
    expect(JSON.stringify(entry)).not.toContain(secret);
    await put("oauth_idp_e", { enabled: false, clear_secret: true });
    const [last] = (await auditsOf("provider.updated", "oauth_idp_e")).slice(-1);
    expect(last?.metadata).toEqual({ provider: "oauth_idp_e", key_id: null });
  });

  test("200: an enabled provider without what it needs is degraded, and readiness says so", async () => {
    const { body } = await put("oauth_idp_c", { enabled: true, public_config: { tenant: "organizations" } });
    expect(body).toMatchObject({ degraded: true, public_config: { tenant: "organizations" } });
    const ready = await admin.get("/readyz");
    expect(ready.status).toBe(200);
    expect(ready.body.provider_config).toEqual({ degraded: true, providers: ["oauth_idp_c"] });
    await put("oauth_idp_c", { enabled: false });
    expect((await admin.get("/readyz")).body.provider_config).toEqual({ degraded: false, providers: [] });
  });

  test("200: mails go the way just set, on the other replica within 1 s, and the old way once it is off", async () => {
    const secret = "re_set_by_an_administrator";
    await put("email_transport", { enabled: true, public_config: { from: "hello@example.org" }, secret });
    const { email } = await registered(at.other.url);
    await tokenTo(at.mail, email, VERIFY_LINK);
    const sent = at.mail.calls.find((call) => call.mail.to.includes(email));
    expect(sent?.authorization).toBe(`Bearer ${secret}`);
    expect(sent?.mail.from).toBe("hello@example.org");
    await put("email_transport", { enabled: false });
    const after = await registered(at.one.url);
    await tokenTo(at.mail, after.email, VERIFY_LINK);
    expect(at.mail.calls.find((call) => call.mail.to.includes(after.email))?.authorization).toBe("Bearer re_test");
  });

  test("400: an invalid value changes nothing", async () => {
    const before = await at.sql`select * from provider_configs order by provider`;
    const clientId = { public_config: { client_id: "app" } };
    const wrong: [string, unknown][] = [
      ["smoke_signals", { enabled: false }],
      ["__proto__", { enabled: false }],
      ["email_transport", { enabled: false, public_config: { from: "nobody" } }],
      ["email_transport", { enabled: true, public_config: { from: "a@b\r\nBcc: c@d" } }],
      ["email_transport", { enabled: true, secret: "sk_of_another_service" }],
      ["email_transport", { enabled: true, secret: "re_with\nnewline" }],
      ["oauth_idp_a", { enabled: true }],
      ["oauth_idp_b", { enabled: true, public_config: { client_id: "" } }],
      ["oauth_idp_a", { enabled: true, public_config: { client_id: "  " }, secret: "long enough" }],
      ["oauth_idp_a", { enabled: true, public_config: { client_id: 7 } }],
      ["oauth_idp_a", { enabled: true, ...clientId, secret: "seven77" }],
      ["oauth_idp_a", { enabled: true, ...clientId, secret: "" }],
      ["oauth_idp_a", { enabled: true, ...clientId, secret: "x".repeat(4097) }],
      ["oauth_idp_a", { enabled: true, ...clientId, secret: "long enough", clear_secret: true }],
      ["oauth_idp_a", { enabled: true, public_config: [] }],
      ["oauth_idp_a", { enabled: true, public_config: "client_id" }],
      ["oauth_idp_a", { enabled: "yes", ...clientId }],
      ["oauth_idp_a", { ...clientId }],
      ["oauth_idp_c", { enabled: true, public_config: { client_id: "app", tenant: "../other" } }],
      ["oauth_idp_d", { enabled: true, secret: "not a key at all" }],
    ];
    for (const [provider, body] of wrong) {
      const response = await put(provider, body);
      expect([provider, body, response.status, response.body?.error.code]).toEqual([
        provider,
        body,
        400,
        "invalid_input",
      ]);
    }
    expect(await at.sql`select * from provider_configs order by provider`).toEqual(before);
  });

  test("400: no secret is stored without SERVICE_CONFIG_KEY; all else works", async () => {
    const databaseUrl = await freshDatabase();
    const replica = await startReplica({ DATABASE_URL: databaseUrl });
    const { client } = await steppedUpAdmin({ one: replica, sql: openSql(databaseUrl) });
    const body = { enabled: true, public_config: { client_id: "app" } };
    expect((await client.get("/v1/admin/integrations")).body.secrets_enabled).toBe(false);
    expect((await put("oauth_idp_a", { ...body, secret: "long enough" }, client)).status).toBe(400);
    expect((await put("oauth_idp_a", body, client)).body).toMatchObject({ enabled: true, degraded: true });
    await replica.kill();
  });

  test("401: requires a second factor presented in this session within five minutes, and no older one", async () => {
    const person = await steppedUpAdmin(at);
    expect((await put("oauth_idp_d", { enabled: false }, person.client)).status).toBe(200);
    await at.sql`update sessions set mfa_verified_at = now() - interval '301 seconds' where user_id = ${person.userId}`;
    await person.client.post("/v1/auth/refresh");
    const response = await put("oauth_idp_d", { enabled: false }, person.client);
    expect([response.status, response.body.error.code]).toEqual([401, "mfa_required"]);
    expect((await probe("oauth_idp_d", person.client)).body.error.code).toBe("mfa_required");
  });

  test("403: a viewer, and a caller without the CSRF header", async () => {
    const { client } = await platformUser(at, "viewer");
    expect((await put("oauth_idp_d", { enabled: false }, client)).body.error.code).toBe("forbidden");
    expect((await probe("oauth_idp_d", client)).body.error.code).toBe("forbidden");
    const path = "/v1/admin/integrations/oauth_idp_d";
    expect((await admin.put(path, { enabled: false }, { csrf: false })).body.error.code).toBe("csrf_failed");
  });

  test("429: more than 100 requests a minute of one address, over the three endpoints together", async () => {
    const replica = await startReplica({ DATABASE_URL: at.databaseUrl, SERVICE_RATE_LIMITS: "on" });
    const client = admin.at(replica.url);
    const statuses = [];
    for (let count = 0; count < 101; count += 1) {
      const { status } = count % 2 ? await client.get("/v1/admin/integrations") : await put("nothing", {}, client);
      statuses.push(status);
    }
    expect(statuses.slice(0, 100)).not.toContain(429);
    expect(statuses[100]).toBe(429);
    await replica.kill();
  });
});

describe("POST /v1/admin/integrations/:provider/test", () => {
  test("200: asks the email provider with the stored key, and tells no more than its status", async () => {
    const replica = await startReplica({
      DATABASE_URL: at.databaseUrl,
      SERVICE_CONFIG_KEY: OLD_KEY,
      SERVICE_EMAIL_API_URL: emailApi.url.origin,
    });
    const client = admin.at(replica.url);
    expect((await probe("email_transport", client)).body).toEqual({ ok: false, detail: "No secret is stored." });
    await put("email_transport", { enabled: false, secret: "re_stored" }, client);
    const asked: (string | null)[] = [];
    domains = (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get("authorization")}`);
      return Response.json({ data: [] });
    };
    expect((await probe("email_transport", client)).body.ok).toBe(true);
    expect(asked).toEqual(["GET /domains Bearer re_stored"]);
    domains = () => Response.json({ message: "re_stored is no key" }, { status: 401 });
    const refused = await probe("email_transport", client);
    expect([refused.status, refused.body.ok, refused.body.detail]).toEqual([
      200,
      false,
      "The provider returned status 401.",
    ]);
    domains = () => Response.redirect(`${at.mail.url}/elsewhere`);
    expect((await probe("email_transport", client)).body.ok).toBe(false);
    domains = () => new Response("x".repeat(1024 * 1024));
    expect((await probe("email_transport", client)).body).toEqual({
      ok: false,
      detail: "The provider did not respond.",
    });
    const [tested] = (await auditsOf("provider.tested", "email_transport")).slice(-1);
    expect(tested).toMatchObject({ outcome: "failure", metadata: { provider: "email_transport" } });
    await replica.kill();
  });

  test("200: gives up on an email provider that does not respond within five seconds", async () => {
    const replica = await startReplica({
      DATABASE_URL: at.databaseUrl,
      SERVICE_CONFIG_KEY: OLD_KEY,
      SERVICE_EMAIL_API_URL: emailApi.url.origin,
    });
    await put("email_transport", { enabled: false, secret: "re_stored" });
    domains = async () => {
      await Bun.sleep(20_000);
      return Response.json({});
    };
    const elapsed = stopwatch();
    expect((await probe("email_transport", admin.at(replica.url))).body.ok).toBe(false);
    expect(elapsed()).toBeLessThan(7_000);
    await replica.kill();
  });

  test("200: signs Apple's client secret, and says when the key cannot", async () => {
    const fields = { client_id: "services.id", team_id: "TEAM", key_id: "KEY" };
    const p256 = await exportPKCS8((await generateKeyPair("ES256", { extractable: true })).privateKey);
    const stored = await put("oauth_idp_d", { enabled: true, public_config: fields, secret: p256 });
    expect(stored.body.degraded).toBe(false);
    expect((await probe("oauth_idp_d")).body.ok).toBe(true);
    const rsa = await exportPKCS8((await generateKeyPair("RS256", { extractable: true })).privateKey);
    expect((await put("oauth_idp_d", { enabled: true, public_config: fields, secret: rsa })).body.degraded).toBe(true);
    expect((await probe("oauth_idp_d")).body.ok).toBe(false);
    await put("oauth_idp_d", { enabled: false, clear_secret: true });
  });
});

describe("SERVICE_CONFIG_KEY", () => {
  test("a row that is copied to another provider does not open (G22)", async () => {
    await put("oauth_idp_a", { enabled: true, public_config: { client_id: "a" }, secret: "secret of a" });
    await put("oauth_idp_b", { enabled: true, public_config: { client_id: "b" }, secret: "secret of b" });
    await at.sql`
      update provider_configs b set sealed_secret = a.sealed_secret, revision = b.revision + 1
      from provider_configs a where a.provider = 'oauth_idp_a' and b.provider = 'oauth_idp_b'`;
    expect(await viewOf("oauth_idp_a")).toMatchObject({ degraded: false });
    expect(await viewOf("oauth_idp_b")).toMatchObject({ degraded: true });
    await put("oauth_idp_a", { enabled: false, clear_secret: true });
    await put("oauth_idp_b", { enabled: false, clear_secret: true });
  });

  test("without Redis the other replicas know a change within thirty seconds, by polling", async () => {
    const databaseUrl = await freshDatabase();
    const settings = { DATABASE_URL: databaseUrl, SERVICE_CONFIG_KEY: OLD_KEY };
    const [one, other] = await Promise.all([startReplica(settings), startReplica(settings)]);
    const { client } = await steppedUpAdmin({ one, sql: openSql(databaseUrl) });
    await put("oauth_idp_c", { enabled: true }, client);
    await eventually("the other replica knows", 30_000, async () => {
      return (await client.at(other.url).get("/readyz")).body.provider_config.degraded;
    });
    await Promise.all([one.kill(), other.kill()]);
  });

  test("rotated: degraded if unknown, used if previous, resealed by `config rotate` amid sign-ins", async () => {
    const databaseUrl = await freshDatabase();
    const old = await startReplica({ DATABASE_URL: databaseUrl, SERVICE_CONFIG_KEY: OLD_KEY });
    const sql = openSql(databaseUrl);
    const person = await steppedUpAdmin({ one: old, sql });
    const body = { enabled: true, public_config: { client_id: "a" }, secret: "a secret of google" };
    const { key_id: oldId } = (await put("oauth_idp_a", body, person.client)).body;
    const foreign = await startReplica({ DATABASE_URL: databaseUrl, SERVICE_CONFIG_KEY: NEW_KEY });
    expect(await viewOf("oauth_idp_a", person.client.at(foreign.url))).toMatchObject({ degraded: true, key_id: oldId });
    await foreign.kill();
    const env = { DATABASE_URL: databaseUrl, SERVICE_CONFIG_KEY: NEW_KEY, SERVICE_CONFIG_KEYS_PREVIOUS: OLD_KEY };
    const current = await startReplica(env);
    expect(await viewOf("oauth_idp_a", person.client.at(current.url))).toMatchObject({ degraded: false });
    let rotating = true;
    const load = Array.from({ length: 16 }, async () => {
      const statuses = new Set<number>();
      const { client } = await registered(current.url);
      while (rotating) {
        statuses.add((await client.post("/v1/auth/refresh")).status);
        statuses.add((await client.get("/v1/auth/session")).status);
      }
      return statuses;
    });
    const unreadable = await runService(["config", "rotate"], {
      DATABASE_URL: databaseUrl,
      SERVICE_CONFIG_KEY: NEW_KEY,
    });
    expect([unreadable.code, unreadable.output]).toEqual([1, expect.stringContaining("cannot be opened")]);
    const rotated = await runService(["config", "rotate"], env);
    expect([rotated.code, rotated.output]).toEqual([0, "Google (oauth_idp_a): resealed under the new key\n"]);
    expect((await runService(["config", "rotate"], env)).output).toContain("already sealed under this key");
    rotating = false;
    expect(new Set((await Promise.all(load)).flatMap((statuses) => [...statuses]))).toEqual(new Set([200]));
    const view = await viewOf("oauth_idp_a", person.client.at(current.url));
    expect(view.degraded).toBe(false);
    expect(view.key_id).not.toBe(oldId);
    const [entry] = await sql`select * from audit_logs where action = 'provider.updated' order by id desc limit 1`;
    expect(entry).toMatchObject({ actor_type: "system", metadata: { provider: "oauth_idp_a", key_id: view.key_id } });
    await Promise.all([old.kill(), current.kill()]);
  });
});
