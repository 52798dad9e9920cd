/** The authorization endpoint, consent and logout from the point of view of a browser. */
import { beforeAll, describe, expect, test } from "bun:test";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { Client, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown } from "../support/mfa.ts";
import {
  API,
  authorizePath,
  Browser,
  basic,
  CALLBACK,
  codeFor,
  exchange,
  hiddenIn,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  refreshAt,
  registerClient,
  sendForm,
  strangerWithAccount,
  type TestClient,
  tokensFor,
} from "../support/oauth.ts";
import { SAME_ORIGIN } from "../support/pages.ts";
import { ISSUER } from "../support/replica.ts";
import { until } from "../support/waiting.ts";

let at: Deployment;
/** A first-party client of the operator, which needs no consent. */
let own: TestClient;
/** A client of a third party. */
let wiki: TestClient;
const { challenge } = makePkce();
beforeAll(async () => {
  at = await deployment();
  [own, wiki] = [await registerClient(), await registerClient({ first_party: false, backchannel_logout_uri: null })];
});

/** Returns the response at the application without `iss`. */
const answerIn = (location: URL | undefined) => {
  const { iss, error_description: _, ...rest } = Object.fromEntries(location?.searchParams ?? []);
  expect(iss).toBe(ISSUER);
  return rest;
};

describe("before the redirect URI is trusted", () => {
  const cases: [string, Record<string, string | undefined>][] = [
    ["an unknown client", { client_id: crypto.randomUUID() }],
    ["a client that is no UUID", { client_id: "x'; drop table users; --" }],
    ["no client", { client_id: undefined }],
    ["no redirect URI", { redirect_uri: undefined }],
    ["another host", { redirect_uri: "https://attacker.example.test/callback" }],
    ["a longer path", { redirect_uri: `${CALLBACK}/../x` }],
    ["a query that was not registered", { redirect_uri: `${CALLBACK}?x=1` }],
    ["another case", { redirect_uri: CALLBACK.replace("callback", "Callback") }],
    ["user information", { redirect_uri: CALLBACK.replace("app.", "app.example.test@attacker.") }],
    ["a fragment", { redirect_uri: `${CALLBACK}#x` }],
    ["a port", { redirect_uri: CALLBACK.replace(".test/", ".test:8443/") }],
    ["a script", { redirect_uri: "javascript:alert(1)" }],
  ];
  test.each(cases)(
    "'oidcc-ensure-registered-redirect-uri': %s is shown here and redirected nowhere",
    async (_, more) => {
      const { browser } = await personWithBrowser();
      const { location, answer } = await browser.follow(authorizePath(own, challenge, more));
      expect([location, answer.status, answer.headers.get("location")]).toEqual([undefined, 400, null]);
      expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(answer.text).not.toContain("attacker");
    },
  );

  test("parameter pollution: two clients or two redirect URIs are no request", async () => {
    const path = authorizePath(own, challenge);
    for (const [name, value] of [
      ["client_id", own.id],
      ["redirect_uri", "https://attacker.example.test/"],
    ]) {
      const response = await new Browser(at.one.url).get(`${path}&${name}=${encodeURIComponent(value ?? "")}`);
      expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    }
  });

  test("a native application may send another loopback port, a web application may not (RFC 8252)", async () => {
    const redirect_uris = ["http://127.0.0.1/callback", "com.example.app:/callback"];
    const native = await registerClient({
      application_type: "native",
      token_endpoint_auth_method: "none",
      redirect_uris,
    });
    const { browser } = await personWithBrowser();
    const ask = (client: TestClient, redirect_uri: string) =>
      browser.follow(authorizePath(client, challenge, { redirect_uri }));
    for (const uri of ["http://127.0.0.1:49152/callback", "com.example.app:/callback"]) {
      expect((await ask(native, uri)).location?.searchParams.has("code")).toBe(true);
    }
    for (const uri of [
      "http://127.0.0.1:1/other",
      "http://127.0.0.1.example.test/callback",
      "http://localhost:1/callback",
    ]) {
      expect((await ask(native, uri)).location).toBeUndefined();
    }
    const web = await registerClient({ redirect_uris: ["http://127.0.0.1/callback"] });
    expect((await ask(web, "http://127.0.0.1:49152/callback")).location).toBeUndefined();
  });
});

describe("errors that go to the application", () => {
  const long = (characters: number) => "x".repeat(characters);
  const cases: [string, Record<string, string | undefined>, string][] = [
    ["'oidcc-response-type-missing'", { response_type: undefined }, "invalid_request"],
    ["the implicit flow", { response_type: "token" }, "unsupported_response_type"],
    ["the hybrid flow", { response_type: "code id_token" }, "unsupported_response_type"],
    ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["PKCE plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["PKCE without a method", { code_challenge_method: undefined }, "invalid_request"],
    ["a challenge that is no hash", { code_challenge: "short" }, "invalid_request"],
    ["a fragment as response mode", { response_mode: "fragment" }, "invalid_request"],
    ["only scopes that the client may not have", { scope: "admin root" }, "invalid_scope"],
    ["a malformed scope", { scope: 'a"b' }, "invalid_scope"],
    ["a resource that the client may not ask for", { resource: "https://other.example.test/" }, "invalid_target"],
    [
      "'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported'",
      { request: "eyJhbGciOiJub25lIn0.e30." },
      "request_not_supported",
    ],
    [
      "'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported'",
      { request_uri: "https://169.254.169.254/" },
      "request_uri_not_supported",
    ],
    ["registration", { registration: "{}" }, "registration_not_supported"],
    ["prompt none with another", { prompt: "none login" }, "invalid_request"],
    ["an unknown prompt", { prompt: "create" }, "invalid_request"],
    ["a max_age that is no number", { max_age: "soon" }, "invalid_request"],
    ["a long nonce", { nonce: long(513) }, "invalid_request"],
    ["a nonce with NUL", { nonce: "a\0b" }, "invalid_request"],
    ["a long login_hint", { login_hint: long(255) }, "invalid_request"],
    ["a foreign id_token_hint", { id_token_hint: "e30.e30.e30" }, "invalid_request"],
    ["parameters of more than 12 KiB", { ui_locales: long(12_300) }, "invalid_request"],
  ];
  test.each(cases)("%s: the application receives the error, with state and iss", async (_, more, error) => {
    const { browser } = await personWithBrowser();
    const { location } = await browser.follow(authorizePath(own, challenge, more));
    expect(location?.href.startsWith(`${CALLBACK}?`)).toBe(true);
    expect(answerIn(location)).toEqual({ error, state: "the state" });
  });

  test("a state of 4,096 characters returns with the code, and a longer one with the error (G406)", async () => {
    const { browser } = await personWithBrowser();
    const accepted = await browser.follow(authorizePath(own, challenge, { state: long(4_096) }));
    expect(answerIn(accepted.location)).toMatchObject({ code: expect.any(String), state: long(4_096) });
    const state = await browser.follow(authorizePath(own, challenge, { state: long(4_097) }));
    expect(answerIn(state.location)).toEqual({ error: "invalid_request", state: long(4_097) });
  });

  test("a parameter that is given twice is refused", async () => {
    const { browser } = await personWithBrowser();
    const twice = await browser.follow(`${authorizePath(own, challenge)}&nonce=other`);
    expect(answerIn(twice.location)).toMatchObject({ error: "invalid_request" });
  });
});

describe("prompt, max_age and hints", () => {
  const getPage = (path: string, cookie = "") =>
    fetch(new URL(path, at.one.url), { redirect: "manual", headers: { cookie } });
  /** The address at which a browser with fixed cookies ends. */
  const endOf = async (path: string, cookie: string): Promise<URL> => {
    const { status, headers } = await getPage(path, cookie);
    const next = headers.get("location") ?? /^0; ?url=(.+)$/.exec(headers.get("refresh") ?? "")?.[1];
    if (next === undefined) return new URL(`${path}#${status}`, at.one.url);
    return next.startsWith("/") ? await endOf(next, cookie) : new URL(next);
  };
  /** The cookies that a browser keeps of parallel responses: of equal names the last. */
  const kept = (responses: readonly Response[]) => {
    const pairs = responses.flatMap(({ headers }) => headers.getSetCookie()).map((each) => each.split(";")[0] ?? "");
    return [...new Map(pairs.map((pair) => [pair.split("=")[0], pair])).values()].join("; ");
  };

  test("five tabs that start at once, without a cookie, each reach their application (G402)", async () => {
    const { client } = await personWithBrowser();
    const access = `service_at=${client.cookie("service_at")}`;
    const paths = Array.from({ length: 5 }, (_, index) => authorizePath(own, challenge, { state: `tab ${index}` }));
    // The access cookie has expired when the tabs start, and is renewed before they continue.
    const started = await Promise.all(paths.map((path) => getPage(path)));
    for (const [index, { headers }] of started.entries()) {
      const target = await endOf(headers.get("location") ?? "", `${kept(started)}; ${access}`);
      expect([target.searchParams.get("state"), target.searchParams.has("code")]).toEqual([`tab ${index}`, true]);
    }
    const other = await getPage(started[0]?.headers.get("location") ?? "", access);
    expect(other.status).toBe(400);
  });

  test("prompt=none with the cookie of another request renders no page (G402)", async () => {
    const { headers } = await getPage(authorizePath(own, challenge, { prompt: "none" }));
    const cookie = `service_authorization=${"x".repeat(43)}`;
    const end = await endOf(headers.get("location") ?? "", cookie);
    expect(answerIn(end)).toEqual({ error: "login_required", state: "the state" });
  });

  test("'oidcc-prompt-none-not-logged-in': login_required, and no page", async () => {
    const stranger = await new Browser(at.one.url).follow(authorizePath(own, challenge, { prompt: "none" }));
    expect(answerIn(stranger.location)).toEqual({ error: "login_required", state: "the state" });
    const id = stranger.answer.headers.get("x-request-id");
    await until("the refusal is recorded for `explain`", async () => {
      const [row] = await at.sql`select rule, status from request_decisions where request_id = ${id}`;
      return row?.status === 303 && row.rule.startsWith("login_required: ");
    });
    expect([stranger.answer.status, stranger.answer.text]).toEqual([303, ""]);
  });

  test("without cookies a silent request ends in login_required, once, and issues no code later", async () => {
    const bare = async (path: string) => {
      const browser = new Browser(at.one.url);
      const response = await browser.get(path);
      return { location: response.headers.get("location") ?? "", status: response.status };
    };
    let step = await bare(authorizePath(own, challenge, { prompt: "none" }));
    const waiting = step.location;
    expect(waiting).toStartWith("/oauth2/interaction?request=");
    while (step.location.startsWith("/")) step = await bare(step.location);
    expect(answerIn(new URL(step.location))).toEqual({ error: "login_required", state: "the state" });
    const { browser } = await personWithBrowser();
    const again = await browser.follow(waiting);
    expect([again.answer.status, again.location]).toEqual([400, undefined]);
    // A request that may involve the user gets a response in the requesting browser alone.
    const asking = await bare(authorizePath(own, challenge));
    const other = await browser.follow(asking.location);
    expect([other.answer.status, other.location]).toEqual([400, undefined]);
  });

  test("'oidcc-prompt-none-logged-in': a code, and no page, also when only the refresh cookie is left", async () => {
    const { browser, client } = await personWithBrowser();
    client.setCookie("service_at", "");
    const landing = await browser.follow(authorizePath(own, challenge, { prompt: "none" }));
    expect(answerIn(landing.location)).toMatchObject({ code: expect.any(String) });
    expect([landing.answer.status, landing.answer.text]).toEqual([303, ""]);
    const unasked = await browser.follow(authorizePath(wiki, challenge, { prompt: "none" }));
    expect(answerIn(unasked.location)).toEqual({ error: "consent_required", state: "the state" });
  });

  test("'oidcc-prompt-login' and 'oidcc-max-age-1': a fresh sign-in, and a later auth_time", async () => {
    const { browser, email } = await personWithBrowser();
    const before = decodeJwt((await tokensFor(own, browser)).id_token);
    for (const more of [{ prompt: "login" }, { max_age: "0" }]) {
      await at.sql`
        update sessions set auth_time = auth_time - interval '2 minutes'
        where id = (select session_id from oauth_token_families where id = ${String(before.sid)})`;
      const pkce = makePkce();
      const { path } = await browser.follow(authorizePath(own, pkce.challenge, more));
      expect(path).toStartWith("/sign-in?return_to=%2Foauth2%2Finteraction");
      expect(path).toContain("again=1");
      const return_to = new URLSearchParams(path.split("?")[1]).get("return_to") ?? "";
      const fields = { email, password: "correct horse battery staple", return_to };
      const { location } = await browser.follow("/sign-in", await browser.post("/sign-in", fields));
      const code = { code: location?.searchParams.get("code") ?? "", pkce };
      const after = decodeJwt((await exchange(at.one.url, own, code)).body.id_token);
      expect(Number(after.auth_time)).toBeGreaterThanOrEqual(Number(before.auth_time));
    }
    const old = await browser.follow(authorizePath(own, challenge, { max_age: "10000", prompt: "none" }));
    expect(answerIn(old.location)).toHaveProperty("code");
  });

  test("'oidcc-id-token-hint': of another user nobody is signed in silently", async () => {
    const [one, other] = [await personWithBrowser(), await personWithBrowser()];
    const { id_token } = await tokensFor(own, one.browser);
    const hinted = { prompt: "none", id_token_hint: id_token };
    const same = await one.browser.follow(authorizePath(own, challenge, hinted));
    expect(answerIn(same.location)).toHaveProperty("code");
    const wrong = await other.browser.follow(authorizePath(own, challenge, hinted));
    expect(answerIn(wrong.location)).toEqual({ error: "login_required", state: "the state" });
  });

  test("'oidcc-login-hint': fills the sign-in; select_account shows who is signed in", async () => {
    const hint = { login_hint: "ada@example.com" };
    const stranger = await new Browser(at.one.url).follow(authorizePath(own, challenge, hint));
    expect(stranger.answer.text).toContain('value="ada@example.com"');
    const { browser, email } = await personWithBrowser();
    const chooser = await browser.follow(authorizePath(own, challenge, { prompt: "select_account" }));
    expect(chooser.path).toStartWith("/oauth2/consent");
    expect(chooser.answer.text).toContain(email);
    const chosen = await browser.submit(chooser.path, { decision: "allow" });
    expect(answerIn(chosen.location)).toHaveProperty("code");
  });

  test("'oidcc-ui-locales': pages speak the first language of the list that they have, until the answer", async () => {
    const languageAt = async (browser: Browser, ui_locales: string | undefined, accepted: string) => {
      const { path } = await browser.follow(authorizePath(own, challenge, { ui_locales }));
      const { text } = await browser.get(path, { "accept-language": accepted });
      return /<html lang="(\w+)"/.exec(text)?.[1];
    };
    const browser = new Browser(at.one.url);
    expect(await languageAt(browser, "sv DE-at en", "en")).toBe("de");
    expect(await languageAt(browser, "sv x'\r\n", "de")).toBe("de");
    expect(await languageAt(browser, "en", "de")).toBe("en");
    expect(await languageAt(browser, undefined, "de")).toBe("de");
    const { email } = await registered(at.one.url);
    const { path } = await browser.follow(authorizePath(own, challenge, { ui_locales: "de" }));
    const return_to = new URLSearchParams(path.split("?")[1]).get("return_to") ?? "";
    const fields = { email, password: PASSWORD, return_to };
    const done = await browser.follow("/sign-in", await browser.post("/sign-in", fields));
    expect([done.location?.searchParams.has("code"), browser.client.cookie("service_language") ?? ""]).toEqual([
      true,
      "",
    ]);
  });

  test("acr_values aal2 asks for the second factor of a user who has one", async () => {
    const person = await enrolled(at);
    const browser = new Browser(at.one.url);
    const mfa_token = await passwordShown(at.one.url, person.email);
    await forgetUsedStep(at.sql, person.userId);
    await browser.client.post("/v1/auth/mfa/challenge", { mfa_token, code: codeOf(person.secret) });
    const strong = decodeJwt((await tokensFor(own, browser, { acr_values: "aal2" })).id_token);
    expect(strong).toMatchObject({ acr: "aal2", amr: ["pwd", "otp", "mfa"] });
    await at.sql`update sessions set aal = 'aal1' where user_id = ${person.userId}`;
    const silent = { acr_values: "aal2", prompt: "none" };
    const other = new Browser(at.other.url);
    Object.assign(other.client, { jar: browser.client.jar });
    const refused = await other.follow(authorizePath(own, challenge, silent));
    expect(answerIn(refused.location)).toEqual({ error: "interaction_required", state: "the state" });
    expect((await other.follow(authorizePath(own, challenge, { acr_values: "aal2" }))).path).toStartWith("/step-up?");
  });
});

describe("consent", () => {
  test("is asked once for a client and its scopes, remembered, and asked again for more", async () => {
    const { browser } = await personWithBrowser();
    const asked = await browser.follow(authorizePath(wiki, challenge, { scope: "openid email", resource: API }));
    expect(asked.path).toStartWith("/oauth2/consent?request=");
    expect(asked.answer.text).toContain("see your email address");
    expect(asked.answer.text).toContain(API);
    expect(asked.answer.headers.get("x-frame-options")).toBe("DENY");
    const allowed = await browser.submit(asked.path, { decision: "allow" });
    expect(allowed.answer.status).toBe(200);
    expect(answerIn(allowed.location)).toMatchObject({ code: expect.any(String), state: "the state" });
    const again = await browser.follow(authorizePath(wiki, challenge, { scope: "email openid" }));
    expect(answerIn(again.location)).toHaveProperty("code");
    const more = await browser.follow(authorizePath(wiki, challenge, { scope: "openid profile" }));
    expect(more.path).toStartWith("/oauth2/consent");
    const forced = await browser.follow(authorizePath(wiki, challenge, { prompt: "consent" }));
    expect(forced.path).toStartWith("/oauth2/consent");
  });

  test("can be declined; a decision is taken once", async () => {
    const { browser, userId } = await personWithBrowser();
    const { path } = await browser.follow(authorizePath(wiki, challenge));
    const csrf = await browser.csrf(path);
    const denied = await browser.follow(path, await browser.post(path, { csrf, decision: "deny" }));
    expect(answerIn(denied.location)).toEqual({ error: "access_denied", state: "the state" });
    const late = await browser.post(path, { csrf, decision: "allow" });
    expect([late.status, late.headers.get("refresh")]).toEqual([400, null]);
    const grants = await at.sql`select 1 from oauth_grants where user_id = ${userId}`;
    expect(grants).toHaveLength(0);
  });

  test("CSRF: a form of another origin, or without the value of this session, decides nothing", async () => {
    const { browser } = await personWithBrowser();
    const { path } = await browser.follow(authorizePath(wiki, challenge));
    const csrf = await browser.csrf(path);
    const stolen = await (await personWithBrowser()).browser.csrf("/account");
    for (const [fields, headers] of [
      [{ csrf, decision: "allow" }, { "sec-fetch-site": "cross-site" }],
      [{ csrf, decision: "allow" }, { origin: "https://attacker.example.test" }],
      [{ csrf: stolen, decision: "allow" }, SAME_ORIGIN],
      [{ decision: "allow" }, SAME_ORIGIN],
    ] as const) {
      const response = await browser.post(path, { ...fields }, { ...headers });
      expect([response.status, response.headers.get("refresh")]).toEqual([403, null]);
    }
  });

  test.each([
    ["a redirect URI", { redirect_uris: ["https://new.example.test/callback"] }],
    ["a scope", { scopes: ["openid"] }],
    ["a resource server", { resources: [] }],
  ])("a request that waits gives nothing after %s was withdrawn from the application", async (_, withdrawn) => {
    const client = await registerClient({ first_party: false });
    const { browser } = await personWithBrowser();
    const asked = await browser.follow(authorizePath(client, challenge, { scope: "openid api:read", resource: API }));
    expect(asked.path).toStartWith("/oauth2/consent");
    const changed = await (await oauthAdmin()).patch(`/v1/admin/oauth-clients/${client.id}`, withdrawn);
    expect(changed.status).toBe(200);
    const csrf = /name="csrf" value="([^"]+)"/.exec(asked.answer.text)?.[1] ?? "";
    const response = await browser.post(asked.path, { csrf, decision: "allow" });
    expect([response.status, response.headers.get("refresh")]).toEqual([400, null]);
  });

  test("is asked for what was allowed while the application was first-party, which asks nobody (G62)", async () => {
    const client = await registerClient();
    const { browser } = await personWithBrowser();
    const request = { scope: "openid email" };
    const unasked = await browser.follow(authorizePath(client, challenge, request));
    expect(answerIn(unasked.location)).toHaveProperty("code");
    // The choice of an account is not a consent: the page lists no scope.
    const chosen = await browser.follow(authorizePath(client, challenge, { ...request, prompt: "select_account" }));
    expect(answerIn((await browser.submit(chosen.path, { decision: "allow" })).location)).toHaveProperty("code");
    await (await oauthAdmin()).patch(`/v1/admin/oauth-clients/${client.id}`, { first_party: false });
    const silent = await browser.follow(authorizePath(client, challenge, { ...request, prompt: "none" }));
    expect(answerIn(silent.location)).toMatchObject({ error: "consent_required" });
    const asked = await browser.follow(authorizePath(client, challenge));
    await browser.submit(asked.path, { decision: "allow" });
    // A consent to a scope does not renew the earlier consent to more scopes.
    const more = await browser.follow(authorizePath(client, challenge, request));
    expect(more.path).toStartWith("/oauth2/consent");
    await browser.submit(more.path, { decision: "allow" });
    const remembered = await browser.follow(authorizePath(client, challenge, { ...request, prompt: "none" }));
    expect(answerIn(remembered.location)).toHaveProperty("code");
  });

  test("applies to the displayed page: an application renamed since then is displayed again (G62)", async () => {
    const client = await registerClient({ first_party: false });
    const { browser, userId } = await personWithBrowser();
    const { path, answer } = await browser.follow(authorizePath(client, challenge));
    await (await oauthAdmin()).patch(`/v1/admin/oauth-clients/${client.id}`, { name: "Your bank" });
    const forms = [hiddenIn(answer.text), { csrf: hiddenIn(answer.text).csrf ?? "" }];
    for (const hidden of forms) {
      const refused = await browser.post(path, { ...hidden, decision: "allow" });
      expect([refused.status, refused.headers.get("location")]).toEqual([303, path]);
    }
    expect(await at.sql`select 1 from oauth_grants where user_id = ${userId}`).toHaveLength(0);
    expect((await browser.get(path)).text).toContain("Sign in to Your bank");
    const allowed = await browser.submit(path, { decision: "allow" });
    expect(answerIn(allowed.location)).toHaveProperty("code");
  });

  test("a request belongs to the browser of its beginning", async () => {
    const [one, other] = [await personWithBrowser(), await personWithBrowser()];
    const { path } = await one.browser.follow(authorizePath(wiki, challenge));
    // The second browser has a separate request, and a separate cookie.
    await other.browser.follow(authorizePath(wiki, challenge));
    const stolen = await other.browser.follow(path);
    expect([stolen.answer.status, stolen.location]).toEqual([400, undefined]);
    const [, query = ""] = path.split("?");
    expect((await other.browser.follow(`/oauth2/interaction?${query}`)).answer.status).toBe(400);
  });

  test("of a native client without https is asked every time (RFC 8252, section 8.6)", async () => {
    const native = await registerClient({
      first_party: false,
      application_type: "native",
      token_endpoint_auth_method: "none",
      redirect_uris: ["com.example.app:/callback"],
    });
    const { browser } = await personWithBrowser();
    for (const _ of [1, 2]) {
      const asked = await browser.follow(authorizePath(native, challenge));
      expect(asked.path).toStartWith("/oauth2/consent");
      await browser.submit(asked.path, { decision: "allow" });
    }
    const silent = await browser.follow(authorizePath(native, challenge, { prompt: "none" }));
    expect(answerIn(silent.location)).toMatchObject({ error: "consent_required" });
  });
});

describe("a request survives", () => {
  test("the sign-in with a password, from a form of the application, in form_post", async () => {
    const { browser, email, password } = await strangerWithAccount();
    const query = authorizePath(own, challenge, { response_mode: "form_post" }).split("?")[1] ?? "";
    const headers = { "sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded" };
    const posted = await browser.request("POST", "/oauth2/authorize", headers, query);
    expect([posted.status, posted.headers.get("location")]).toEqual([303, `/oauth2/authorize?${query}`]);
    const signIn = await browser.follow(`/oauth2/authorize?${query}`);
    expect(signIn.path).toStartWith("/sign-in?return_to=");
    const return_to = new URLSearchParams(signIn.path.split("?")[1]).get("return_to") ?? "";
    const done = await browser.follow("/sign-in", await browser.post("/sign-in", { email, password, return_to }));
    expect(done.answer.headers.get("content-security-policy")).toContain("form-action *;");
    const fields = [...done.answer.text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(Object.fromEntries(fields)).toMatchObject({ code: expect.any(String), state: "the state", iss: ISSUER });
    expect(done.answer.text).toContain(`action="${CALLBACK}"`);
  });

  test("the second factor", async () => {
    const person = await enrolled(at);
    const browser = new Browser(at.one.url);
    const { path } = await browser.follow(authorizePath(own, challenge));
    const return_to = new URLSearchParams(path.split("?")[1]).get("return_to") ?? "";
    const fields = { email: person.email, password: "correct horse battery staple", return_to };
    const challenged = await browser.follow("/sign-in", await browser.post("/sign-in", fields));
    expect(challenged.path).toStartWith("/sign-in/challenge");
    await forgetUsedStep(at.sql, person.userId);
    const shown = await browser.post("/sign-in/challenge", { code: codeOf(person.secret) });
    const done = await browser.follow("/sign-in/challenge", shown);
    expect(answerIn(done.location)).toMatchObject({ code: expect.any(String), state: "the state" });
  });
});

describe("oidcc-rp-initiated-logout", () => {
  const BYE = "https://app.example.test/bye?from=here";
  let leaving: TestClient;
  beforeAll(async () => {
    leaving = await registerClient({ post_logout_redirect_uris: [BYE] });
  });
  const logoutPath = (parameters: Record<string, string>) => `/oauth2/logout?${new URLSearchParams(parameters)}`;
  const isSignedIn = async (client: Client) => (await client.get("/v1/auth/session")).status === 200;

  test("'oidcc-rp-initiated-logout': with the ID token of the session it ends at once", async () => {
    const { browser, client } = await personWithBrowser();
    const { id_token } = await tokensFor(leaving, browser);
    const path = logoutPath({ id_token_hint: id_token, post_logout_redirect_uri: BYE, state: "s" });
    const { location } = await browser.follow(path);
    expect(location?.href).toBe(`${BYE}&state=s`);
    expect(await isSignedIn(client)).toBe(false);
  });

  test("the same with the longest state, when only the refresh cookie is left", async () => {
    const { browser, client } = await personWithBrowser();
    const { id_token } = await tokensFor(leaving, browser);
    client.setCookie("service_at", "");
    const state = "s".repeat(2_048);
    const { location } = await browser.follow(
      logoutPath({ id_token_hint: id_token, post_logout_redirect_uri: BYE, state }),
    );
    expect(location?.searchParams.get("state")).toBe(state);
    expect(await isSignedIn(client)).toBe(false);
  });

  test("'oidcc-rp-initiated-logout-no-id-token-hint': the person is asked, and nothing ends before", async () => {
    const { browser, client } = await personWithBrowser();
    const path = logoutPath({ client_id: leaving.id, post_logout_redirect_uri: BYE });
    const asked = await browser.follow(path);
    expect([asked.answer.status, asked.answer.text.includes("Wiki")]).toEqual([200, true]);
    expect(await isSignedIn(client)).toBe(true);
    const { location } = await browser.submit(path, {});
    expect(location?.href).toBe(BYE);
    expect(await isSignedIn(client)).toBe(false);
  });

  test("the ID token of a second session or a second person ends no session without a question", async () => {
    const [one, other] = [await personWithBrowser(), await personWithBrowser()];
    const { id_token } = await tokensFor(leaving, other.browser);
    const asked = await one.browser.follow(logoutPath({ id_token_hint: id_token, post_logout_redirect_uri: BYE }));
    expect([asked.location, asked.answer.status]).toEqual([undefined, 200]);
    expect([await isSignedIn(one.client), await isSignedIn(other.client)]).toEqual([true, true]);
  });

  test("ends, once confirmed, the session of the hint as well, and never one of another user (G75)", async () => {
    const person = await personWithBrowser();
    const other = await personWithBrowser();
    const [first, foreign] = [await tokensFor(leaving, person.browser), await tokensFor(leaving, other.browser)];
    const again = { email: person.email, password: PASSWORD };
    expect((await person.browser.post("/sign-in", again)).status).toBe(303);
    const second = await tokensFor(leaving, person.browser);
    const hinted = logoutPath({ id_token_hint: first.id_token, post_logout_redirect_uri: BYE });
    const { location } = await person.browser.submit(hinted, {});
    expect(location?.href).toBe(BYE);
    for (const { refresh_token } of [first, second]) {
      expect((await refreshAt(at.one.url, leaving, refresh_token)).body.error).toBe("invalid_grant");
    }
    const sids = [first, second].map(({ id_token }) => String(decodeJwt(id_token).sid));
    const told = await at.sql`
      select 1 from oauth_token_families where id = any(${sids}::uuid[]) and logged_out_at is not null`;
    expect(told).toHaveLength(2);
    // The hint of a foreign user ends only the session of the browser.
    await person.browser.post("/sign-in", again);
    await person.browser.submit(logoutPath({ id_token_hint: foreign.id_token }), {});
    expect([await isSignedIn(person.client), await isSignedIn(other.client)]).toEqual([false, true]);
  });

  test.each([
    [
      "'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri'",
      { post_logout_redirect_uri: "https://attacker.test/" },
    ],
    ["'oidcc-rp-initiated-logout-modified-id-token-hint'", { id_token_hint: "e30.e30.e30" }],
  ])("%s: an error here, no redirect, no logout", async (_, wrong: Record<string, string>) => {
    const { browser, client } = await personWithBrowser();
    const { answer, location } = await browser.follow(logoutPath({ client_id: leaving.id, ...wrong }));
    expect([location, answer.status]).toEqual([undefined, 400]);
    expect(await isSignedIn(client)).toBe(true);
  });

  test("'oidcc-rp-initiated-logout-no-params' and a form of a foreign site end no session alone", async () => {
    const { browser, client } = await personWithBrowser();
    expect((await browser.follow("/oauth2/logout")).answer.status).toBe(200);
    const foreign = await browser.post("/oauth2/logout", { client_id: leaving.id }, { "sec-fetch-site": "cross-site" });
    expect(foreign.headers.get("location")).toBe(`/oauth2/logout?client_id=${leaving.id}`);
    expect(await isSignedIn(client)).toBe(true);
    expect((await new Browser(at.one.url).follow("/oauth2/logout")).path).toBe("/sign-in");
  });
});

test("a link of another site signs nobody out whose access token has expired", async () => {
  for (const marked of ["signed_out=1", "token=x"]) {
    const { browser, client } = await personWithBrowser();
    client.setCookie("service_at", "");
    await browser.get(`/oauth2/logout?${marked}`);
    expect((await client.post("/v1/auth/refresh")).status).toBe(200);
  }
});

describe("oidcc-backchannel-logout", () => {
  test("'oidcc-backchannel-rp-initiated-logout': every client of the session gets a signed logout token", async () => {
    const received: URLSearchParams[] = [];
    let failures = 1;
    const listener = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        received.push(new URLSearchParams(await request.text()));
        // The first attempt fails and is repeated.
        failures -= 1;
        return new Response(null, { status: failures >= 0 ? 503 : 200 });
      },
    });
    const told = await registerClient({ backchannel_logout_uri: `${listener.url}logout` });
    const { browser, client, userId, sessionId } = await personWithBrowser();
    const { id_token } = await tokensFor(told, browser);
    await codeFor(own, browser);
    const sid = String(decodeJwt(id_token).sid);
    expect((await client.delete(`/v1/auth/sessions/${sessionId}`)).status).toBe(204);
    const [queued] = await at.sql`select client_id from oauth_logouts where family_id = ${sid}`;
    expect(queued?.client_id).toBe(told.id);
    await until("the logout token arrives twice", async () => {
      await at.sql`update oauth_logouts set next_attempt_at = now() where family_id = ${sid} and attempts = 1`;
      return received.length >= 2;
    });
    await until("it is done", async () => {
      return (await at.sql`select 1 from oauth_logouts where family_id = ${sid}`).length === 0;
    });
    await listener.stop(true);
    const token = received[1]?.get("logout_token") ?? "";
    const jwks = (await new Client(at.one.url).get("/.well-known/jwks.json")).body;
    const checks = { issuer: ISSUER, audience: told.id, typ: "logout+jwt", algorithms: ["RS256"] };
    const { payload } = await jwtVerify(token, createLocalJWKSet(jwks), checks);
    expect(payload).toMatchObject({ sid, sub: userId, jti: expect.any(String) });
    expect(payload.nonce).toBeUndefined();
    expect(payload.events).toEqual({ "http://schemas.openid.net/event/backchannel-logout": {} });
  });
});

describe("limits", () => {
  test("the browser's way is closed while an application is disabled, and open again after", async () => {
    const client = await registerClient();
    const { browser } = await personWithBrowser();
    const tokens = await tokensFor(client, browser);
    const code = await codeFor(client, browser);
    const admin = await oauthAdmin();
    const path = `/v1/admin/oauth-clients/${client.id}`;
    expect((await admin.patch(path, { disabled: true })).status).toBe(200);
    const closed = await browser.follow(authorizePath(client, challenge));
    expect([closed.location, closed.answer.status]).toEqual([undefined, 400]);
    expect((await sendForm(at.one.url, "/oauth2/token", { grant_type: "refresh_token" }, basic(client))).status).toBe(
      401,
    );
    expect((await admin.patch(path, { disabled: false })).status).toBe(200);
    const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    expect((await sendForm(at.one.url, "/oauth2/token", refresh, basic(client))).body.error).toBe("invalid_grant");
    expect((await exchange(at.one.url, client, code)).body.error).toBe("invalid_grant");
    expect((await browser.follow(authorizePath(client, challenge))).location?.searchParams.has("code")).toBe(true);
  });
});
