/** Pushed authorization requests, by RFC 9126 (docs/contract.md, section 23.13). */

import { beforeAll, describe, expect, test } from "bun:test";
import * as openid from "openid-client";
import { OAUTH_PUSHED_REQUEST_LIFETIME_MS, OAUTH_PUSHED_REQUESTS_MAX } from "../../src/limits/oauth-limits.ts";
import { refusalsOf } from "../support/bound-refusals.ts";
import { type Answer, Client } from "../support/client.ts";
import { type Deployment, deployment, eventually, raceWithoutRedis } from "../support/deployment.ts";
import {
  authorizePath,
  Browser,
  basic,
  CALLBACK,
  discovered,
  exchange,
  introspectAt,
  makePkce,
  oauthAdmin,
  type Pkce,
  personWithBrowser,
  registerClient,
  sendForm,
  strangerWithAccount,
  type TestClient,
} from "../support/oauth.ts";
import { startReplica } from "../support/replica.ts";
import { RFC_9126 } from "../support/rfc-vectors.ts";

const PAR = "/oauth2/par";
const REFERENCE = /^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$/;

let at: Deployment;
let client: TestClient;
let publicClient: TestClient;
let browser: Browser;
beforeAll(async () => {
  at = await deployment();
  client = await registerClient();
  publicClient = await registerClient({ token_endpoint_auth_method: "none" });
  ({ browser } = await personWithBrowser());
});

type Fields = Record<string, string | undefined>;

/** The parameters of an authorization request; a value of undefined leaves a parameter out. */
function parametersOf(of: TestClient, { challenge }: Pkce, more: Fields = {}): Record<string, string> {
  const path = authorizePath(of, challenge, more);
  return Object.fromEntries(new URLSearchParams(path.slice(path.indexOf("?"))));
}

function push(of: TestClient, pkce: Pkce, more: Fields = {}, url = at.one.url): Promise<Answer> {
  const headers = of.secret === "" ? {} : basic(of);
  return sendForm(url, PAR, parametersOf(of, pkce, more), headers);
}

async function reference(of: TestClient, pkce: Pkce, more: Fields = {}): Promise<string> {
  const pushed = await push(of, pkce, more);
  if (pushed.status !== 201) throw new Error(`the push returned ${pushed.status}: ${pushed.text}`);
  return pushed.body.request_uri;
}

const authorizeBy = (of: TestClient, requestUri: string, more: Record<string, string> = {}) =>
  `/oauth2/authorize?${new URLSearchParams({ client_id: of.id, request_uri: requestUri, ...more })}`;

const storedRows = async () =>
  Number((await at.sql`select count(*) as rows from oauth_requests where client_id = ${client.id}`)[0]?.rows);

describe("POST /oauth2/par: 201", () => {
  test("a reference for 90 s, never cached", async () => {
    const pushed = await push(client, makePkce());
    expect([pushed.status, pushed.body]).toEqual([
      201,
      { request_uri: expect.stringMatching(REFERENCE), expires_in: 90 },
    ]);
    expect(pushed.headers.get("cache-control")).toContain("no-store");
  });

  test("the reference gives a code at the other replica, with the pushed state, nonce and challenge", async () => {
    const pkce = makePkce();
    // Reads of unknown applications are limited by network, so the other replica may wait for the event.
    const atOther = () => push(client, makePkce(), {}, at.other.url);
    await eventually("the other replica knows the client", 5000, async () => (await atOther()).status === 201);
    const requestUri = await reference(client, pkce, { state: "pushed state" });
    const visitor = new Browser(at.other.url);
    Object.assign(visitor.client, { jar: browser.client.jar });
    const { location } = await visitor.follow(authorizeBy(client, requestUri));
    expect([location?.href.startsWith(`${CALLBACK}?`), location?.searchParams.get("state")]).toEqual([
      true,
      "pushed state",
    ]);
    const code = location?.searchParams.get("code") ?? "";
    expect((await exchange(at.one.url, client, { code, pkce })).status).toBe(200);
  });

  test("the request of RFC 9126, section 2.1, has the response of section 2.2", async () => {
    const { form, authorization, credentials } = RFC_9126;
    const known = await registerClient({ redirect_uris: [form.redirect_uri], scopes: [form.scope], resources: [] });
    const { status, body } = await sendForm(at.one.url, PAR, { ...form, client_id: known.id }, basic(known));
    expect([status, body]).toEqual([201, { request_uri: expect.stringMatching(REFERENCE), expires_in: 90 }]);
    expect(Buffer.from(authorization.split(" ")[1] ?? "", "base64").toString()).toBe(credentials);
    const printed = await sendForm(at.one.url, PAR, { ...form, client_id: "s6BhdRkqt3" }, { authorization });
    expect([printed.status, printed.body.error]).toEqual([401, "invalid_client"]);
  });

  test("every parameter beside the reference is ignored", async () => {
    const requestUri = await reference(client, makePkce(), { scope: "openid" });
    const more = { state: "of the browser", scope: "openid email", redirect_uri: "https://evil.test/", prompt: "none" };
    const { location } = await browser.follow(authorizeBy(client, requestUri, more));
    expect([location?.origin, location?.searchParams.get("state")]).toEqual([new URL(CALLBACK).origin, "the state"]);
  });

  test("a public client pushes with its id alone, and each of several resources is kept", async () => {
    const pkce = makePkce();
    const { location } = await browser.follow(authorizeBy(publicClient, await reference(publicClient, pkce)));
    expect(location?.searchParams.get("code")).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test("client credentials in the form are not stored", async () => {
    const posted = await registerClient({ token_endpoint_auth_method: "client_secret_post" });
    const fields = { ...parametersOf(posted, makePkce()), client_secret: posted.secret };
    expect((await sendForm(at.one.url, PAR, fields)).status).toBe(201);
    const rows = await at.sql`select parameters::text as text from oauth_requests where client_id = ${posted.id}`;
    expect([rows.length, rows[0]?.text.includes(posted.secret)]).toEqual([1, false]);
  });

  test("a signed-out user signs in, and the request goes on", async () => {
    const person = await strangerWithAccount();
    const requestUri = await reference(client, makePkce(), { login_hint: person.email });
    const landing = await person.browser.follow(authorizeBy(client, requestUri));
    expect(landing.path).toStartWith("/sign-in");
    const return_to = new URLSearchParams(landing.path.split("?")[1]).get("return_to") ?? "";
    const fields = { email: person.email, password: person.password, return_to };
    const again = await person.browser.follow("/sign-in", await person.browser.post("/sign-in", fields));
    expect(again.location?.searchParams.get("code")).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test("openid-client pushes by discovery alone", async () => {
    const configuration = await discovered(client, at.one.url);
    const pkce = makePkce();
    const url = await openid.buildAuthorizationUrlWithPAR(configuration, {
      redirect_uri: CALLBACK,
      scope: "openid",
      state: "by a library",
      code_challenge: pkce.challenge,
      code_challenge_method: "S256",
    });
    expect([...url.searchParams.keys()].sort()).toEqual(["client_id", "request_uri"]);
    const { location } = await browser.follow(`${url.pathname}${url.search}`);
    const expected = { pkceCodeVerifier: pkce.verifier, expectedState: "by a library" };
    const tokens = await openid.authorizationCodeGrant(configuration, location as URL, expected);
    expect((await introspectAt(at.other.url, client, tokens.access_token)).body.active).toBe(true);
  });
});

describe("POST /oauth2/par: 400", () => {
  const refused: [string, Fields, string][] = [
    ["a redirect URI that is not registered", { redirect_uri: "https://evil.test/" }, "invalid_redirect_uri"],
    ["no redirect URI", { redirect_uri: undefined }, "invalid_request"],
    ["no scope of the client", { scope: "unknown" }, "invalid_scope"],
    ["a resource of a different client", { resource: "https://other.example.test/" }, "invalid_target"],
    ["no challenge", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["a further reference", { request_uri: "urn:ietf:params:oauth:request_uri:a" }, "invalid_request"],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
    ["a response type other than code", { response_type: "token" }, "unsupported_response_type"],
    ["a text with NUL", { state: "a\0b" }, "invalid_request"],
  ];
  test.each(refused)("%s is refused before any page, and nothing is stored", async (_, more, error) => {
    const before = await storedRows();
    const { status, body } = await push(client, makePkce(), more);
    expect([status, body.error, await storedRows()]).toEqual([400, error, before]);
  });

  test("a repeated parameter and more than 8,192 characters are refused", async () => {
    const fields = new URLSearchParams(parametersOf(client, makePkce()));
    const repeated = await sendForm(at.one.url, PAR, `${fields}&state=again`, basic(client));
    const long = await push(client, makePkce(), { state: "s".repeat(9_000) });
    expect([repeated.body.error, long.body.error]).toEqual(["invalid_request", "invalid_request"]);
  });
});

describe("POST /oauth2/par: 401, 405, 413, 429", () => {
  test("401 without the credentials of the client, with a challenge for Basic", async () => {
    const wrong = await push({ ...client, secret: "wrong" }, makePkce());
    const none = await sendForm(at.one.url, PAR, parametersOf(client, makePkce()));
    expect([wrong.status, wrong.body.error, none.status]).toEqual([401, "invalid_client", 401]);
    expect(wrong.headers.get("www-authenticate")).toStartWith("Basic");
  });

  test("405 for other methods, with Allow", async () => {
    const response = await fetch(`${at.one.url}${PAR}`);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  test("413 beyond 64 KiB", async () => {
    const response = await push(client, makePkce(), { state: "s".repeat(70_000) });
    expect(response.status).toBe(413);
  });

  test("429 for pushes of a public client beyond the limit of waiting requests", async () => {
    const replica = await startReplica({
      DATABASE_URL: at.databaseUrl,
      SERVICE_RATE_LIMITS: "on",
      SERVICE_RATE_LIMIT_OAUTH_WAITING: "2/60",
    });
    const pushes: Answer[] = [];
    for (let turn = 0; turn < 3; turn += 1) pushes.push(await push(publicClient, makePkce(), {}, replica.url));
    const secret = await push(client, makePkce(), {}, replica.url);
    expect([...pushes, secret].map(({ status }) => status)).toEqual([201, 201, 429, 201]);
    expect(pushes[2]?.body.error).toBe("temporarily_unavailable");
    await replica.stop();
  });
});

describe("waiting pushed requests of a client", () => {
  test("beyond 10,000 a push is 429, and other clients push", async () => {
    const busy = await registerClient();
    expect((await push(busy, makePkce())).status).toBe(201);
    await at.sql`
      insert into oauth_requests (handle_hash, client_id, parameters, created_at, expires_at)
      select sha256(n::text::bytea || handle_hash), client_id, parameters, created_at, expires_at
      from oauth_requests, generate_series(2, ${OAUTH_PUSHED_REQUESTS_MAX}) n where client_id = ${busy.id}`;
    const refused = await push(busy, makePkce());
    expect([refused.status, refused.body.error]).toEqual([429, "temporarily_unavailable"]);
    expect(await refusalsOf("pushed_requests", at.one.url)).toBeGreaterThan(0);
    expect((await push(client, makePkce())).status).toBe(201);
    await at.sql`delete from oauth_requests where client_id = ${busy.id}`;
    expect((await push(busy, makePkce())).status).toBe(201);
  });
});

describe("a reference", () => {
  const refusedAt = async (path: string, visitor = browser) => {
    const { location, answer } = await visitor.follow(path);
    return { isRedirected: location !== undefined, status: answer.status, text: answer.text };
  };

  test("works once: of 40 parallel uses at two replicas with Redis emptied one gives a code (G179)", async () => {
    const requestUri = await reference(client, makePkce());
    const other = new Browser(at.other.url);
    Object.assign(other.client, { jar: browser.client.jar });
    const landings = await raceWithoutRedis((index) =>
      (index % 2 ? other : browser).follow(authorizeBy(client, requestUri)),
    );
    const codes = landings.filter(({ location }) => location?.searchParams.has("code"));
    const refused = landings.filter(({ location }) => location === undefined);
    expect([codes.length, refused.length]).toEqual([1, 39]);
    expect(new Set(refused.map(({ answer }) => answer.status))).toEqual(new Set([400]));
  });

  test("is refused with a page, and never with a redirect: expired, foreign, malformed, repeated", async () => {
    const expired = await reference(client, makePkce());
    await at.sql`
      update oauth_requests set expires_at = now() - interval '1 second'
      where browser_hash is null and client_id = ${client.id}`;
    const [foreign, repeated] = [await reference(publicClient, makePkce()), await reference(client, makePkce())];
    const paths = [
      authorizeBy(client, expired),
      authorizeBy(client, foreign),
      authorizeBy(client, "urn:ietf:params:oauth:request_uri:short"),
      `${authorizeBy(client, repeated)}&request_uri=${encodeURIComponent(repeated)}`,
      authorizeBy({ ...client, id: "no-uuid" }, repeated),
    ];
    for (const path of paths) {
      const { isRedirected, status, text } = await refusedAt(`${path}&redirect_uri=${encodeURIComponent(CALLBACK)}`);
      expect([path, isRedirected, status, text.includes("invalid_request_uri")]).toEqual([path, false, 400, true]);
    }
  });

  test("is no handle of the pages: no browser continues with the handle of a pushed request", async () => {
    const handle = (await reference(client, makePkce())).split(":").at(-1) ?? "";
    for (const path of ["/oauth2/interaction", "/oauth2/consent"]) {
      const { location, answer } = await browser.follow(`${path}?request=${handle}`);
      expect([location, answer.status]).toEqual([undefined, 400]);
    }
  });

  test("does not outlast the settings: a redirect URI removed meanwhile is not used", async () => {
    const changing = await registerClient({ redirect_uris: [CALLBACK, `${CALLBACK}/second`] });
    const requestUri = await reference(changing, makePkce(), { redirect_uri: `${CALLBACK}/second` });
    const changed = { redirect_uris: [CALLBACK] };
    expect((await (await oauthAdmin()).patch(`/v1/admin/oauth-clients/${changing.id}`, changed)).status).toBe(200);
    expect(await refusedAt(authorizeBy(changing, requestUri))).toMatchObject({ isRedirected: false, status: 400 });
  });

  test("of a different origin of request_uri stays unsupported", async () => {
    const more = { request_uri: "https://app.example.test/request" };
    const { location } = await browser.follow(authorizePath(client, makePkce().challenge, more));
    expect(location?.searchParams.get("error")).toBe("request_uri_not_supported");
  });

  test("is deleted with the sweep of expired requests", async () => {
    expect(OAUTH_PUSHED_REQUEST_LIFETIME_MS).toBe(90_000);
    await reference(client, makePkce());
    const [row] = await at.sql`
      select extract(epoch from expires_at - created_at)::int as seconds from oauth_requests
      where client_id = ${client.id} and browser_hash is null order by created_at desc limit 1`;
    expect(row?.seconds).toBe(90);
  });
});

describe("require_pushed_authorization_requests (G180)", () => {
  test("a request with parameters in the browser is refused with a page, a pushed request is served", async () => {
    const strict = await registerClient({ require_pushed_authorization_requests: true });
    const { location, answer } = await browser.follow(authorizePath(strict, makePkce().challenge));
    expect([location, answer.status, answer.text.includes("invalid_request")]).toEqual([undefined, 400, true]);
    const pushed = await browser.follow(authorizeBy(strict, await reference(strict, makePkce())));
    expect(pushed.location?.searchParams.has("code")).toBe(true);
  });

  test("the setting is off for a new client, is changed by PATCH, and is displayed", async () => {
    const admin = await oauthAdmin();
    const created = await admin.post("/v1/admin/oauth-clients", {
      name: "Wiki",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: "client_secret_basic",
    });
    const path = `/v1/admin/oauth-clients/${created.body.client_id}`;
    const changed = await admin.patch(path, { require_pushed_authorization_requests: true });
    const settings = [created, changed].map(({ body }) => body.require_pushed_authorization_requests);
    expect(settings).toEqual([false, true]);
  });

  test("SERVICE_OAUTH_REQUIRE_PAR holds for every client and is in the metadata", async () => {
    const replica = await startReplica({ DATABASE_URL: at.databaseUrl, SERVICE_OAUTH_REQUIRE_PAR: "on" });
    const visitor = new Browser(replica.url);
    Object.assign(visitor.client, { jar: browser.client.jar });
    const { location, answer } = await visitor.follow(authorizePath(client, makePkce().challenge));
    expect([location, answer.status]).toEqual([undefined, 400]);
    const metadata = await Promise.all(
      [replica, at.one].map(({ url }) => new Client(url).get("/.well-known/oauth-authorization-server")),
    );
    expect(metadata.map(({ body }) => body.require_pushed_authorization_requests)).toEqual([true, false]);
    expect(metadata[0]?.body.pushed_authorization_request_endpoint).toEndWith(PAR);
    await replica.stop();
  });
});
