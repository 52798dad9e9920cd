/**
 * Modules of the OpenID Foundation's conformance suite for the plans oidcc-basic, oidcc-config, rp-initiated-logout and
 * backchannel-logout, under the module names, without the modules in further files (docs/conformance.md).
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, generateKeyPair, jwtVerify, SignJWT } from "jose";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  authorizePath,
  type Browser,
  CALLBACK,
  codeFor,
  exchange,
  introspectAt,
  makePkce,
  personWithBrowser,
  registerClient,
  type TestClient,
  tokensFor,
} from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";

let at: Deployment;
let wiki: TestClient;
const BYE = "https://app.example.test/bye";
beforeAll(async () => {
  at = await deployment();
  wiki = await registerClient({ post_logout_redirect_uris: [BYE], id_token_claims: "none" });
});

const { challenge } = makePkce();
const discovery = async () => (await new Client(at.one.url).get("/.well-known/openid-configuration")).body;
const keys = async () => createLocalJWKSet((await new Client(at.one.url).get("/.well-known/jwks.json")).body);

async function userInfo(access_token: string) {
  const headers = { authorization: `Bearer ${access_token}` };
  return (await new Client(at.one.url).get("/oauth2/userinfo", { headers })).body;
}

/** Returns the result of a request with `prompt=none`, which depends on whether the browser is signed in. */
async function silently(browser: Browser) {
  const { location } = await browser.follow(authorizePath(wiki, challenge, { prompt: "none" }));
  return location?.searchParams.get("error") ?? "signed in";
}

describe("oidcc-basic", () => {
  test("'oidcc-idtoken-signature': RS256, by the published key that the header names", async () => {
    const { browser } = await personWithBrowser();
    const { id_token } = await tokensFor(wiki, browser);
    const { protectedHeader } = await jwtVerify(id_token, await keys(), { issuer: ISSUER, audience: wiki.id });
    expect(protectedHeader).toEqual({ alg: "RS256", kid: expect.any(String) });
  });

  test("'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': and the ID token has none", async () => {
    const { browser } = await personWithBrowser();
    const { id_token } = await tokensFor(wiki, browser, { nonce: undefined });
    expect(decodeJwt(id_token)).not.toHaveProperty("nonce");
  });

  test("'oidcc-scope-profile', 'oidcc-scope-all': UserInfo has the claims of scopes, the ID token none", async () => {
    const { browser, client, email } = await personWithBrowser();
    await client.patch("/v1/users/me", { display_name: "Ada Lovelace" });
    const profile = await tokensFor(wiki, browser, { scope: "openid profile" });
    const known = { name: "Ada Lovelace", updated_at: expect.any(Number) };
    expect(await userInfo(profile.access_token)).toEqual({ sub: expect.any(String), ...known });
    const all = await tokensFor(wiki, browser, { scope: "openid profile email address phone" });
    expect(all.scope).toBe("openid profile email");
    expect(await userInfo(all.access_token)).toMatchObject({ ...known, email, email_verified: false });
    expect(decodeJwt(all.id_token)).not.toContainAnyKeys(["name", "email", "address", "phone_number"]);
  });

  test("'oidcc-alternate-happy-flow': the order of scopes and parameters does not matter", async () => {
    const { browser } = await personWithBrowser();
    const pkce = makePkce();
    const query = authorizePath(wiki, pkce.challenge, { scope: "email profile openid" }).split("?")[1] ?? "";
    const { location } = await browser.follow(`/oauth2/authorize?${query.split("&").reverse().join("&")}`);
    const { body } = await exchange(at.one.url, wiki, { code: location?.searchParams.get("code") ?? "", pkce });
    expect(body.scope.split(" ").sort()).toEqual(["email", "openid", "profile"]);
    expect(body.id_token).toBeString();
  });

  const ignored: [string, Record<string, string>][] = [
    ["'oidcc-display-page'", { display: "page" }],
    ["'oidcc-display-popup'", { display: "popup" }],
    ["'oidcc-ensure-request-with-unknown-parameter-succeeds'", { extra: "foobar" }],
    ["'oidcc-claims-locales'", { claims_locales: "se" }],
    ["'oidcc-ui-locales', of a language that there is not", { ui_locales: "se" }],
    ["'oidcc-claims-essential'", { claims: '{"userinfo":{"name":{"essential":true}}}' }],
  ];
  test.each(ignored)("%s: the request succeeds", async (_, more) => {
    const { browser } = await personWithBrowser();
    expect((await codeFor(wiki, browser, more)).code).toBeString();
  });

  test("'oidcc-ensure-request-with-acr-values-succeeds': acr says what was reached", async () => {
    const { browser } = await personWithBrowser();
    const acr_values = (await discovery()).acr_values_supported.join(" ");
    expect(decodeJwt((await tokensFor(wiki, browser, { acr_values })).id_token).acr).toBe("aal1");
  });

  test("'oidcc-max-age-10000', 'oidcc-id-token-hint': no second sign-in, and the same sub and auth_time", async () => {
    const { browser } = await personWithBrowser();
    const first = await tokensFor(wiki, browser, { max_age: "15000" });
    const { sub, auth_time } = decodeJwt(first.id_token);
    expect(auth_time).toBeNumber();
    for (const more of [{ max_age: "10000" }, { prompt: "none", id_token_hint: first.id_token }]) {
      expect(decodeJwt((await tokensFor(wiki, browser, more)).id_token)).toMatchObject({ sub, auth_time });
    }
  });

  test("'oidcc-codereuse-30seconds': is refused, and ends the tokens of the first use", async () => {
    const { browser } = await personWithBrowser();
    const code = await codeFor(wiki, browser);
    const { body } = await exchange(at.one.url, wiki, code);
    await at.sql`
      update oauth_token_families
      set created_at = created_at - interval '30 seconds', rotated_at = rotated_at - interval '30 seconds'
      where id = ${String(decodeJwt(body.id_token).sid)}`;
    expect((await exchange(at.one.url, wiki, code)).body.error).toBe("invalid_grant");
    expect((await introspectAt(at.one.url, wiki, body.access_token)).body).toEqual({ active: false });
  });

  test("'oidcc-ensure-post-request-succeeds': a form of the application leads to a code", async () => {
    const { browser } = await personWithBrowser();
    const fields = Object.fromEntries(new URLSearchParams(authorizePath(wiki, challenge).split("?")[1]));
    const posted = await browser.post("/oauth2/authorize", fields, { "sec-fetch-site": "cross-site" });
    const { location } = await browser.follow("/oauth2/authorize", posted);
    expect(location?.searchParams.has("code")).toBe(true);
  });

  test("'oidcc-ensure-request-object-with-redirect-uri': its URI is not used, and an error says so", async () => {
    const { browser } = await personWithBrowser();
    const inner = { redirect_uri: "https://attacker.example.test/", client_id: wiki.id };
    const request = `${encode({ alg: "none" })}.${encode(inner)}.`;
    const { location } = await browser.follow(authorizePath(wiki, challenge, { request }));
    expect(location?.href).toStartWith(`${CALLBACK}?error=request_not_supported`);
  });
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

describe("oidcc-rp-initiated-logout, oidcc-backchannel-logout", () => {
  const logoutPath = (parameters: Record<string, string>) => `/oauth2/logout?${new URLSearchParams(parameters)}`;

  test.each([
    ["'oidcc-rp-initiated-logout-discovery-endpoint-verification'", {}],
    [
      "'oidcc-backchannel-logout-discovery-endpoint-verification'",
      { backchannel_logout_supported: true, backchannel_logout_session_supported: true },
    ],
  ])("%s: what it needs is offered", async (_, members) => {
    expect(await discovery()).toMatchObject({ end_session_endpoint: `${ISSUER}/oauth2/logout`, ...members });
  });

  test("'oidcc-rp-initiated-logout-no-state': leads back without one, and a silent request fails then", async () => {
    const { browser } = await personWithBrowser();
    const { id_token } = await tokensFor(wiki, browser);
    const path = logoutPath({ id_token_hint: id_token, post_logout_redirect_uri: BYE });
    expect((await browser.follow(path)).location?.href).toBe(BYE);
    expect(await silently(browser)).toBe("login_required");
  });

  test("'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': signs out and says so here", async () => {
    const { browser } = await personWithBrowser();
    const { id_token } = await tokensFor(wiki, browser);
    const { path, answer, location } = await browser.follow(logoutPath({ id_token_hint: id_token }));
    expect([location, path, answer.text.includes("signed out")]).toEqual([undefined, "/sign-in?done=signed_out", true]);
    expect(await silently(browser)).toBe("login_required");
  });

  test.each([
    ["'oidcc-rp-initiated-logout-only-state'", { state: "s" }],
    ["'oidcc-rp-initiated-logout-no-params'", {}],
  ])("%s: asks, then signs out and says so here", async (_, parameters: Record<string, string>) => {
    const { browser } = await personWithBrowser();
    const path = logoutPath(parameters);
    expect((await browser.follow(path)).answer.status).toBe(200);
    expect(await silently(browser)).toBe("signed in");
    const left = await browser.submit(path, {});
    expect([left.location, left.path]).toEqual([undefined, "/sign-in?done=signed_out"]);
    expect(await silently(browser)).toBe("login_required");
  });

  const refused: [string, (token: string) => Promise<Record<string, string>>][] = [
    ["'oidcc-rp-initiated-logout-bad-id-token-hint'", async (token) => ({ id_token_hint: await forged(token) })],
    [
      "'oidcc-rp-initiated-logout-modified-id-token-hint'",
      async (token) => ({ id_token_hint: `${encode({ alg: "none" })}.${token.split(".")[1]}.` }),
    ],
    [
      "'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri'",
      async (token) => ({ id_token_hint: token, post_logout_redirect_uri: `${BYE}?foo=bar` }),
    ],
  ];
  test.each(refused)("%s: an error here, no redirect, no logout", async (_, wrong) => {
    const { browser } = await personWithBrowser();
    const { id_token } = await tokensFor(wiki, browser);
    const path = logoutPath({ post_logout_redirect_uri: BYE, ...(await wrong(id_token)) });
    const { location, answer } = await browser.follow(path);
    expect([location, answer.status]).toEqual([undefined, 400]);
    expect(await silently(browser)).toBe("signed in");
  });

  /** Signs the claims of a token with a foreign key. */
  async function forged(token: string): Promise<string> {
    const { privateKey } = await generateKeyPair("RS256");
    const { kid = "" } = decodeProtectedHeader(token);
    return await new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey);
  }
});

test("docs/conformance.md: each module that is shown stands in the title of a test of the file that it names", () => {
  const root = join(import.meta.dir, "../..");
  const document = readFileSync(join(root, "docs/conformance.md"), "utf8");
  const rows = [...document.matchAll(/^\| `(oidcc-[\w-]+)` \| `(test\/[^`]+)` \|$/gm)];
  expect(rows.length).toBeGreaterThan(40);
  const missing = rows.filter(
    ([, name, file]) => !readFileSync(join(root, String(file)), "utf8").includes(`'${name}'`),
  );
  expect(missing.map(([row]) => row)).toEqual([]);
});
