import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import type postgres from "postgres";
import { Visitor } from "../support/browser.ts";
import { type Answer, Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";
import {
  APPLE,
  callbackOf,
  GITHUB,
  GOOGLE,
  MICROSOFT,
  type SocialDeployment,
  socialDeployment,
} from "../support/identity/social.ts";
import { codeOf, enrolled } from "../support/mfa.ts";
import { authorizePath, Browser, exchange, makePkce, registerClient } from "../support/oauth.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase } from "../support/services.ts";
import { verifyAddress } from "../support/states.ts";
import { statementsWait } from "../support/team.ts";

let social: SocialDeployment;
let at: SocialDeployment["at"];
beforeAll(async () => {
  social = await socialDeployment();
  ({ at } = social);
});
afterEach(() => social.forged.reset());

const usersOf = async (email: string) => (await at.sql`select * from users where email = ${email}`) as { id: string }[];
const auditsOf = async (action: string, email: string) =>
  await at.sql`
    select a.* from audit_logs a join users u on u.id = a.actor_id
    where u.email = ${email} and action = ${action}`;

describe("GET /v1/auth/oauth/:provider/start", () => {
  test("302: to the provider with state, PKCE S256, nonce; bound to the browser by a ten-minute cookie", async () => {
    const response = await new Client(at.one.url).get(`/v1/auth/oauth/${GOOGLE}/start`);
    const location = new URL(response.headers.get("location") ?? "");
    expect([response.status, location.origin]).toEqual([302, social.openid.issuer]);
    const asked = Object.fromEntries(location.searchParams);
    expect(asked).toMatchObject({
      response_type: "code",
      client_id: "google-app",
      redirect_uri: callbackOf(GOOGLE),
      code_challenge_method: "S256",
      scope: "openid email profile",
    });
    for (const name of ["state", "nonce", "code_challenge"]) expect(asked[name]).toMatch(/^[A-Za-z0-9_-]{43}$/);
    // The plain name for later requests, and the name of this request, so that tabs do not replace one another (G402).
    const binding =
      /^service_oauth(_[0-9a-f]{8})?=[A-Za-z0-9_-]{43}; Max-Age=600; Path=\/v1\/auth\/oauth; HttpOnly; SameSite=Lax$/;
    expect(response.setCookies).toEqual([expect.stringMatching(binding), expect.stringMatching(binding)]);
  });

  test("302: with `Secure` behind https", async () => {
    const secure = await startReplica({
      DATABASE_URL: at.databaseUrl,
      ...social.settings,
      SERVICE_PUBLIC_BASE_URL: "https://id.test",
    });
    const response = await new Client(secure.url).get(`/v1/auth/oauth/${GITHUB}/start`);
    expect(response.setCookies[0]).toContain("; Secure");
    expect(new URL(response.headers.get("location") ?? "").searchParams.get("redirect_uri")).toBe(
      callbackOf(GITHUB, "https://id.test"),
    );
    await secure.kill();
  });

  test("400: a redirect_to that could leave this site, however it is written (G11)", async () => {
    const leaving = [
      "https://evil.test/",
      "//evil.test",
      "/\\evil.test",
      "\\\\evil.test",
      "/\t/evil.test",
      "/\n/evil.test",
      "/%2f/evil.test",
      "/%2F%2Fevil.test",
      "/%5cevil.test",
      "/%09/evil.test",
      "/.//evil.test",
      "/a/..//evil.test",
      "javascript:alert(1)",
      "evil.test",
      "",
      " /x",
      "/x\u0000",
      `/${"x".repeat(3000)}`,
    ];
    for (const path of leaving) {
      const response = await new Client(at.one.url).get(
        `/v1/auth/oauth/${GOOGLE}/start?redirect_to=${encodeURIComponent(path)}`,
      );
      expect([path, response.status, response.body?.error.code]).toEqual([path, 400, "invalid_input"]);
      expect(response.setCookies).toEqual([]);
    }
  });

  test("404: a provider that is unknown, off, or not set up", async () => {
    const bare = await startReplica({ DATABASE_URL: await freshDatabase() });
    for (const provider of [GOOGLE, MICROSOFT, "email_transport", "google", "__proto__", "constructor"]) {
      const response = await new Client(bare.url).get(`/v1/auth/oauth/${provider}/start`);
      expect([provider, response.status]).toEqual([provider, 404]);
    }
    await bare.kill();
  });

  test("500 and 302: a provider that cannot be reached, is endless, or sends elsewhere", async () => {
    const path = "/.well-known/openid-configuration";
    const bad = [
      () => new Response("down", { status: 503 }),
      () => Response.redirect(`${social.openid.issuer}${path}`),
      () => new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) })),
      () => Response.json({ issuer: "https://somebody.else", authorization_endpoint: "https://evil.test" }),
    ];
    // A new replica has not cached the document, which replicas keep for an hour.
    const settings = { ...social.settings, SERVICE_OAUTH_IDP_A_ISSUER: social.forged.url };
    const replica = await startReplica({ DATABASE_URL: at.databaseUrl, REDIS_URL: at.redis.url, ...settings });
    for (const response of bad) {
      social.forged.answers.set(path, response);
      const json = await new Client(replica.url).get(`/v1/auth/oauth/${GOOGLE}/start`, {
        headers: { accept: "application/json" },
      });
      expect([json.status, json.body.error.code]).toEqual([500, "internal_error"]);
    }
    social.forged.answers.set(path, () => new Response("down", { status: 503 }));
    const page = await new Client(replica.url).get(`/v1/auth/oauth/${GOOGLE}/start`);
    expect([page.status, page.headers.get("location")]).toEqual([302, "/sign-in?error=internal_error"]);
    const led = await new Client(replica.url).get(`/v1/auth/oauth/${GOOGLE}/start?redirect_to=%2Fteam%3Fq%3Da%26b`);
    expect(led.headers.get("location")).toBe("/sign-in?error=internal_error&return_to=%2Fteam%3Fq%3Da%26b");
    await replica.kill();
  });
});

describe("GET /v1/auth/oauth/:provider/callback", () => {
  test("302: in Chromium, through the provider's login page, to where the sign-in began, with a session", async () => {
    const own = { DATABASE_URL: at.databaseUrl, REDIS_URL: at.redis.url, ...social.settings };
    const replica = await startReplica({
      ...own,
      PORT: String(social.browserPort),
      SERVICE_PUBLIC_BASE_URL: social.browserOrigin,
    });
    const { login, email } = social.person();
    const visitor = await Visitor.at(social.browserOrigin);
    const redirectTo = encodeURIComponent("/healthz?from=home#top");
    for (const provider of [GOOGLE, APPLE]) {
      await visitor.page.goto(`${social.browserOrigin}/v1/auth/oauth/${provider}/start?redirect_to=${redirectTo}`);
      if (provider === GOOGLE) {
        await visitor.page.fill("input[name=login]", login);
        await visitor.page.fill("input[name=password]", "any");
        await visitor.page.click("button[type=submit]");
      }
      await visitor.page.click("button[type=submit]");
      await visitor.page.waitForURL(`${social.browserOrigin}/healthz?from=home#top`);
      const session = await visitor.call("GET", "/v1/auth/session");
      expect(session.body).toMatchObject({ user: { email, auth_method: "social_oauth" } });
    }
    const identities = await at.sql`select provider from user_identities i join users u on u.id = i.user_id
      where u.email = ${email} order by provider`;
    expect(identities.map((identity) => identity.provider)).toEqual([GOOGLE, APPLE]);
    const cookies = await visitor.page.context().cookies();
    expect(cookies.map((cookie) => cookie.name)).not.toContain("service_oauth");
    await visitor.close();
    await replica.kill();
  });

  test("302: an application's request continues after the callback, in its browser, to a code", async () => {
    const wiki = await registerClient({}, (await steppedUpAdmin(at, "owner")).client);
    const [browser, thief] = [new Browser(at.one.url), new Browser(at.one.url)];
    const pkce = makePkce();
    const { answer, path } = await browser.follow(authorizePath(wiki, pkce.challenge));
    const return_to = new URLSearchParams(path.split("?")[1]).get("return_to") ?? "";
    const start = new RegExp(`href="(/v1/auth/oauth/${GOOGLE}/start[^"]+)"`).exec(answer.text)?.[1] ?? "";
    const sent = await browser.get(start.replaceAll("&amp;", "&"));
    const callback = await new OAuthBrowser(at.one.url).visit(
      sent.headers.get("location") ?? "",
      social.person().login,
    );
    expect((await thief.follow(`${callback.pathname}${callback.search}`)).path).toStartWith("/sign-in?error=");
    const { location } = await browser.follow(`${callback.pathname}${callback.search}`);
    const code = { code: location?.searchParams.get("code") ?? "", pkce };
    const { body } = await exchange(at.one.url, wiki, code);
    expect(decodeJwt(body.id_token)).toMatchObject({ aud: wiki.id, amr: ["fed"] });
    expect((await thief.follow(return_to)).answer.status).toBe(400);
  });

  test("200: somebody unknown gets a user, an organization of its own and a session", async () => {
    const { login, email } = social.person({ name: "Grace Hopper" });
    const browser = new OAuthBrowser(at.one.url);
    const response = await browser.signIn(GOOGLE, login);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      status: "success",
      user: { email, auth_method: "social_oauth", mfa_verified_at: null },
      capabilities: { role: "owner" },
    });
    expect(decodeJwt(response.body.access_token)).toMatchObject({ auth_method: "social_oauth", aal: "aal1", email });
    expect(browser.client.cookie("service_oauth")).toBeUndefined();
    const { body } = await browser.client.get("/v1/users/me");
    expect(body).toMatchObject({ email_verified: true, display_name: "Grace Hopper" });
    expect(await auditsOf("auth.register", email)).toHaveLength(1);
    expect((await auditsOf("auth.oauth.login", email))[0]?.metadata).toEqual({
      method: "social_oauth",
      provider: GOOGLE,
    });
    const refreshed = await browser.client.post("/v1/auth/refresh");
    expect(decodeJwt(refreshed.body.access_token)).toMatchObject({ email });
    expect(decodeJwt(browser.client.cookie("service_rt") ?? "").email).toBeUndefined();
  });

  test.each([
    ["Grace\u202E\u200B\nHopper", "Grace Hopper"],
    ["Claim it at http://evil.example/x", null],
  ])(
    "200: the name %p from a provider is cleaned to %p; without one the organization has the address's",
    async (name, cleaned) => {
      const { login, email } = social.person({ name });
      const browser = new OAuthBrowser(at.one.url);
      expect((await browser.signIn(GOOGLE, login)).status).toBe(200);
      const { body } = await browser.client.get("/v1/users/me");
      expect([body.display_name, body.organizations[0].name]).toEqual([cleaned, cleaned ?? email.split("@")[0]]);
    },
  );

  test("200: an equal subject is the same user, with any present address", async () => {
    const { login, email } = social.person();
    const first = await new OAuthBrowser(at.one.url).signIn(GOOGLE, login);
    social.openid.people.set(login, { email: newEmail(), email_verified: false });
    const second = await new OAuthBrowser(at.other.url).signIn(GOOGLE, login);
    expect(second.body.user).toMatchObject({ user_id: first.body.user.user_id, email });
  });

  test("200: an address that both sides have verified links the identity, and the owner gets an email", async () => {
    const user = await social.verifiedUser();
    const { login } = social.person({ email: user.email.toUpperCase() });
    const response = await new OAuthBrowser(at.one.url).signIn(GOOGLE, login);
    expect(response.body.user).toMatchObject({ user_id: user.userId, organization_id: user.organizationId });
    expect((await auditsOf("auth.oauth.linked", user.email))[0]?.metadata).toEqual({ provider: GOOGLE });
    const [mail] = await at.mail.mailsTo(user.email, /account at Google was connected/);
    expect(mail?.subject).toContain("Google");
  });

  /** Starts a sign-in that links an identity while a transaction applies `change` to the user. */
  async function linkDuring(change: (sql: postgres.TransactionSql, userId: string) => Promise<unknown>) {
    const user = await social.verifiedUser();
    const { login } = social.person({ email: user.email });
    const browser = new OAuthBrowser(at.one.url);
    const callback = await browser.visit(await browser.start(GOOGLE), login);
    let answered: Promise<Answer> | undefined;
    await at.sql.begin(async (tx) => {
      await change(tx, user.userId);
      answered = browser.finish(callback);
      await statementsWait(at.sql, 1);
    });
    const status = (await answered)?.status;
    const identities = await at.sql`select provider from user_identities where user_id = ${user.userId}`;
    return { user, status, identities };
  }

  test("200: a link that is retried because the credentials changed is recorded and announced once", async () => {
    const { user, status, identities } = await linkDuring(
      (sql, userId) => sql`update users set credentials_epoch = credentials_epoch + 1 where id = ${userId}`,
    );
    expect([status, identities.length]).toEqual([200, 1]);
    expect(await auditsOf("auth.oauth.linked", user.email)).toHaveLength(1);
    expect(await at.mail.mailsTo(user.email, /account at Google was connected/)).toHaveLength(1);
  });

  test.each([
    ["the user is disabled", (sql, id) => sql`update users set disabled_at = now() where id = ${id}`],
    ["the membership ends", (sql, id) => sql`delete from members where user_id = ${id}`],
  ] satisfies [string, Parameters<typeof linkDuring>[0]][])(
    "401: a sign-in with %s meanwhile links no identity",
    async (_, change) => {
      const { user, status, identities } = await linkDuring(change);
      expect([status, identities.length]).toEqual([401, 0]);
      expect(await auditsOf("auth.oauth.linked", user.email)).toHaveLength(0);
    },
  );

  test("409: no link by an address that is not verified on either side (G11)", async () => {
    const unverifiedHere = await registered(at.one.url);
    const verifiedHere = await social.verifiedUser();
    const cases = [
      social.person({ email: unverifiedHere.email }),
      social.person({ email: verifiedHere.email, email_verified: false }),
      social.person({ email: unverifiedHere.email, email_verified: false }),
    ];
    for (const { login } of cases) {
      const response = await new OAuthBrowser(at.one.url).signIn(GOOGLE, login);
      expect([response.status, response.body.error.code]).toEqual([409, "conflict"]);
      expect(response.setCookies).toEqual([]);
    }
    const identities = await at.sql`
      select 1 from user_identities
      where user_id in ${at.sql([unverifiedHere.userId, verifiedHere.userId])}`;
    expect(identities).toHaveLength(0);
  });

  test("200 and 302: a user with a second factor is sent to the challenge", async () => {
    const user = await enrolled(at);
    await verifyAddress(at.sql, user.userId);
    const { login } = social.person({ email: user.email });
    const json = await new OAuthBrowser(at.one.url).signIn(GOOGLE, login);
    expect(json.body).toMatchObject({ status: "mfa_required", mfa_token_expires_in: 300 });
    expect(json.setCookies).toEqual([
      expect.stringMatching(/^service_oauth=; Max-Age=0/),
      expect.stringMatching(/^service_oauth_[0-9a-f]{8}=; Max-Age=0/),
    ]);
    const browser = new OAuthBrowser(at.one.url);
    const page = await browser.finish(await browser.visit(await browser.start(GOOGLE), login), {});
    expect(page.status).toBe(302);
    const mfaToken = /^\/sign-in#mfa_token=([\w.-]+)$/.exec(page.headers.get("location") ?? "")?.[1];
    const kept = page.setCookies.find((cookie) => cookie.startsWith("service_mfa="));
    expect(kept).toStartWith(`service_mfa=${mfaToken}%20`);
    expect(kept).toContain("Path=/sign-in; HttpOnly");
    const response = await browser.client.post("/v1/auth/mfa/challenge", {
      mfa_token: mfaToken,
      code: codeOf(user.secret),
    });
    expect(response.status).toBe(200);
    expect(decodeJwt(response.body.access_token)).toMatchObject({
      auth_method: "social_oauth",
      aal: "aal2",
      email: user.email,
    });
  });

  test("200: a trusted browser does not skip the challenge, which it does after a password", async () => {
    const user = await enrolled(at);
    await verifyAddress(at.sql, user.userId);
    expect((await user.client.post("/v1/auth/trusted-browsers")).status).toBe(201);
    const trust = user.client.cookie("service_trust") ?? "none";
    const trusting = (client: Client) => {
      client.setCookie("service_trust", trust, "/v1");
      return client;
    };
    const credentials = { email: user.email, password: PASSWORD };
    const byPassword = await trusting(new Client(at.one.url)).post("/v1/auth/login", credentials);
    expect(byPassword.body.status).toBe("success");
    const { login } = social.person({ email: user.email });
    for (const _ of ["linking", "linked"]) {
      const browser = new OAuthBrowser(at.one.url);
      trusting(browser.client);
      expect((await browser.signIn(GOOGLE, login)).body.status).toBe("mfa_required");
    }
  });

  test("401: sign-up is off, and creates no user", async () => {
    const closed = await startReplica({
      DATABASE_URL: at.databaseUrl,
      ...social.settings,
      SERVICE_SOCIAL_SIGNUP: "off",
    });
    const { login, email } = social.person();
    const response = await new OAuthBrowser(closed.url).signIn(GOOGLE, login);
    expect([response.status, response.body.error.code]).toEqual([401, "authentication_required"]);
    expect(await usersOf(email)).toEqual([]);
    await closed.kill();
  });

  test("401: a disabled user stays out", async () => {
    const { login, email } = social.person();
    await new OAuthBrowser(at.one.url).signIn(GOOGLE, login);
    await at.sql`update users set disabled_at = now() where email = ${email}`;
    expect((await new OAuthBrowser(at.one.url).signIn(GOOGLE, login)).status).toBe(401);
    const failures = (await auditsOf("auth.oauth.login", email)).filter((entry) => entry.outcome === "failure");
    expect(failures[0]?.metadata).toMatchObject({ provider: GOOGLE, reason: "account_disabled" });
  });

  test("401: whatever a provider says, NUL and surrogates too, it is refused and not stored", async () => {
    for (const error of ["%00", "%ED%A0%80", "x".repeat(4000), "access_denied%0d%0aSet-Cookie:a=b"]) {
      const browser = new OAuthBrowser(at.one.url);
      const state = new URL(await browser.start(GOOGLE)).searchParams.get("state");
      const callback = new URL(`${callbackOf(GOOGLE)}?error=${error}&state=${state}&iss=${social.openid.issuer}`);
      expect([error, (await browser.finish(callback)).status]).toEqual([error, 401]);
    }
    const reasons = await at.sql`
      select distinct metadata->>'reason' as reason from audit_logs
      where action = 'auth.oauth.login' and outcome = 'failure'`;
    for (const { reason } of reasons) expect(reason).toMatch(/^[a-z_]+$/);
  });

  test.each(["%00", "oauth%00", "%FF", "%ED%A0%80", "email_transport", "google", "__proto__"])(
    "401: the unknown provider %p is refused as an unknown state",
    async (provider) => {
      const token = "a".repeat(43);
      const response = await new Client(at.one.url).get(`/v1/auth/oauth/${provider}/callback?state=${token}`, {
        headers: { accept: "application/json", cookie: `service_oauth=${token}` },
      });
      expect([response.status, response.body.error.code]).toEqual([401, "authentication_required"]);
    },
  );

  test("302: what fails goes to the sign-in page with the code and where the sign-in was to lead", async () => {
    const browser = new OAuthBrowser(at.one.url);
    const state = new URL(await browser.start(GOOGLE, "/team?q=a")).searchParams.get("state");
    const callback = new URL(`${callbackOf(GOOGLE)}?error=access_denied&state=${state}&iss=${social.openid.issuer}`);
    const response = await browser.finish(callback, { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
    const page = "/sign-in?error=authentication_required&return_to=%2Fteam%3Fq%3Da";
    expect([response.status, response.headers.get("location")]).toEqual([302, page]);
  });

  test("two callbacks of one person at once, in two browsers, make one user", async () => {
    const { login, email } = social.person();
    const browsers = [new OAuthBrowser(at.one.url), new OAuthBrowser(at.other.url)];
    const callbacks = await Promise.all(
      browsers.map(async (browser) => await browser.visit(await browser.start(GOOGLE), login)),
    );
    const responses = await Promise.all(browsers.map((browser, index) => browser.finish(callbacks[index] as URL)));
    expect(responses.map((response) => response.status)).toEqual([200, 200]);
    expect(await usersOf(email)).toHaveLength(1);
    expect(new Set(responses.map((response) => response.body.user.organization_id)).size).toBe(1);
  });
});

describe("POST /v1/auth/oauth/:provider/callback", () => {
  test("303: sends the browser on to the GET with what counts", async () => {
    const form = new URLSearchParams({ state: "s", code: "c", user: '{"name":{}}', id_token: "not looked at" });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await new Client(at.one.url).request("POST", `/v1/auth/oauth/${APPLE}/callback`, {
      raw: form.toString(),
      headers,
    });
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      `/v1/auth/oauth/${APPLE}/callback?state=s&code=c`,
    ]);
  });

  test("400: not a form, or one without end", async () => {
    const post = (raw: string, type: string) =>
      new Client(at.one.url).request("POST", `/v1/auth/oauth/${APPLE}/callback`, {
        raw,
        headers: { "content-type": type },
      });
    expect((await post("{}", "application/json")).status).toBe(400);
    expect((await post(`code=${"x".repeat(70_000)}`, "application/x-www-form-urlencoded")).status).toBe(400);
    expect((await post(`code=${"x".repeat(5_000)}`, "application/x-www-form-urlencoded")).status).toBe(400);
  });
});

describe("state (G2, G11)", () => {
  test("is taken once, of twenty at once, over two replicas", async () => {
    const browser = new OAuthBrowser(at.one.url);
    const callback = await browser.visit(await browser.start(GOOGLE), social.person().login);
    const path = `${callback.pathname}${callback.search}`;
    const headers = { accept: "application/json", cookie: `service_oauth=${browser.client.cookie("service_oauth")}` };
    const responses = await race((index) => new Client((index % 2 ? at.one : at.other).url).get(path, { headers }));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
    expect(responses.filter((response) => response.status === 401)).toHaveLength(19);
  });

  test("belongs to the beginning browser: a second browser neither enters nor consumes the state", async () => {
    const [victim, attacker] = [new OAuthBrowser(at.one.url), new OAuthBrowser(at.one.url)];
    const callback = await attacker.visit(await attacker.start(GOOGLE), social.person().login);
    expect((await victim.finish(callback)).status).toBe(401);
    await victim.start(GOOGLE);
    expect((await victim.finish(callback)).status).toBe(401);
    expect((await attacker.finish(callback)).status).toBe(200);
  });

  test("belongs to a provider: a code is refused at a second provider", async () => {
    const browser = new OAuthBrowser(at.one.url);
    const callback = await browser.visit(await browser.start(GOOGLE), social.person().login);
    expect((await browser.finish(new URL(`${callbackOf(GITHUB)}${callback.search}`))).status).toBe(401);
    expect((await browser.finish(callback)).status).toBe(200);
  });

  test("ends after ten minutes, and is not guessable", async () => {
    const browser = new OAuthBrowser(at.one.url);
    const callback = await browser.visit(await browser.start(GOOGLE), social.person().login);
    await at.sql`update oauth_states set expires_at = now() - interval '1 second'`;
    expect((await browser.finish(callback)).status).toBe(401);
    for (const search of ["", "?state=", "?state=x&code=y", "?state[]=x", `?code=y&state=${"x".repeat(5000)}`]) {
      const response = await browser.finish(new URL(`${callbackOf(GOOGLE)}${search}`));
      expect([400, 401]).toContain(response.status);
    }
  });

  test("a code of a second sign-in of the browser is refused", async () => {
    const [victim, attacker] = [new OAuthBrowser(at.one.url), new OAuthBrowser(at.one.url)];
    const stolen = await victim.visit(await victim.start(GOOGLE), social.person().login);
    const own = await attacker.visit(await attacker.start(GOOGLE), social.person().login);
    own.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    expect((await attacker.finish(own)).status).toBe(401);
  });
});
