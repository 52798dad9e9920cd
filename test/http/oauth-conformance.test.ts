/**
 * The modules of the plans oidcc-basic and oidcc-formpost-basic of the OpenID Foundation's conformance suite, with the
 * requests exactly as the suite sends the requests: without a challenge. A client with the default settings needs PKCE
 * and nothing else (docs/conformance.md).
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeProtectedHeader } from "jose";
import { Client } from "../support/client.ts";
import {
  authorizeAs,
  type Extra,
  exchangeAs,
  type RelyingParty,
  requestOf,
  responseIn,
  runModule,
  signInFor,
  tokensIn,
  userInfoAt,
} from "../support/conformance.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  Browser,
  CALLBACK,
  makePkce,
  personWithBrowser,
  refreshAt,
  registerClient,
  sendForm,
  strangerWithAccount,
  type TestClient,
} from "../support/oauth.ts";

let at: Deployment;
/** A browser with a session, for modules without a further sign-in. */
let person: Awaited<ReturnType<typeof personWithBrowser>>;
let lenient: TestClient;
let strict: TestClient;
let posting: TestClient;
beforeAll(async () => {
  at = await deployment();
  person = await personWithBrowser();
  lenient = await registerClient({ require_pkce: false });
  strict = await registerClient();
  posting = await registerClient({ require_pkce: false, token_endpoint_auth_method: "client_secret_post" });
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const requestObject = (parameters: object) => `${encode({ alg: "none" })}.${encode(parameters)}.`;

interface Setting {
  readonly formPost: boolean;
  readonly withPkce: boolean;
}

const settings: [string, Setting][] = [
  ["oidcc-basic, as sent, require_pkce false", { formPost: false, withPkce: false }],
  ["oidcc-formpost-basic, as sent, require_pkce false", { formPost: true, withPkce: false }],
  ["oidcc-basic, default settings, with a challenge added", { formPost: false, withPkce: true }],
];

describe.each(settings)("%s", (_, setting) => {
  const party = (client?: TestClient): RelyingParty => ({ ...setting, client: client ?? clientOf(setting) });
  const run = (extra?: Extra) => runModule(party(), person.browser, extra);
  /** The response of a module that expects an error at the redirect URI. */
  const errorOf = async (browser: Browser, extra: Extra) => {
    const { response } = await authorizeAs(party(), browser, extra);
    expect(response.has("code")).toBe(false);
    return response.get("error");
  };

  test("'oidcc-server', 'oidcc-idtoken-signature': tokens with every check of the suite, RS256 and kid", async () => {
    const { body, claims, code } = await run();
    expect(decodeProtectedHeader(body.id_token)).toEqual({ alg: "RS256", kid: expect.any(String) });
    expect(claims).not.toContainAnyKeys(["name", "email"]);
    expect(code.length).toBeGreaterThanOrEqual(43);
  });

  test("'oidcc-response-type-missing': invalid_request at the redirect URI", async () => {
    expect(await errorOf(person.browser, { response_type: undefined })).toBe("invalid_request");
  });

  test("'oidcc-userinfo-get', 'oidcc-userinfo-post-header', 'oidcc-userinfo-post-body' agree", async () => {
    const { body, claims } = await run();
    const headers = { authorization: `Bearer ${body.access_token}` };
    const responses = [
      await userInfoAt(at.one.url, body.access_token),
      await new Client(at.one.url).request("POST", "/oauth2/userinfo", { headers }),
      await sendForm(at.one.url, "/oauth2/userinfo", { access_token: body.access_token }),
    ];
    expect(responses.map((each) => [each.status, each.body.sub])).toEqual(Array(3).fill([200, String(claims.sub)]));
  });

  test("'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': needs the challenge or the nonce", async () => {
    if (setting.withPkce) {
      expect((await run({ nonce: undefined })).claims).not.toHaveProperty("nonce");
    } else {
      expect(await errorOf(person.browser, { nonce: undefined })).toBe("invalid_request");
    }
  });

  const scopes: [string, string, string[]][] = [
    ["'oidcc-scope-profile'", "openid profile", ["updated_at"]],
    ["'oidcc-scope-email'", "openid email", ["email", "email_verified"]],
    ["'oidcc-scope-all'", "openid email phone address profile", ["email", "email_verified", "name", "updated_at"]],
    ["'oidcc-alternate-happy-flow'", "email openid", ["email", "email_verified"]],
  ];
  test.each(scopes)("%s: UserInfo has the claims of the scopes", async (_title, scope, claims) => {
    const { body, claims: ofToken } = await run({ scope });
    const { sub, ...user } = (await userInfoAt(at.one.url, body.access_token)).body;
    expect([sub, Object.keys(user).toSorted()]).toEqual([ofToken.sub, claims]);
  });

  test("'oidcc-alternate-happy-flow': the order of parameters has no effect", async () => {
    const request = requestOf(party());
    const reversed = new URLSearchParams(Object.entries(request.parameters).toReversed());
    const response = responseIn(await person.browser.follow(`/oauth2/authorize?${reversed}`), party());
    await tokensIn(party(), at.one.url, { request, response: response ?? new URLSearchParams() });
  });

  test("'oidcc-claims-essential': UserInfo has the name, by the scope profile", async () => {
    const named = await personWithBrowser();
    await at.sql`update users set display_name = 'Ada' where id = ${named.userId}`;
    const { body } = await runModule(party(), named.browser, { claims: '{"userinfo":{"name":{"essential":true}}}' });
    expect([body.scope, (await userInfoAt(at.one.url, body.access_token)).body.name]).toEqual([
      "openid profile",
      "Ada",
    ]);
  });

  const ignored: [string, Extra][] = [
    ["'oidcc-display-page'", { display: "page" }],
    ["'oidcc-display-popup'", { display: "popup" }],
    ["'oidcc-ensure-request-with-unknown-parameter-succeeds'", { extra: "foobar" }],
    ["'oidcc-ui-locales'", { ui_locales: "se" }],
    ["'oidcc-claims-locales'", { claims_locales: "se" }],
    ["'oidcc-ensure-request-with-acr-values-succeeds'", { acr_values: "aal1 aal2" }],
  ];
  test.each(ignored)("%s: the request succeeds", async (_title, extra) => {
    expect((await run(extra)).claims.acr).toBe("aal1");
  });

  test("'oidcc-prompt-login', 'oidcc-max-age-1': a second sign-in, with a later auth_time", async () => {
    for (const extra of [{ prompt: "login" }, { max_age: "1" }]) {
      const { browser, email } = await personWithBrowser();
      const first = await runModule(party(), browser);
      // In place of the pause of the suite; the second replica has not cached the session.
      await at.sql`
        update sessions set auth_time = auth_time - interval '2 seconds'
        where id = (select session_id from oauth_token_families where id = ${String(first.claims.sid)})`;
      const later = new Browser(at.other.url);
      Object.assign(later.client, { jar: browser.client.jar });
      const second = await tokensIn(party(), at.one.url, await signInFor(party(), later, email, extra));
      expect(Number(second.claims.auth_time)).toBeGreaterThanOrEqual(Number(first.claims.auth_time));
    }
  });

  test("'oidcc-prompt-none-not-logged-in': login_required with a state of 128 characters", async () => {
    const extra = { prompt: "none", state: "s".repeat(128) };
    expect(await errorOf(new Browser(at.one.url), extra)).toBe("login_required");
  });

  test("'oidcc-prompt-none-logged-in', 'oidcc-max-age-10000', 'oidcc-id-token-hint': constant claims", async () => {
    const first = await run({ max_age: "15000" });
    const { sub, auth_time } = first.claims;
    expect(auth_time).toBeNumber();
    const hinted = { prompt: "none", id_token_hint: first.body.id_token };
    for (const extra of [{ prompt: "none" }, { max_age: "10000" }, hinted]) {
      expect((await run(extra)).claims).toMatchObject({ sub, auth_time });
    }
  });

  test("'oidcc-login-hint': a sign-in on a page without an earlier session", async () => {
    const { browser, email } = await strangerWithAccount();
    await tokensIn(party(), at.one.url, await signInFor(party(), browser, email, { login_hint: email }));
  });

  test("'oidcc-codereuse', 'oidcc-codereuse-30seconds': invalid_grant, and the tokens end", async () => {
    const { code, pkce, body, claims } = await run();
    await at.sql`
      update oauth_token_families
      set created_at = created_at - interval '30 seconds', rotated_at = rotated_at - interval '30 seconds'
      where id = ${String(claims.sid)}`;
    const again = await exchangeAs(party(), at.one.url, code, pkce);
    expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
    expect((await userInfoAt(at.one.url, body.access_token)).status).toBe(401);
  });

  test("'oidcc-ensure-registered-redirect-uri': a page with the error, and no redirect", async () => {
    const { path } = requestOf(party(), { redirect_uri: `${CALLBACK}/8Yw2ZpQk` });
    const { location, answer } = await person.browser.follow(path);
    expect([location, answer.status]).toEqual([undefined, 400]);
  });

  test("'oidcc-ensure-post-request-succeeds': a form of the application leads to a code", async () => {
    const request = requestOf(party());
    const origin = { "sec-fetch-site": "cross-site" };
    const posted = await person.browser.post("/oauth2/authorize", { ...request.parameters }, origin);
    const response = responseIn(await person.browser.follow("/oauth2/authorize", posted), party());
    await tokensIn(party(), at.one.url, { request, response: response ?? new URLSearchParams() });
  });

  test("'oidcc-server-client-secret-post': the secret in the form", async () => {
    const sender = party(setting.withPkce ? strict : posting);
    const { request, response } = await authorizeAs(sender, person.browser);
    const { status } = await sendForm(at.one.url, "/oauth2/token", {
      grant_type: "authorization_code",
      code: response.get("code") ?? "",
      redirect_uri: sender.client.redirectUri,
      code_verifier: request.pkce?.verifier,
      client_id: sender.client.id,
      client_secret: sender.client.secret,
    });
    expect(status).toBe(200);
  });

  const objects: [string, string, string, (inner: object) => string][] = [
    [
      "'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported'",
      "request_uri",
      "request_uri_not_supported",
      () => "https://suite.example.test/requesturi/8Yw2ZpQk#sha256",
    ],
    [
      "'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported'",
      "request",
      "request_not_supported",
      requestObject,
    ],
  ];
  test.each(objects)("%s: rejected as unsupported", async (_title, name, error, build) => {
    // The suite repeats only the parameters that OAuth requires; state and nonce are in the object alone.
    const { parameters } = requestOf(party());
    const sent = { ...parameters, [name]: build(parameters) };
    const { state: _state, nonce: _nonce, ...query } = sent as Record<string, string>;
    const landing = await person.browser.follow(`/oauth2/authorize?${new URLSearchParams(query)}`);
    expect(responseIn(landing, party())?.get("error")).toBe(error);
  });

  test("'oidcc-ensure-request-object-with-redirect-uri': the invalid URI of the query decides", async () => {
    const { parameters } = requestOf(party());
    const query = { ...parameters, redirect_uri: `${CALLBACK}/invalid`, request: requestObject(parameters) };
    const { location, answer } = await person.browser.follow(`/oauth2/authorize?${new URLSearchParams(query)}`);
    expect([location, answer.status]).toEqual([undefined, 400]);
  });

  test("'oidcc-refresh-token': two clients, each with tokens of the client alone", async () => {
    const other = await registerClient(setting.withPkce ? {} : { require_pkce: false });
    const consented = async (client: TestClient, nonce: string) => {
      const request = requestOf(party(client), { scope: "openid offline_access", prompt: "consent", nonce });
      const { path } = await person.browser.follow(request.path);
      const response = responseIn(await person.browser.submit(path, { decision: "allow" }), party(client));
      return await tokensIn(party(client), at.one.url, { request, response: response ?? new URLSearchParams() });
    };
    const [first, second] = [party(), party(other)];
    for (const [{ client }, nonce] of [
      [first, "nonce12345"],
      [second, `${"n".repeat(39)}-._~`],
    ] as const) {
      const { claims, body } = await consented(client, nonce);
      const refreshed = await refreshAt(at.one.url, client, body.refresh_token);
      expect(refreshed.status).toBe(200);
      expect((await userInfoAt(at.one.url, refreshed.body.access_token)).body.sub).toBe(String(claims.sub));
      if (client === other) {
        const stolen = await refreshAt(at.one.url, first.client, refreshed.body.refresh_token);
        expect([stolen.status, stolen.body.error]).toEqual([400, "invalid_grant"]);
      }
    }
  });

  test("'oidcc-ensure-request-with-valid-pkce-succeeds': a challenge is accepted and verified", async () => {
    const protectedParty = { ...party(), withPkce: true };
    await runModule(protectedParty, person.browser);
    const { request, response } = await authorizeAs(protectedParty, person.browser);
    expect(request.pkce).toBeDefined();
    const wrong = await exchangeAs(protectedParty, at.one.url, response.get("code") ?? "", makePkce());
    expect(wrong.body.error).toBe("invalid_grant");
  });
});

function clientOf({ withPkce }: Setting): TestClient {
  return withPkce ? strict : lenient;
}

test("as sent to a client with the default settings, each request fails for the lack of PKCE alone", async () => {
  const party = { client: strict, formPost: false, withPkce: false };
  for (const extra of [{}, { nonce: undefined }, { prompt: "none" }, { scope: "email openid" }, { max_age: "1" }]) {
    const { response } = await authorizeAs(party, person.browser, extra);
    expect([response.get("error"), response.get("error_description")]).toEqual([
      "invalid_request",
      expect.stringContaining("PKCE is required"),
    ]);
  }
});

test("docs/conformance.md: each listed module is in the title of a test of the named file", () => {
  const root = join(import.meta.dir, "../..");
  const document = readFileSync(join(root, "docs/conformance.md"), "utf8");
  const rows = [...document.matchAll(/^\| `(oidcc-[\w-]+)` \|[^|]+\| `(test\/[^`]+)` \|$/gm)];
  expect(rows.length).toBeGreaterThan(45);
  const missing = rows.filter(
    ([, name, file]) => !readFileSync(join(root, String(file)), "utf8").includes(`'${name}'`),
  );
  expect(missing.map(([row]) => row)).toEqual([]);
});
