/** Token exchange, RFC 8693 (docs/contract.md, section 23.16). */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import type { Answer } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { makeProof, makeProofKey } from "../support/dpop.ts";
import {
  API,
  authorizePath,
  basic,
  exchange,
  introspectAt,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  refreshAt,
  registerClient,
  sendForm,
  type TestClient,
  tokensFor,
} from "../support/oauth.ts";
import { eventually } from "../support/waiting.ts";

const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
const STOCK = "https://stock.example.test/";
const PRICES = "https://prices.example.test/";
/** Replicas learn of the end of a token within this time. */
const END_MS = 2_000;
const SCOPE = { scope: "openid offline_access api:read api:write", resource: API };

let at: Deployment;
let wiki: TestClient;
/** Operates the API that receives the token of the user. */
let orders: TestClient;
/** Operates the next API. */
let stock: TestClient;
let person: Awaited<ReturnType<typeof personWithBrowser>>;

beforeAll(async () => {
  at = await deployment();
  wiki = await registerClient({ scopes: ["openid", "offline_access", "api:read", "api:write"] });
  orders = await exchanger({
    audiences: [API],
    exchanges: [
      { from: API, to: STOCK, scopes: ["api:read", { from: "api:write", to: "stock:reserve" }, "stock:admin"] },
    ],
  });
  stock = await exchanger({ audiences: [STOCK], exchanges: [{ from: STOCK, to: PRICES, scopes: ["api:read"] }] });
  person = await personWithBrowser();
});

function exchanger(settings: Record<string, unknown>): Promise<TestClient> {
  const base = { redirect_uris: [], grant_types: [EXCHANGE], scopes: [], resources: [], first_party: false };
  return registerClient({ name: "API", ...base, ...settings });
}

type Fields = Record<string, string | undefined>;

function exchangeAt(by: TestClient, subject: string, more: Fields = {}, headers: Record<string, string> = {}) {
  const fields = { grant_type: EXCHANGE, subject_token: subject, subject_token_type: ACCESS_TOKEN, resource: STOCK };
  return sendForm(at.one.url, "/oauth2/token", { ...fields, ...more }, { ...basic(by), ...headers });
}

const outcomeOf = ({ status, body }: Answer) => [status, body.error ?? body.scope];
const received = async (more: Record<string, string> = SCOPE) => await tokensFor(wiki, person.browser, more);

describe("POST /oauth2/token, token exchange: 200 (G227)", () => {
  test("the next API gets a short token of the same user, organization and family that names the actor", async () => {
    const { access_token } = await received();
    const { status, body } = await exchangeAt(orders, access_token);
    expect([status, body.token_type, body.issued_token_type]).toEqual([200, "Bearer", ACCESS_TOKEN]);
    expect(body.scope.split(" ").toSorted()).toEqual(["api:read", "stock:reserve"]);
    expect([body.refresh_token, body.id_token]).toEqual([undefined, undefined]);
    expect(body.expires_in).toBeLessThanOrEqual(300);
    const [before, after] = [decodeJwt(access_token), decodeJwt(body.access_token)];
    const { sub, org, sid, acr, auth_time } = before;
    expect(after).toMatchObject({ sub, org, sid, acr, auth_time, aud: STOCK, client_id: orders.id });
    expect(after.act).toEqual({ sub: orders.id });
    expect(after.jti).not.toBe(before.jti);
    const introspection = (await introspectAt(at.other.url, stock, body.access_token)).body;
    expect(introspection).toMatchObject({ active: true, act: { sub: orders.id }, sub, aud: STOCK });
  });

  test("a requested scope narrows, and scopes beyond the rule and the received token are left out", async () => {
    const { access_token } = await received({ ...SCOPE, scope: "api:read" });
    const all = await exchangeAt(orders, access_token);
    expect(outcomeOf(all)).toEqual([200, "api:read"]);
    const wide = await exchangeAt(orders, access_token, { scope: "api:read stock:reserve stock:admin openid" });
    expect(outcomeOf(wide)).toEqual([200, "api:read"]);
  });

  test("a scope of another API of the received token gives nothing at the next API", async () => {
    const admin = await oauthAdmin();
    const [mail, files] = ["https://mail-x.example.test/", "https://files-x.example.test/"];
    for (const [identifier, name] of [
      [mail, "mail:read"],
      [files, "files:delete"],
    ])
      await admin.post("/v1/admin/resources", { identifier, name: "API", scopes: [{ name }] });
    const both = await registerClient({ scopes: ["mail:read", "files:delete"], resources: [mail, files] });
    const scopes = ["mail:read", "files:delete"];
    const ofMail = await exchanger({ audiences: [mail], exchanges: [{ from: mail, to: STOCK, scopes }] });
    const pkce = makePkce();
    const path = authorizePath(both, pkce.challenge, { scope: scopes.join(" "), resource: mail });
    const { location } = await person.browser.follow(`${path}&${new URLSearchParams({ resource: files })}`);
    const code = location?.searchParams.get("code") ?? "";
    const { access_token } = (await exchange(at.one.url, both, { code, pkce })).body;
    expect(decodeJwt(access_token)).toMatchObject({ aud: [mail, files], scope: "mail:read files:delete" });
    expect(outcomeOf(await exchangeAt(ofMail, access_token))).toEqual([200, "mail:read"]);
  });

  test("a chain names every actor, and a fourth actor is refused", async () => {
    const [loop, back] = [
      { from: PRICES, to: STOCK, scopes: ["api:read"] },
      { ...SCOPE, scope: "api:read" },
    ];
    const prices = await exchanger({ audiences: [PRICES], exchanges: [loop] });
    const first = (await exchangeAt(orders, (await received(back)).access_token)).body.access_token;
    const second = (await exchangeAt(stock, first, { resource: PRICES })).body.access_token;
    const third = (await exchangeAt(prices, second)).body.access_token;
    expect(decodeJwt(third).act).toEqual({ sub: prices.id, act: { sub: stock.id, act: { sub: orders.id } } });
    expect(outcomeOf(await exchangeAt(stock, third, { resource: PRICES }))).toEqual([400, "invalid_request"]);
  });

  test("a proof of possession binds the issued token", async () => {
    const key = await makeProofKey();
    const { access_token } = await received();
    const { body } = await exchangeAt(orders, access_token, {}, { dpop: await makeProof(key) });
    expect([body.token_type, decodeJwt(body.access_token).cnf]).toEqual(["DPoP", { jkt: key.thumbprint }]);
  });

  test("a service account exchanges a token of its own, and no other service account does", async () => {
    const settings = {
      grant_types: ["client_credentials", EXCHANGE],
      scopes: ["api:read"],
      resources: [API],
      audiences: [API],
      exchanges: [{ from: API, to: STOCK, scopes: ["api:read"] }],
    };
    const [own, other] = [await exchanger(settings), await exchanger(settings)];
    const fields = { grant_type: "client_credentials", resource: API };
    const { body } = await sendForm(at.one.url, "/oauth2/token", fields, basic(own));
    expect(outcomeOf(await exchangeAt(other, body.access_token))).toEqual([400, "invalid_request"]);
    const issued = (await exchangeAt(own, body.access_token)).body.access_token;
    expect((await introspectAt(at.one.url, stock, issued)).body.active).toBe(true);
    await sendForm(at.one.url, "/oauth2/revoke", { token: body.access_token }, basic(own));
    await eventually(
      "the token ends",
      END_MS,
      async () => !(await introspectAt(at.other.url, stock, issued)).body.active,
    );
  });

  test("the exchange is audited with both APIs, scopes and the application of the user", async () => {
    const { access_token } = await received();
    await exchangeAt(orders, access_token);
    const [row] = await at.sql`
      select * from audit_logs where action = 'oauth.token.exchanged' and resource_id = ${orders.id}
      order by timestamp desc limit 1`;
    expect(row).toMatchObject({ outcome: "success", organization_id: person.organizationId, actor_id: person.userId });
    expect(row?.metadata).toMatchObject({ from: API, to: STOCK, client_id: wiki.id });
  });
});

describe("the end of exchanged tokens (G227)", () => {
  const isActive = async (token: string, url = at.other.url) => (await introspectAt(url, stock, token)).body.active;

  test("the token ends with the family of the received token, on every replica", async () => {
    const tokens = await received();
    const { access_token } = (await exchangeAt(orders, tokens.access_token)).body;
    expect(await isActive(access_token)).toBe(true);
    await sendForm(at.one.url, "/oauth2/revoke", { token: tokens.refresh_token }, basic(wiki));
    await eventually("the token ends", END_MS, async () => !(await isActive(access_token)));
    expect(outcomeOf(await exchangeAt(orders, tokens.access_token))).toEqual([400, "invalid_request"]);
  });

  test("the client revokes its token, and the tokens of the user stay", async () => {
    const tokens = await received();
    const { access_token } = (await exchangeAt(orders, tokens.access_token)).body;
    await sendForm(at.one.url, "/oauth2/revoke", { token: access_token }, basic(orders));
    await eventually("the token ends", END_MS, async () => !(await isActive(access_token)));
    expect((await introspectAt(at.one.url, wiki, tokens.access_token)).body.active).toBe(true);
    expect((await refreshAt(at.one.url, wiki, tokens.refresh_token)).status).toBe(200);
  });

  test("the token outlives no received token", async () => {
    const { access_token } = await received();
    const { exp = 0 } = decodeJwt(access_token);
    const issued = decodeJwt((await exchangeAt(orders, access_token)).body.access_token);
    expect(issued.exp).toBeLessThanOrEqual(exp);
    expect((issued.exp ?? 0) - (issued.iat ?? 0)).toBeLessThanOrEqual(300);
  });

  test("no endpoint of sessions accepts the token, and UserInfo neither", async () => {
    const { access_token } = (await exchangeAt(orders, (await received()).access_token)).body;
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await fetch(`${at.one.url}/v1/auth/session`, { headers })).status).toBe(401);
    expect((await fetch(`${at.one.url}/oauth2/userinfo`, { headers })).status).toBe(403);
  });
});

describe("POST /oauth2/token, token exchange: 400 (G227)", () => {
  const JWT = "urn:ietf:params:oauth:token-type:jwt";
  test.each<[string, Fields, string]>([
    ["an actor_token", { actor_token: "x", actor_token_type: ACCESS_TOKEN }, "invalid_request"],
    ["another requested_token_type", { requested_token_type: JWT }, "invalid_request"],
    [
      "another subject_token_type",
      { subject_token_type: "urn:ietf:params:oauth:token-type:id_token" },
      "invalid_request",
    ],
    ["no subject_token_type", { subject_token_type: undefined }, "invalid_request"],
    ["no subject_token", { subject_token: undefined }, "invalid_request"],
    ["an unreadable subject_token", { subject_token: "e30.e30.e30" }, "invalid_request"],
    ["no resource", { resource: undefined }, "invalid_request"],
    ["an audience", { audience: STOCK }, "invalid_request"],
    ["an API without a rule", { resource: PRICES }, "invalid_target"],
    ["scopes that the received token lacks", { scope: "stock:admin" }, "invalid_scope"],
  ])("%s", async (_name, more, error) => {
    const { access_token } = await received();
    expect(outcomeOf(await exchangeAt(orders, access_token, more))).toEqual([400, error]);
  });

  test("a token for another API, an ID token and a refresh token are no subject tokens", async () => {
    const elsewhere = await received({ scope: "openid offline_access api:read" });
    for (const token of [elsewhere.access_token, elsewhere.id_token, elsewhere.refresh_token]) {
      expect(outcomeOf(await exchangeAt(orders, token))).toEqual([400, "invalid_request"]);
    }
  });

  test("a disabled API is invalid_target", async () => {
    const admin = await oauthAdmin();
    const to = "https://disabled.example.test/";
    const api = await admin.post("/v1/admin/resources", { identifier: to, name: "Off", disabled: true });
    expect(api.status).toBe(201);
    const client = await exchanger({ audiences: [API], exchanges: [{ from: API, to, scopes: ["api:read"] }] });
    const { access_token } = await received();
    const refused = await exchangeAt(client, access_token, { resource: to });
    expect(outcomeOf(refused)).toEqual([400, "invalid_target"]);
  });

  test("a client without the grant is unauthorized_client", async () => {
    const { access_token } = await received();
    expect(outcomeOf(await exchangeAt(wiki, access_token))).toEqual([400, "unauthorized_client"]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["a public client", { token_endpoint_auth_method: "none" }],
    ["a scope of users", { exchanges: [{ from: API, to: STOCK, scopes: ["openid"] }] }],
    ["a relative address", { exchanges: [{ from: "api", to: STOCK, scopes: ["api:read"] }] }],
    ["a repeated pair", { exchanges: Array(2).fill({ from: API, to: STOCK, scopes: ["api:read"] }) }],
    [
      "21 exchanges",
      { exchanges: Array.from({ length: 21 }, (_, index) => ({ from: API, to: `${STOCK}${index}`, scopes: [] })) },
    ],
  ])("a registration with %s is invalid_input", async (_name, settings) => {
    const base = {
      redirect_uris: [],
      grant_types: [EXCHANGE],
      scopes: [],
      token_endpoint_auth_method: "client_secret_basic",
    };
    const refused = await (await oauthAdmin()).post("/v1/admin/oauth-clients", { name: "API", ...base, ...settings });
    expect([refused.status, refused.body.error.code]).toEqual([400, "invalid_input"]);
  });
});
