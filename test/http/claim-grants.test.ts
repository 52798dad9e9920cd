/** Claims by mapping in tokens of token exchange and of the device flow (docs/contract.md, section 23.34). */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { addGroups, browserOf, userInfo } from "../support/claims.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { basic, introspectAt, oauthAdmin, refreshAt, registerClient, sendForm, tokensFor } from "../support/oauth.ts";
import { founded } from "../support/team.ts";

const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
const ORDERS = "https://orders-claims.example.test/";
const STOCK = "https://stock-claims.example.test/";
const GROUPS = { attribute: "groups", qualified: true };

let at: Deployment;
let owner: Awaited<ReturnType<typeof founded>>;
/** The group with the slug of the organization. */
let qualified: string;
beforeAll(async () => {
  at = await deployment();
  owner = await founded(at);
  await addGroups(at, owner, owner.userId, ["editors"]);
  const [organization] = await at.sql`select slug from organizations where id = ${owner.organizationId}`;
  qualified = `${organization?.slug}:editors`;
});

async function registerApi(identifier: string, claim_mappings: readonly Record<string, unknown>[]): Promise<void> {
  const body = { identifier, name: "API", scopes: [{ name: "items:read" }], claim_mappings };
  expect((await (await oauthAdmin()).post("/v1/admin/resources", body)).status).toBe(201);
}

describe("claims by mapping of other grants (G462)", () => {
  test("An exchanged token has the claims of the next API and none of the first, as of the exchange.", async () => {
    await registerApi(ORDERS, [{ claim: "order_teams", ...GROUPS }]);
    await registerApi(STOCK, [
      { claim: "stock_teams", ...GROUPS },
      { claim: "level", expression: "session.acr" },
    ]);
    const wiki = await registerClient({ scopes: ["openid", "items:read"], resources: [ORDERS] });
    const orders = await registerClient({
      redirect_uris: [],
      grant_types: [EXCHANGE],
      scopes: [],
      resources: [],
      first_party: false,
      audiences: [ORDERS],
      exchanges: [{ from: ORDERS, to: STOCK, scopes: ["items:read"] }],
    });
    const stock = await registerClient({ audiences: [STOCK] });
    const received = await tokensFor(wiki, browserOf(at, owner), { scope: "items:read", resource: ORDERS });
    expect(decodeJwt(received.access_token)).toMatchObject({ order_teams: [qualified] });
    await addGroups(at, owner, owner.userId, ["late"]);
    const fields = { grant_type: EXCHANGE, subject_token: received.access_token, subject_token_type: ACCESS_TOKEN };
    const exchanged = await sendForm(at.other.url, "/oauth2/token", { ...fields, resource: STOCK }, basic(orders));
    expect(exchanged.status).toBe(200);
    const claims = decodeJwt(exchanged.body.access_token);
    const teams = [qualified, qualified.replace(/editors$/, "late")];
    expect(claims).toMatchObject({ aud: STOCK, stock_teams: teams, level: "aal1" });
    expect(claims).not.toHaveProperty("order_teams");
    const state = (await introspectAt(at.one.url, stock, exchanged.body.access_token)).body;
    expect(state).toMatchObject({ active: true, stock_teams: teams, level: "aal1" });
  });

  test("Tokens of an approved device, and its refreshed tokens, have the claims that the approval names.", async () => {
    const member = await founded(at);
    await addGroups(at, member, member.userId, ["field"]);
    const [organization] = await at.sql`select slug from organizations where id = ${member.organizationId}`;
    const teams = [`${organization?.slug}:field`];
    const cli = await registerClient({
      grant_types: [DEVICE, "refresh_token"],
      redirect_uris: [],
      first_party: false,
      scopes: ["openid", "offline_access"],
      claim_mappings: [{ claim: "teams", ...GROUPS }],
    });
    const scope = "openid offline_access";
    const codes = (await sendForm(at.one.url, "/oauth2/device_authorization", { scope }, basic(cli))).body;
    const found = await member.client.post("/v1/auth/device", { user_code: codes.user_code });
    expect((await member.client.post(`/v1/auth/device/${found.body.id}/approve`)).status).toBe(204);
    const fields = { grant_type: DEVICE, device_code: codes.device_code };
    const { body } = await sendForm(at.other.url, "/oauth2/token", fields, basic(cli));
    expect(decodeJwt(body.id_token)).toMatchObject({ sub: member.userId, teams });
    expect((await userInfo(at.one.url, body.access_token)).body).toMatchObject({ teams });
    const refreshed = await refreshAt(at.one.url, cli, body.refresh_token);
    expect(decodeJwt(refreshed.body.id_token)).toMatchObject({ teams });
  });
});
