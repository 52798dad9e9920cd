/** Protected resource metadata (RFC 9728) and requirements on the sign-in (docs/contract.md, 23.27 and 23.28). */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  authorizePath,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  refreshAt,
  registerClient,
  tokensFor,
} from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
});

let apis = 0;
async function apiWithApplication(settings: Record<string, unknown> = {}) {
  apis += 1;
  const identifier = `https://assurance-${apis}.example.test/mcp`;
  const body = { identifier, name: "Payroll", scopes: [{ name: "pay:read" }], ...settings };
  const { status, body: api } = await admin.post("/v1/admin/resources", body);
  expect(status).toBe(201);
  const application = await registerClient({ scopes: ["openid", "pay:read"], resources: [identifier] });
  return { id: String(api.id), identifier, application, request: { scope: "pay:read", resource: identifier } };
}

/** A user whose session began with a passkey. */
async function personWithPasskeySession() {
  const person = await personWithBrowser(at);
  await at.sql`update sessions set auth_method = 'passkey', aal = 'aal2' where user_id = ${person.userId}`;
  return person;
}

describe("/.well-known/oauth-protected-resource (RFC 9728)", () => {
  const PATH = "/.well-known/oauth-protected-resource";

  test("The service describes its own API, with and without the route prefix, to every origin.", async () => {
    const own = await new Client(at.one.url).get("/.well-known/oauth-protected-resource");
    const ofApi = await new Client(at.one.url).get("/.well-known/oauth-protected-resource/v1");
    expect((await new Client(at.one.url).get(`${PATH}/v2`)).status).toBe(404);
    for (const [{ status, body, headers }, resource] of [
      [own, ISSUER],
      [ofApi, `${ISSUER}/v1`],
    ] as const) {
      expect(status).toBe(200);
      expect(body).toMatchObject({
        resource,
        authorization_servers: [ISSUER],
        bearer_methods_supported: ["header"],
        dpop_signing_alg_values_supported: ["ES256", "EdDSA", "PS256", "RS256"],
      });
      expect(body.scopes_supported).toContain("openid");
      expect(headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  test("The metadata of a registered API is for a copy; 404 for an unknown and a disabled API.", async () => {
    const { id, identifier } = await apiWithApplication({ dpop: "required" });
    const client = new Client(at.one.url);
    const read = (each: string) => client.get(`/.well-known/oauth-protected-resource/resources/${each}`);
    expect((await read(id)).body).toMatchObject({
      resource: identifier,
      resource_name: "Payroll",
      scopes_supported: ["pay:read"],
      dpop_bound_access_tokens_required: true,
    });
    expect((await read("019a0000-0000-7000-8000-000000000000")).status).toBe(404);
    await admin.patch(`/v1/admin/resources/${id}`, { disabled: true });
    expect((await read(id)).status).toBe(404);
  });

  test("401 of UserInfo names the metadata.", async () => {
    const metadata = `resource_metadata="${ISSUER}${PATH}"`;
    const anonymous = await new Client(at.one.url).get("/oauth2/userinfo");
    expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([401, `Bearer ${metadata}`]);
    const wrong = await new Client(at.one.url).get("/oauth2/userinfo", { headers: { authorization: "Bearer x" } });
    expect(wrong.headers.get("www-authenticate")).toEndWith(`, ${metadata}`);
  });
});

describe("essential requirements (G237)", () => {
  const essential = (acr: object) => JSON.stringify({ id_token: { acr: { essential: true, ...acr } } });

  test("A user without a second factor sets a factor up for aal2, by min_acr and by an essential claim.", async () => {
    const api = await apiWithApplication({ min_acr: "aal2" });
    const plain = await apiWithApplication();
    const requests = [
      [api.application, api.request],
      [plain.application, { ...plain.request, claims: essential({ values: ["phr", "aal2"] }) }],
    ] as const;
    for (const [application, request] of requests) {
      const { browser } = await personWithBrowser(at);
      const landing = await browser.follow(authorizePath(application, makePkce().challenge, request));
      expect([landing.path.startsWith("/step-up"), landing.answer.status]).toEqual([true, 200]);
      const silent = authorizePath(application, makePkce().challenge, { ...request, prompt: "none" });
      expect((await browser.follow(silent)).location?.searchParams.get("error")).toBe("interaction_required");
    }
  });

  test("A voluntary request of a user without a second factor gives tokens, with the reached acr.", async () => {
    const { application, request } = await apiWithApplication();
    const { browser } = await personWithBrowser(at);
    for (const more of [{ acr_values: "aal2" }, { acr_values: "phr aal2" }, { claims: '{"id_token":{"acr":null}}' }]) {
      const tokens = await tokensFor(application, browser, { ...request, ...more });
      expect(decodeJwt(tokens.access_token).acr).toBe("aal1");
    }
  });

  test("phr needs a passkey with user verification, else unmet_authentication_requirements.", async () => {
    const { application, request } = await apiWithApplication({ min_acr: "phr" });
    const strong = await personWithPasskeySession();
    const tokens = await tokensFor(application, strong.browser, request);
    expect(decodeJwt(tokens.access_token).acr).toBe("phr");
    const { browser } = await personWithBrowser(at);
    const landing = await browser.follow(authorizePath(application, makePkce().challenge, request));
    expect(landing.location?.searchParams.get("error")).toBe("unmet_authentication_requirements");
  });

  test("A client that requires aal2 receives no code and no token of a weaker sign-in.", async () => {
    const { application, request } = await apiWithApplication();
    const { browser } = await personWithBrowser(at);
    const { refresh_token } = await tokensFor(application, browser, request);
    const require = async (require_acr: string | null) =>
      expect((await admin.patch(`/v1/admin/oauth-clients/${application.id}`, { require_acr })).body).toMatchObject({
        require_acr,
      });
    await require("aal2");
    const landing = await browser.follow(authorizePath(application, makePkce().challenge, request));
    expect(landing.path).toStartWith("/step-up");
    const refused = await refreshAt(at.one.url, application, refresh_token);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"]);
    await require("phr");
    const unmet = await browser.follow(authorizePath(application, makePkce().challenge, request));
    expect(unmet.location?.searchParams.get("error")).toBe("unmet_authentication_requirements");
    const strong = await personWithPasskeySession();
    expect(decodeJwt((await tokensFor(application, strong.browser, request)).access_token).acr).toBe("phr");
    await require(null);
    expect((await refreshAt(at.one.url, application, refresh_token)).status).toBe(200);
  });

  test("An essential acr that the service does not know, and malformed claims, are refused.", async () => {
    const { application, request } = await apiWithApplication();
    const { browser } = await personWithBrowser(at);
    const errorOf = async (claims: string) =>
      (
        await browser.follow(authorizePath(application, makePkce().challenge, { ...request, claims }))
      ).location?.searchParams.get("error");
    expect(await errorOf(essential({ value: "urn:mace:incommon:iap:gold" }))).toBe("unmet_authentication_requirements");
    for (const claims of [
      "{",
      "[]",
      '{"id_token":[]}',
      '{"id_token":{"acr":"aal2"}}',
      '{"id_token":{"acr":{"values":1}}}',
    ]) {
      expect([claims, await errorOf(claims)]).toEqual([claims, "invalid_request"]);
    }
  });

  test("An API that requires more later receives no further token of a weaker family.", async () => {
    const { id, application, request } = await apiWithApplication();
    const { browser } = await personWithBrowser(at);
    const { refresh_token } = await tokensFor(application, browser, request);
    await admin.patch(`/v1/admin/resources/${id}`, { min_acr: "aal2" });
    const refused = await refreshAt(at.one.url, application, refresh_token);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_target"]);
    await admin.patch(`/v1/admin/resources/${id}`, { min_acr: null });
    expect((await refreshAt(at.one.url, application, refresh_token)).status).toBe(200);
  });
});
