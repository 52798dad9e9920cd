/** The endpoints for pages of every origin, as Chromium applies CORS and cookies. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { authorizePath, makePkce, personWithBrowser } from "../support/oauth.ts";
import { type PageSite, Reader, startSite } from "../support/pages.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { until } from "../support/waiting.ts";

let site: PageSite;
let admin: Client;
/** Serves an empty page at each path. */
let foreign: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  site = await startSite();
  foreign = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
  });
  admin = (await steppedUpAdmin(site, "owner")).client;
});
afterAll(() => foreign.stop(true));

describe("a page of an origin without any setting (G109)", () => {
  interface PageRequest {
    readonly method?: string;
    readonly body?: string;
    readonly headers?: Record<string, string>;
    readonly credentials?: "include";
  }
  /** Returns the status of a request, or `refused` if the browser hides the response. */
  const fetched = (page: Reader["page"], url: string, init: PageRequest) =>
    page.evaluate(
      ([url, init]) =>
        fetch(url, init).then(
          (response) => response.status,
          () => "refused" as const,
        ),
      [url, init] as const,
    );

  /**
   * Records later requests on the network, including requests with hidden responses, and whether a request had a
   * cookie.
   */
  async function watchCookies(page: Reader["page"]) {
    const urls = new Map<string, string>();
    const sent: { readonly requestId: string; readonly hasCookie: boolean }[] = [];
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    session.on("Network.requestWillBeSent", ({ requestId, request }) => urls.set(requestId, request.url));
    session.on("Network.requestWillBeSentExtraInfo", ({ requestId, headers }) => {
      sent.push({ requestId, hasCookie: "Cookie" in headers || "cookie" in headers });
    });
    // The two events of a request have no order.
    return () => sent.map(({ requestId, hasCookie }) => ({ url: urls.get(requestId), hasCookie }));
  }

  // Cookies ignore ports: the second origin belongs to the site of the service, so SameSite stops no cookie.
  test.each(["127.0.0.1", "localhost"])("at %s exchanges a code and reads the user, without cookies", async (host) => {
    const redirectUri = `http://127.0.0.1:${foreign.port}/callback`;
    const origin = `http://${host}:${foreign.port}`;
    const { body: client } = await admin.post("/v1/admin/oauth-clients", {
      name: "Notes",
      first_party: true,
      token_endpoint_auth_method: "none",
      redirect_uris: [redirectUri],
      scopes: ["openid", "email"],
    });
    const person = await personWithBrowser(site);
    const reader = await Reader.at(site.origin);
    await reader.become(person.browser);
    const pkce = makePkce();
    const application = { id: client.client_id, redirectUri };
    await reader.open(authorizePath(application, pkce.challenge, { scope: "openid email" }));
    const code = String(new URL(reader.page.url()).searchParams.get("code"));
    const { page } = reader;
    await page.goto(`${origin}/callback`);

    const sentRequests = await watchCookies(page);
    const read = (path: string, init: PageRequest = {}) => fetched(page, `${site.origin}${path}`, init);
    expect(await read("/.well-known/openid-configuration")).toBe(200);
    const tokens = await page.evaluate(
      async ([issuer, form]) => {
        const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
        const body = new URLSearchParams(form);
        return await (await fetch(metadata.token_endpoint, { method: "POST", body })).json();
      },
      [
        site.origin,
        {
          grant_type: "authorization_code",
          code,
          client_id: client.client_id,
          redirect_uri: redirectUri,
          code_verifier: pkce.verifier,
        },
      ] as const,
    );
    const authorization = { authorization: `Bearer ${tokens.access_token}` };
    expect(await read("/oauth2/userinfo", { headers: authorization })).toBe(200);
    const sentTo = (path: string) => sentRequests().filter(({ url }) => url === `${site.origin}${path}`);
    // The preflight and the request.
    await until("the requests are known", async () => sentTo("/oauth2/userinfo").length === 2);
    // Requests without a known URL are those of the browser itself, such as the icon of the foreign page.
    const toService = sentRequests().filter(({ url }) => url?.startsWith(site.origin));
    expect(toService.filter(({ hasCookie }) => hasCookie)).toEqual([]);

    // This browser has a session of the user, but the foreign page cannot use the session.
    expect(await read("/v1/auth/session")).toBe("refused");
    for (const path of ["/v1/auth/session", "/oauth2/userinfo", "/.well-known/openid-configuration"])
      expect(await read(path, { credentials: "include" })).toBe("refused");
    expect(await read("/v1/auth/session", { headers: authorization })).toBe("refused");
    expect(await read("/oauth2/userinfo", { headers: authorization, credentials: "include" })).toBe("refused");
    await until("the requests are known", async () => sentTo("/v1/auth/session").length === 3);
    expect(sentTo("/v1/auth/session").some(({ hasCookie }) => hasCookie)).toBe(host === "localhost");
    const cookies = await reader.context.cookies(site.origin);

    const form = new URLSearchParams({ token: tokens.access_token, client_id: client.client_id }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect(await read("/oauth2/revoke", { method: "POST", body: form, headers })).toBe(200);
    expect(await read("/oauth2/userinfo", { headers: authorization })).toBe(401);
    expect(await reader.context.cookies(site.origin)).toEqual(cookies);
    await reader.close();
  });
});
