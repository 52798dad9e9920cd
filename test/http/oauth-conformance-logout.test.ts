/**
 * The modules of the plans of RP-initiated and back-channel logout of the OpenID Foundation's conformance suite: a
 * sign-in exactly as the suite sends the request, the logout request of the module, and a silent request that reveals
 * whether the browser is signed out.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, generateKeyPair, jwtVerify, SignJWT } from "jose";
import { Client } from "../support/client.ts";
import { authorizeAs, type ModuleTokens, type RelyingParty, runModule } from "../support/conformance.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { type Browser, personWithBrowser, registerClient } from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";
import { until } from "../support/waiting.ts";

const BYE = "https://app.example.test/post_logout_redirect";
/** As long as the value of the suite. */
const STATE = "s".repeat(128);

let at: Deployment;
let party: RelyingParty;
beforeAll(async () => {
  at = await deployment();
  const client = await registerClient({ post_logout_redirect_uris: [BYE], require_pkce: false });
  party = { client, formPost: false, withPkce: false };
});

const discovery = async () => (await new Client(at.one.url).get("/.well-known/openid-configuration")).body;
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const logoutPath = (parameters: Record<string, string>) => `/oauth2/logout?${new URLSearchParams(parameters)}`;

/** The request of `CreateEndSessionEndpointRequest`. */
const requestFor = ({ body }: ModuleTokens) => ({
  id_token_hint: body.id_token,
  post_logout_redirect_uri: BYE,
  state: STATE,
});

/** The response of the silent request at the end of each module. */
async function silently(browser: Browser, client = party): Promise<string> {
  const { response } = await authorizeAs(client, browser, { prompt: "none" });
  return response.get("error") ?? "signed in";
}

/** The claims of an ID token, signed with a key of the test. */
async function forge(token: string): Promise<string> {
  const { privateKey } = await generateKeyPair("RS256");
  const { kid = "" } = decodeProtectedHeader(token);
  return await new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey);
}

test.each([
  ["'oidcc-rp-initiated-logout-discovery-endpoint-verification'", {}],
  [
    "'oidcc-backchannel-logout-discovery-endpoint-verification'",
    { backchannel_logout_supported: true, backchannel_logout_session_supported: true },
  ],
])("%s: the required members are present", async (_, members) => {
  expect(await discovery()).toMatchObject({ end_session_endpoint: `${ISSUER}/oauth2/logout`, ...members });
});

describe("oidcc-rp-initiated-logout, as sent, require_pkce false", () => {
  const redirected: [string, string[]][] = [
    ["'oidcc-rp-initiated-logout'", []],
    ["'oidcc-rp-initiated-logout-no-state'", ["state"]],
  ];
  test.each(redirected)("%s: a redirect with the state of the request, and no session", async (_, omitted) => {
    const { browser } = await personWithBrowser();
    const sent = Object.entries(requestFor(await runModule(party, browser)));
    const parameters = Object.fromEntries(sent.filter(([name]) => !omitted.includes(name)));
    const { location } = await browser.follow(logoutPath(parameters));
    expect(location?.href).toBe(omitted.length === 0 ? `${BYE}?state=${STATE}` : BYE);
    expect(await silently(browser)).toBe("login_required");
  });

  test("'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': signed out, on a page of the service", async () => {
    const { browser } = await personWithBrowser();
    const { post_logout_redirect_uri: _, ...parameters } = requestFor(await runModule(party, browser));
    const { path, answer, location } = await browser.follow(logoutPath(parameters));
    expect([location, path, answer.text.includes("signed out")]).toEqual([undefined, "/sign-in", true]);
    expect(await silently(browser)).toBe("login_required");
  });

  test.each([
    ["'oidcc-rp-initiated-logout-only-state'", { state: STATE }],
    ["'oidcc-rp-initiated-logout-no-params'", {}],
  ])("%s: a page asks, then the user is signed out", async (_, parameters: Record<string, string>) => {
    const { browser } = await personWithBrowser();
    await runModule(party, browser);
    const path = logoutPath(parameters);
    expect((await browser.follow(path)).answer.status).toBe(200);
    expect(await silently(browser)).toBe("signed in");
    const { location, path: landed } = await browser.submit(path, {});
    expect([location, landed]).toEqual([undefined, "/sign-in"]);
    expect(await silently(browser)).toBe("login_required");
  });

  test("'oidcc-rp-initiated-logout-no-id-token-hint': an error page without client_id, no redirect", async () => {
    const { browser } = await personWithBrowser();
    const { id_token_hint: _, ...parameters } = requestFor(await runModule(party, browser));
    const { location, answer } = await browser.follow(logoutPath(parameters));
    expect([location, answer.status]).toEqual([undefined, 400]);
    expect(await silently(browser)).toBe("signed in");
  });

  const refused: [string, (sent: ReturnType<typeof requestFor>) => Promise<Partial<typeof sent>>][] = [
    [
      "'oidcc-rp-initiated-logout-bad-id-token-hint'",
      async ({ id_token_hint }) => ({ id_token_hint: await forge(id_token_hint) }),
    ],
    [
      "'oidcc-rp-initiated-logout-modified-id-token-hint'",
      async ({ id_token_hint }) => ({ id_token_hint: `${encode({ alg: "none" })}.${id_token_hint.split(".")[1]}.` }),
    ],
    [
      "'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri'",
      async () => ({ post_logout_redirect_uri: `${BYE}?foo=bar` }),
    ],
    [
      "'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri'",
      async () => ({ post_logout_redirect_uri: `${BYE}/8Yw2ZpQk` }),
    ],
  ];
  test.each(refused)("%s: an error page, no redirect, no logout", async (_, change) => {
    const { browser } = await personWithBrowser();
    const sent = requestFor(await runModule(party, browser));
    const { location, answer } = await browser.follow(logoutPath({ ...sent, ...(await change(sent)) }));
    expect([location, answer.status]).toEqual([undefined, 400]);
    expect(await silently(browser)).toBe("signed in");
  });
});

describe("oidcc-backchannel-rp-initiated-logout, as sent, require_pkce false", () => {
  test("'oidcc-backchannel-rp-initiated-logout': a redirect, and a logout token of the session", async () => {
    const received: string[] = [];
    const listener = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        received.push(new URLSearchParams(await request.text()).get("logout_token") ?? "");
        return new Response(null, { headers: { "cache-control": "no-store" } });
      },
    });
    const client = await registerClient({
      post_logout_redirect_uris: [BYE],
      backchannel_logout_uri: `${listener.url}backchannel_logout`,
      require_pkce: false,
    });
    const own = { ...party, client };
    const { browser } = await personWithBrowser();
    const tokens = await runModule(own, browser);
    const { location } = await browser.follow(logoutPath(requestFor(tokens)));
    expect(location?.searchParams.get("state")).toBe(STATE);
    await until("the logout token arrives", async () => received.length > 0);
    await listener.stop(true);
    const keys = createLocalJWKSet((await new Client(at.one.url).get("/.well-known/jwks.json")).body);
    const { payload } = await jwtVerify(received[0] ?? "", keys, { issuer: ISSUER, audience: client.id });
    expect(payload).toMatchObject({ sid: tokens.claims.sid, sub: tokens.claims.sub, jti: expect.any(String) });
    expect(payload.events).toEqual({ "http://schemas.openid.net/event/backchannel-logout": {} });
    expect(payload).not.toHaveProperty("nonce");
    expect(await silently(browser, own)).toBe("login_required");
  });
});
