/** Sign-in by the identity provider of an organization, over two replicas (G151, G152). */
import { beforeEach, describe, expect, test } from "bun:test";
import { SSO_REQUESTS_MAX } from "../../src/limits/sso-sign-in-limits.ts";
import { Client, registered } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { platformUser } from "../support/platform.ts";
import { ISSUER } from "../support/replica.ts";
import {
  announceConnections,
  attemptsOf,
  flushRedis,
  SsoBrowser,
  type SsoDeployment,
  setPolicy,
  ssoDeployment,
} from "../support/sso.ts";
import { until } from "../support/waiting.ts";

let sso: SsoDeployment;
beforeEach(async () => {
  sso = await ssoDeployment();
  sso.forged.provider.reset();
  await setPolicy(sso.at, sso.forged.organizationId, {});
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const JSON_ONLY = { headers: { accept: "application/json" } };
let people = 0;

/** An employee at the real identity provider of Acme. */
function employee(details: object = {}) {
  people += 1;
  const login = `employee-${people}`;
  const email = `${login}@${sso.acme.domain}`;
  sso.acme.provider.people.set(login, { email, email_verified: true, name: "Ada Lovelace", ...details });
  return { login, email };
}

/** A sign-in at the forged identity provider, whose ID token has these claims. */
async function enterForged(claims: object): Promise<Awaited<ReturnType<SsoBrowser["enter"]>>> {
  sso.forged.provider.claims = { ...claims };
  return await new SsoBrowser(sso.at.one.url).enter(sso.forged.connectionId);
}

describe("a sign-in", () => {
  test("starts at one replica and ends at the other, with Redis emptied between.", async () => {
    const { at, acme } = sso;
    const { login, email } = employee();
    const browser = new SsoBrowser(at.one.url);
    const callback = await browser.visit(await browser.begin(acme.connectionId), login);
    await flushRedis(at);
    const client = browser.client.at(at.other.url);
    const response = await client.get(`${callback.pathname}${callback.search}`, JSON_ONLY);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      status: "success",
      user: { email, organization_id: acme.organizationId, auth_method: "sso", mfa_verified_at: null },
      capabilities: { role: "member" },
    });
    const session = await client.get("/v1/auth/session");
    expect(session.body.session).toMatchObject({ auth_method: "sso", organization_bound: true, aal: "aal1" });
  });

  test("creates a user without a password whom the organization manages, and records each step.", async () => {
    const { at, acme } = sso;
    const { login, email } = employee();
    const userId = (await new SsoBrowser(at.one.url).enter(acme.connectionId, login)).body.user.user_id;
    const [user] = await at.sql`
      select email, display_name, password_hash, email_verified_at is not null as verified,
             controlled_at is not null as controlled, managed_by, platform_role
      from users where id = ${userId}`;
    expect(user).toMatchObject({
      email,
      display_name: "Ada Lovelace",
      password_hash: null,
      verified: true,
      controlled: true,
      managed_by: acme.organizationId,
      platform_role: null,
    });
    const records = await at.sql`
      select action, outcome, metadata from audit_logs where actor_id = ${userId} order by timestamp, action`;
    expect(records.map(({ action }) => action).sort()).toEqual([
      "auth.sso.linked",
      "auth.sso.login",
      "member.provisioned",
    ]);
    expect(JSON.stringify(records)).not.toContain(email);
    expect((await attemptsOf(acme))[0]).toBe("success  session");
  });

  test("redirects a browser to the local path of the start, and any other target to /.", async () => {
    const { at, acme } = sso;
    const targets = ["/projects?id=1", "https://evil.example/", "//evil.example", "/\\evil.example", "/%0d%0aX: y", ""];
    const reached: (string | null)[] = [];
    for (const target of targets) {
      const browser = new SsoBrowser(at.one.url);
      const query = `?redirect_to=${encodeURIComponent(target)}`;
      const callback = await browser.visit(await browser.begin(acme.connectionId, query), employee().login);
      const response = await browser.finish(callback, { accept: "text/html" });
      expect(response.status).toBe(302);
      reached.push(response.headers.get("location"));
      expect(response.setCookies.find((cookie) => cookie.startsWith("service_sso="))).toContain("Max-Age=0");
    }
    expect(reached).toEqual(["/projects?id=1", "/", "/", "/", "/", "/"]);
  });

  test("begins at the identity provider too: target_link_uri is the target (OpenID Connect Core).", async () => {
    const { at, acme } = sso;
    const browser = new SsoBrowser(at.one.url);
    const query = `?iss=${encodeURIComponent(acme.provider.issuer)}&target_link_uri=%2Freports`;
    const callback = await browser.visit(await browser.begin(acme.connectionId, query), employee().login);
    expect((await browser.finish(callback, { accept: "text/html" })).headers.get("location")).toBe("/reports");
  });

  test("passes an address to the identity provider from a form only.", async () => {
    const { at, acme } = sso;
    const start = `/v1/auth/sso/${acme.connectionId}/start`;
    const hint = (location: string | null) => new URL(location ?? "").searchParams.get("login_hint");
    const linked = await new Client(at.one.url).get(`${start}?login_hint=ada%40acme.com`);
    expect([linked.status, hint(linked.headers.get("location"))]).toEqual([302, null]);
    const form = { raw: "login_hint=ada%40acme.com", headers: { "content-type": "application/x-www-form-urlencoded" } };
    for (const options of [{ body: { login_hint: "Ada@acme.com" } }, form]) {
      const posted = await new Client(at.one.url).request("POST", start, options);
      expect([posted.status, hint(posted.headers.get("location"))]).toEqual([302, "ada@acme.com"]);
    }
  });

  test("of a known employee finds the user by the subject, and names no user twice.", async () => {
    const { at, acme } = sso;
    const { login } = employee();
    const first = await new SsoBrowser(at.one.url).enter(acme.connectionId, login);
    const second = await new SsoBrowser(at.other.url).enter(acme.connectionId, login, at.one.url);
    expect(second.body.user.user_id).toBe(first.body.user.user_id);
    const parallel = employee();
    const browsers = await race(() => new SsoBrowser(at.one.url).enter(acme.connectionId, parallel.login), 6);
    expect(browsers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(browsers.map(({ body }) => body.user.user_id)).size).toBe(1);
  });

  test("ends with the session of the identity provider (session_expiry).", async () => {
    const { at, forged } = sso;
    const expiry = Math.floor(Date.now() / 1000) + 1200;
    const claims = { sub: "expiring", email: `expiring@${forged.domain}` };
    const { body } = await enterForged({ ...claims, session_expiry: expiry });
    const [session] = await at.sql`select ends_at, expires_at from sessions where id = ${body.user.session_family_id}`;
    expect([session?.ends_at.getTime(), session?.expires_at.getTime()]).toEqual([expiry * 1000, expiry * 1000]);
    expect((await enterForged({ ...claims, session_expiry: expiry - 3600 })).status).toBe(401);
  });
});

describe("a request", () => {
  test("signs one browser in once, of 40 parallel callbacks at two replicas (G152).", async () => {
    const { at, acme } = sso;
    const browser = new SsoBrowser(at.one.url);
    const { login } = employee();
    const callback = await browser.visit(await browser.begin(acme.connectionId), login);
    const path = `${callback.pathname}${callback.search}`;
    const responses = await race(
      (index) => browser.client.at(index % 2 ? at.one.url : at.other.url).get(path, JSON_ONLY),
      40,
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(39).fill(401)]);
    await flushRedis(at);
    expect((await browser.client.get(path, JSON_ONLY)).status).toBe(401);
    const user = responses.find(({ status }) => status === 200)?.body.user;
    expect(await at.sql`select 1 from sessions where user_id = ${user.user_id}`).toHaveLength(1);
  });

  test("counts in the browser that began the request only, and stays usable there (G152).", async () => {
    const { at, acme } = sso;
    const [browser, victim] = [new SsoBrowser(at.one.url), new SsoBrowser(at.one.url)];
    const callback = await browser.visit(await browser.begin(acme.connectionId), employee().login);
    await victim.begin(acme.connectionId);
    const stolen = await victim.finish(callback);
    expect([stolen.status, stolen.body.error.code]).toEqual([401, "authentication_required"]);
    expect((await new SsoBrowser(at.other.url).finish(callback)).status).toBe(401);
    expect((await browser.finish(callback)).status).toBe(200);
  });

  test("counts at its connection only, with the code of its identity provider only (mix-up).", async () => {
    const { at, acme, hooli, forged } = sso;
    const browser = new SsoBrowser(at.one.url);
    const { login } = employee();
    const callback = await browser.visit(await browser.begin(acme.connectionId), login);
    const elsewhere = new URL(callback.href.replace(acme.connectionId, hooli.connectionId));
    expect((await browser.finish(elsewhere)).status).toBe(401);
    const foreignIssuer = new URL(callback);
    foreignIssuer.searchParams.set("iss", hooli.provider.issuer);
    expect((await browser.finish(foreignIssuer)).status).toBe(401);
    expect((await attemptsOf(acme))[0]).toBe("failure issuer response");
    const withoutIssuer = new URL(callback);
    withoutIssuer.searchParams.delete("iss");
    expect((await browser.finish(withoutIssuer)).status).toBe(401);
    // A refused message leaves the request usable.
    expect((await browser.finish(callback)).status).toBe(200);
    const other = new SsoBrowser(at.one.url);
    const foreign = await other.visit(await other.begin(forged.connectionId));
    const mine = new URL(await other.begin(acme.connectionId));
    foreign.pathname = foreign.pathname.replace(forged.connectionId, acme.connectionId);
    foreign.searchParams.set("state", mine.searchParams.get("state") ?? "");
    foreign.searchParams.set("iss", acme.provider.issuer);
    expect((await other.finish(foreign)).status).toBe(401);
    expect((await attemptsOf(acme))[0]).toBe("failure token_request response");
  });

  test("expires after ten minutes, and ends with the settings that began the request.", async () => {
    const { at, acme } = sso;
    for (const change of [
      () => at.sql`update sso_requests set expires_at = now() - interval '1 s'`,
      () => at.sql`update sso_requests set connection_revision = connection_revision - 1`,
    ]) {
      const browser = new SsoBrowser(at.one.url);
      const callback = await browser.visit(await browser.begin(acme.connectionId), employee().login);
      await change();
      expect((await browser.finish(callback)).status).toBe(401);
    }
    expect((await attemptsOf(acme)).slice(0, 2)).toEqual(["failure state request", "failure state request"]);
  });
});

test("429: a connection has at most 10,000 requests that wait for the identity provider.", async () => {
  const { at, hooli } = sso;
  const start = () => new Client(at.one.url).get(`/v1/auth/sso/${hooli.connectionId}/start`, JSON_ONLY);
  await at.sql`
    insert into sso_requests (id_hash, browser_hash, connection_id, connection_revision, intent, redirect_to,
                              created_at, expires_at)
    select sha256(n::text::bytea), sha256('browser'), ${hooli.connectionId}, 1, 'sign_in', '/', now(),
           now() + interval '10 minutes'
    from generate_series(1, ${SSO_REQUESTS_MAX}::integer) n`;
  const refused = await start();
  expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limited"]);
  const metrics = await (await fetch(`${at.one.url}/metrics`)).text();
  expect(metrics).toMatch(/service_bound_refusals_total\{service_bound="sso_requests"[^}]*\} [1-9]/);
  await at.sql`update sso_requests set expires_at = now() where connection_id = ${hooli.connectionId}`;
  expect((await start()).status).toBe(302);
});

describe("a connection without sign-ins", () => {
  test("404: is as an unknown connection, and ends sign-ins under way.", async () => {
    const { at, hooli } = sso;
    const { connectionId, organizationId } = hooli;
    const start = async () => {
      const { status, text, body } = await new Client(at.one.url).get(`/v1/auth/sso/${connectionId}/start`, JSON_ONLY);
      return status === 302 ? "302" : text.replace(body.error.request_id, "");
    };
    const unknown = await new Client(at.one.url).get(`/v1/auth/sso/${UNKNOWN}/start`, JSON_ONLY);
    const missing = unknown.text.replace(unknown.body.error.request_id, "");
    expect(unknown.status).toBe(404);
    /** Writes the three states; `updated_at` and the revision inform the replicas. */
    const store = async (status: string, mode: string, suspended: boolean) => {
      const suspendedAt = suspended ? new Date() : null;
      await at.sql`update organizations set suspended_at = ${suspendedAt} where id = ${organizationId}`;
      await at.sql`
        update sso_policies set mode = ${mode}, revision = revision + 1 where organization_id = ${organizationId}`;
      await at.sql`update sso_connections set status = ${status}, updated_at = now() where id = ${connectionId}`;
      await announceConnections(at);
    };
    hooli.provider.people.set("gavin", { email: `gavin@${hooli.domain}` });
    const states: readonly Parameters<typeof store>[] = [
      ["inactive", "optional", false],
      ["draft", "optional", false],
      ["active", "off", false],
      ["active", "optional", true],
    ];
    for (const state of states) {
      const browser = new SsoBrowser(at.one.url);
      const callback = await browser.visit(await browser.begin(connectionId), "gavin");
      await store(...state);
      await until("the replica knows the change", async () => (await start()) === missing);
      expect((await browser.finish(callback)).status).toBe(404);
      await store("active", "optional", false);
      await until("the replica knows the change", async () => (await start()) === "302");
    }
  });
});

describe("a failure", () => {
  test("redirects a browser to the sign-in page with code, request id and target, and no more.", async () => {
    const { at, acme } = sso;
    const browser = new SsoBrowser(at.one.url);
    const { login } = employee({ email: "ada@elsewhere.example" });
    const callback = await browser.visit(await browser.begin(acme.connectionId, "?redirect_to=%2Freports"), login);
    const response = await browser.finish(callback, { accept: "text/html" });
    const location = new URL(response.headers.get("location") ?? "", ISSUER);
    expect([response.status, location.pathname]).toEqual([302, "/sign-in"]);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: "forbidden",
      request_id: response.headers.get("x-request-id") ?? "",
      return_to: "/reports",
    });
  });

  test("503 and a page: the identity provider is away, and nothing but the request id is displayed.", async () => {
    const { at, forged } = sso;
    const browser = new SsoBrowser(at.one.url);
    const callback = await browser.visit(await browser.begin(forged.connectionId));
    forged.provider.answers.set("/token", () => new Response("down", { status: 502 }));
    const away = await browser.finish(callback);
    expect([away.status, away.body.error.code]).toEqual([503, "internal_error"]);
    const page = await browser.finish(callback, { accept: "text/html" });
    expect(page.headers.get("location")).toContain("/sign-in?error=internal_error&request_id=");
    forged.provider.answers.clear();
    forged.provider.claims = { sub: "back", email: `back@${forged.domain}` };
    expect((await browser.finish(callback)).status).toBe(200);
  });

  test("401: the identity provider refuses, with its own words in no response and no record (P12).", async () => {
    const { at, acme } = sso;
    const browser = new SsoBrowser(at.one.url);
    const state = new URL(await browser.begin(acme.connectionId)).searchParams.get("state") ?? "";
    const words = "<script>alert(1)</script>";
    const query = new URLSearchParams({ state, error: words, error_description: words, iss: acme.provider.issuer });
    const callback = new URL(`${ISSUER}/v1/auth/sso/${acme.connectionId}/callback?${query}`);
    const refused = await browser.finish(callback);
    expect([refused.status, refused.text.includes("alert")]).toEqual([401, false]);
    const [attempt] = await at.sql`
      select reason, step, email from sso_attempts where connection_id = ${acme.connectionId} order by at desc limit 1`;
    expect(attempt).toEqual({ reason: "provider_error", step: "response", email: null });
    expect(at.one.output()).not.toContain("alert(1)");
  });

  test("no input at start and callback gives a 500.", async () => {
    const { at, acme } = sso;
    const values = ["", "a", "%00", "%ff%fe", "a&state=b", "%F0%9F%92%A9", "x".repeat(5000), "[]=1", "..%2f.."];
    const paths = values.flatMap((value) => [
      `start?redirect_to=${value}`,
      `start?intent=${value}&login_hint=${value}&iss=${value}`,
      `callback?state=${value}&code=${value}&iss=${value}`,
      `callback?error=${value}`,
    ]);
    for (const path of paths) {
      const client = new Client(at.one.url);
      client.setCookie("service_sso", "x", "/v1/auth/sso");
      const { status } = await client.get(`/v1/auth/sso/${acme.connectionId}/${path}`, {
        ...JSON_ONLY,
        documented: false,
      });
      expect([path, status < 500]).toEqual([path, true]);
    }
    for (const raw of ["", "{", '{"login_hint":7}', '{"login_hint":"\\u0000"}', "login_hint=%00"]) {
      const posted = await new Client(at.one.url).request("POST", `/v1/auth/sso/${acme.connectionId}/start`, {
        raw,
        headers: { "content-type": raw.startsWith("l") ? "application/x-www-form-urlencoded" : "application/json" },
        documented: false,
      });
      expect([raw, posted.status < 500]).toEqual([raw, true]);
    }
  });

  test("messages without a request take five places a minute and network.", async () => {
    const { at, hooli } = sso;
    await race(() => new Client(at.one.url).get(`/v1/auth/sso/${hooli.connectionId}/callback?state=a`, JSON_ONLY), 12);
    const rows = await at.sql`select 1 from sso_attempts where connection_id = ${hooli.connectionId} and not requested`;
    expect(rows.length).toBe(5);
  });
});

const now = () => Math.floor(Date.now() / 1000);
const html = () => new Response("<html>", { headers: { "content-type": "text/html" } });
const refused = () => Response.json({ error: "invalid_grant" }, { status: 400 });

interface Forgery {
  readonly claims?: object;
  readonly provider?: { readonly foreignKey?: boolean; readonly unsigned?: boolean };
  readonly token?: () => Response;
}

/** Forged responses, each with the reason that the administrators read. */
const FORGERIES: readonly (readonly [string, string, () => Forgery])[] = [
  ["a key that the provider does not publish", "id_token", () => ({ provider: { foreignKey: true } })],
  ["no signature", "id_token", () => ({ provider: { unsigned: true } })],
  ["a different issuer", "issuer", () => ({ claims: { iss: sso.acme.provider.issuer } })],
  ["a different audience", "id_token", () => ({ claims: { aud: "another-client" } })],
  ["several audiences without azp", "id_token", () => ({ claims: { aud: ["identity-service", "another-client"] } })],
  ["a different azp", "id_token", () => ({ claims: { azp: "another-client" } })],
  ["the nonce of another request", "nonce", () => ({ claims: { nonce: "another" } })],
  ["no nonce", "nonce", () => ({ claims: { nonce: undefined } })],
  ["an expired token", "id_token", () => ({ claims: { exp: now() - 600 } })],
  ["an old token", "id_token", () => ({ claims: { iat: now() - 800 } })],
  ["a token of the future", "id_token", () => ({ claims: { iat: now() + 600 } })],
  ["a wrong at_hash", "id_token", () => ({ claims: { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" } })],
  ["an endless subject", "subject", () => ({ claims: { sub: "s".repeat(257) } })],
  ["a subject with a line break", "subject", () => ({ claims: { sub: "a\nb" } })],
  ["a refused code", "token_request", () => ({ token: refused })],
  ["no JSON from the token endpoint", "token_request", () => ({ token: html })],
];

describe("a response is refused (G151)", () => {
  for (const [title, reason, forge] of FORGERIES) {
    test(`with ${title}: ${reason}`, async () => {
      const { provider, domain, connectionId } = sso.forged;
      const { claims, token, provider: changes } = forge();
      provider.claims = { sub: `forged ${title}`, email: `forged@${domain}`, ...claims };
      Object.assign(provider, changes);
      if (token) provider.answers.set("/token", token);
      const response = await new SsoBrowser(sso.at.one.url).enter(connectionId);
      expect([response.status, response.body.error.code]).toEqual([401, "authentication_required"]);
      expect((await attemptsOf(sso.forged))[0]).toBe(`failure ${reason} response`);
      expect(await sso.at.sql`select 1 from users where email = ${`forged@${domain}`}`).toHaveLength(0);
    });
  }
});

describe("a registration before the employee", () => {
  test("loses its password and sessions: the first controlling proof is the employee's.", async () => {
    const { at, acme } = sso;
    const { login, email } = employee();
    const squatter = await registered(at.one.url, { email });
    const response = await new SsoBrowser(at.one.url).enter(acme.connectionId, login);
    expect([response.status, response.body.user.user_id]).toEqual([200, squatter.userId]);
    expect((await squatter.client.at(at.other.url).get("/v1/auth/session")).status).toBe(401);
    const [user] = await at.sql`select password_hash, managed_by from users where id = ${squatter.userId}`;
    expect(user).toEqual({ password_hash: null, managed_by: null });
  });
});

test("The explanation of a refused sign-in has the reason and the sentence of the attempts (G160).", async () => {
  const { at, forged } = sso;
  const { client: viewer } = await platformUser(at, "viewer");
  const refused = await enterForged({ email: "ada@elsewhere.test" });
  expect(await attemptsOf(forged)).toContain("failure domain account");
  const explanation = await viewer.get(`/v1/admin/requests/${refused.headers.get("x-request-id")}`);
  const sentences = explanation.body.sentences.join("\n");
  expect(sentences).toContain("reason domain");
  const { text } = await new Client(at.one.url).get("/metrics");
  expect(text).toMatch(/service_sso_sign_ins_total\{[^}]*protocol="oidc"[^}]*reason="domain"[^}]*\} [1-9]/);
  expect(text).toMatch(/service_sso_verification_duration_seconds_count\{[^}]*protocol="oidc"[^}]*\} [1-9]/);
  expect(sentences).toContain("The address is in no verified domain of this connection. Verify the domain.");
});
