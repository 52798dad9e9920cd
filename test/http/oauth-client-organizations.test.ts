/** Applications for named organizations (docs/contract.md, section 23.33). */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import type { Client } from "../support/client.ts";
import { registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  authorizePath,
  type Browser,
  CALLBACK,
  type Code,
  codeFor,
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
import { insertMember, suspendOrganization } from "../support/states.ts";
import { eventually, until } from "../support/waiting.ts";

const PATH = "/v1/admin/oauth-clients";
const FEED = "/.well-known/service-revocations.json";
const SCOPE = "openid organization offline_access";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

let at: Deployment;
let admin: Client;
/** An organization without the users of the tests. */
let foreign: string;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
  foreign = (await registered(at.one.url)).organizationId;
});

/** A user in the organization of the session, and in a second organization. */
async function memberOfTwo() {
  const person = await personWithBrowser();
  const { organizationId: other } = await registered(at.one.url, { organization_name: "Globex GmbH" });
  await insertMember(at.sql, other, person.userId);
  return { ...person, other };
}

const serve = (client: TestClient, organizations: readonly string[] | null) =>
  admin.patch(`${PATH}/${client.id}`, { organizations });

const userInfo = (url: string, token: string) =>
  sendForm(url, "/oauth2/userinfo", {}, { authorization: `Bearer ${token}` });

/** The error at the application. */
const errorOf = async (browser: Browser, client: TestClient, more: Record<string, string> = {}) => {
  const { location, path } = await browser.follow(authorizePath(client, makePkce().challenge, more));
  const found = location?.searchParams;
  return found ? [found.get("error"), found.get("error_description")] : [path];
};
const NOT_SERVED = ["access_denied", "The application is not available to your organization."];

describe("the setting organizations of an application (G471)", () => {
  test("is null, or 1 to 1,000 ids; another value is refused and changes nothing", async () => {
    const client = await registerClient();
    const read = async () =>
      (await admin.get(PATH)).body.items.find((each: { client_id: string }) => each.client_id === client.id);
    expect((await read()).organizations).toBeNull();
    expect((await serve(client, [foreign.toUpperCase(), foreign])).body.organizations).toEqual([foreign]);
    for (const [organizations, rule] of [
      [[], "required"],
      [["acme"], "type"],
      [Array.from({ length: 1_001 }, () => crypto.randomUUID()), "too_long"],
    ] as const) {
      const refused = await serve(client, organizations);
      expect([refused.status, refused.body.error.fields[0].rule]).toEqual([400, rule]);
      expect(refused.body.error.fields[0].field).toStartWith("organizations");
    }
    expect((await read()).organizations).toEqual([foreign]);
    const many = Array.from({ length: 1_000 }, () => crypto.randomUUID());
    expect((await serve(client, many)).body.organizations).toHaveLength(1_000);
    const [record] = await at.sql`
      select metadata from audit_logs where resource_id = ${client.id} order by id desc limit 1`;
    expect(record?.metadata.fields).toBe("organizations");
    expect((await serve(client, null)).body.organizations).toBeNull();
  });
});

describe("an authorization for an application with organizations (G471)", () => {
  test("a member of a listed organization signs in; a user of none gets access_denied, also silently", async () => {
    const { browser, organizationId } = await personWithBrowser();
    const client = await registerClient({ organizations: [foreign, organizationId] });
    const { id_token } = await tokensFor(client, browser, { scope: SCOPE });
    expect(decodeJwt(id_token)).toMatchObject({ organization: { id: organizationId } });
    const { browser: stranger } = await personWithBrowser();
    expect(await errorOf(stranger, client)).toEqual(NOT_SERVED);
    expect(await errorOf(stranger, client, { prompt: "none" })).toEqual(NOT_SERVED);
  });

  test("a user in another organization moves to a listed one on the consent page, which offers no other", async () => {
    const { browser, organizationId, other } = await memberOfTwo();
    const client = await registerClient({ organizations: [other], first_party: false });
    const [error] = await errorOf(browser, client, { prompt: "none" });
    expect(error).toBe("interaction_required");
    const pkce = makePkce();
    const asked = await browser.follow(authorizePath(client, pkce.challenge, { scope: SCOPE }));
    expect(asked.path).toStartWith("/oauth2/consent");
    const offers = (text: string) => [organizationId, other].map((id) => text.includes(`"switch_to" value="${id}"`));
    expect(offers(asked.answer.text)).toEqual([false, true]);
    // The displayed organization is not that of the session: no decision counts.
    const early = await browser.submit(asked.path, { decision: "allow" });
    expect([early.location, early.path]).toEqual([undefined, asked.path]);
    const moved = await browser.submit(asked.path, { switch_to: other });
    expect(offers(moved.answer.text)).toEqual([false, false]);
    const allowed = await browser.submit(moved.path, { decision: "allow" });
    const code: Code = { code: allowed.location?.searchParams.get("code") ?? "", pkce };
    expect(decodeJwt((await exchange(at.one.url, client, code)).body.id_token)).toMatchObject({
      organization: { id: other },
    });
  });

  test("an application that names an unlisted organization gets access_denied, and the session stays", async () => {
    const { browser, organizationId, other } = await memberOfTwo();
    const client = await registerClient({ organizations: [organizationId] });
    expect(await errorOf(browser, client, { organization: other })).toEqual(NOT_SERVED);
    expect((await browser.client.get("/v1/auth/session")).body.user.organization_id).toBe(organizationId);
    expect((await codeFor(client, browser, { organization: organizationId })).code).toBeString();
  });

  test("a suspended organization is offered to no user", async () => {
    const { browser, other } = await memberOfTwo();
    const client = await registerClient({ organizations: [other] });
    await suspendOrganization(at.sql, other);
    expect(await errorOf(browser, client)).toEqual(NOT_SERVED);
  });
});

describe("an organization that an application no longer serves (G472)", () => {
  test("gets no tokens by code or refresh; the refused code is not used up", async () => {
    const { browser, organizationId } = await personWithBrowser();
    const client = await registerClient();
    const tokens = await tokensFor(client, browser, { scope: SCOPE });
    const code = await codeFor(client, browser, { scope: SCOPE });
    // Without an end of tokens, as a replica that stopped after the commit.
    await at.sql`update oauth_clients set organizations = ${[foreign]}::uuid[] where id = ${client.id}`;
    for (const url of [at.one.url, at.other.url]) {
      const late = await exchange(url, client, code);
      expect([late.status, late.body.error]).toEqual([400, "invalid_grant"]);
      const refreshed = await refreshAt(url, client, tokens.refresh_token);
      expect([refreshed.status, refreshed.body.error]).toEqual([400, "invalid_grant"]);
    }
    await at.sql`update oauth_clients set organizations = ${[organizationId]}::uuid[] where id = ${client.id}`;
    // A replica that has read the application in between learns of a change without a notice later.
    const exchanged = async () => (await exchange(at.one.url, client, code)).status === 200;
    await eventually("the code is exchanged", 30_000, exchanged);
    const refreshed = async () => (await refreshAt(at.other.url, client, tokens.refresh_token)).status === 200;
    await eventually("the token is refreshed", 30_000, refreshed);
  });

  test("ends its tokens on both replicas and in the feed, and no token of another organization", async () => {
    const [kept, ended] = [await personWithBrowser(), await personWithBrowser()];
    const client = await registerClient();
    const of = async ({ browser }: typeof kept) => await tokensFor(client, browser, { scope: SCOPE });
    const [keptTokens, endedTokens] = [await of(kept), await of(ended)];
    const code = await codeFor(client, ended.browser, { scope: SCOPE });
    expect((await serve(client, [kept.organizationId])).status).toBe(200);
    const sid = decodeJwt(endedTokens.access_token).sid;
    const { body: feed } = await admin.get(FEED);
    expect(feed.revocations).toContainEqual(expect.objectContaining({ sid, reason: "organization_excluded" }));
    expect((await exchange(at.other.url, client, code)).body.error).toBe("invalid_grant");
    for (const url of [at.one.url, at.other.url]) {
      const refused = async () => [
        (await userInfo(url, endedTokens.access_token)).status,
        (await introspectAt(url, client, endedTokens.access_token)).body.active,
        (await introspectAt(url, client, endedTokens.refresh_token)).body.active,
      ];
      await until("the tokens are refused", async () => (await refused()).join() === "401,false,false");
      expect((await userInfo(url, keptTokens.access_token)).status).toBe(200);
      expect((await introspectAt(url, client, keptTokens.access_token)).body.active).toBe(true);
    }
    expect((await refreshAt(at.other.url, client, endedTokens.refresh_token)).body.error).toBe("invalid_grant");
    // A later permission brings no ended token back.
    expect((await serve(client, null)).status).toBe(200);
    expect((await refreshAt(at.one.url, client, endedTokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await refreshAt(at.one.url, client, keptTokens.refresh_token)).status).toBe(200);
  });

  test("ends tokens that a stopped replica had left, before the organization is served again", async () => {
    const { browser, organizationId } = await personWithBrowser();
    const client = await registerClient();
    const tokens = await tokensFor(client, browser, { scope: SCOPE });
    await at.sql`update oauth_clients set organizations = ${[foreign]}::uuid[] where id = ${client.id}`;
    expect((await serve(client, [foreign, organizationId])).status).toBe(200);
    expect((await refreshAt(at.one.url, client, tokens.refresh_token)).body.error).toBe("invalid_grant");
  });
});

describe("a device of an application with organizations (G471)", () => {
  async function deviceOf(organizations: readonly string[]) {
    const client = await registerClient({
      token_endpoint_auth_method: "none",
      grant_types: [DEVICE_GRANT],
      redirect_uris: [],
      organizations,
    });
    const asked = await sendForm(at.one.url, "/oauth2/device_authorization", { client_id: client.id, scope: "openid" });
    const poll = () => {
      const fields = { grant_type: DEVICE_GRANT, client_id: client.id, device_code: asked.body.device_code };
      return sendForm(at.other.url, "/oauth2/token", fields);
    };
    return { user_code: asked.body.user_code, poll };
  }

  test("is approved in a listed organization alone, to which the page moves the session", async () => {
    const { browser, organizationId, other } = await memberOfTwo();
    const { user_code, poll } = await deviceOf([other]);
    const { path, answer } = await browser.submit("/device", { step: "code", user_code });
    expect(answer.text).not.toContain('value="approve"');
    expect([organizationId, other].map((id) => answer.text.includes(`"switch_to" value="${id}"`))).toEqual([
      false,
      true,
    ]);
    const request = new URLSearchParams(path.split("?")[1]).get("request") ?? "";
    const early = await browser.client.post(`/v1/auth/device/${request}/approve`);
    expect([early.status, early.body.error.code]).toEqual([403, "forbidden"]);
    const moved = await browser.submit(path, { step: "switch", request, switch_to: other });
    expect(moved.answer.text).toContain('value="approve"');
    await browser.submit(path, { step: "approve", request });
    await until("the device has tokens", async () => (await poll()).status === 200);
  });

  test("is not approved by a user of none, who can decline", async () => {
    const { browser } = await personWithBrowser();
    const { user_code, poll } = await deviceOf([foreign]);
    const { path, answer } = await browser.submit("/device", { step: "code", user_code });
    expect(answer.text).toContain("This application is not available to your organization.");
    expect(answer.text).not.toMatch(/value="(?:approve|switch)"/);
    const request = new URLSearchParams(path.split("?")[1]).get("request") ?? "";
    const denied = await browser.submit(path, { step: "deny", request });
    expect(denied.answer.status).toBe(200);
    await until("the device is declined", async () => (await poll()).body.error === "access_denied");
  });
});

describe("applications that registered themselves", () => {
  test("serve every organization: the member is not theirs", async () => {
    const metadata = { client_name: "Notes", redirect_uris: [CALLBACK], organizations: [foreign] };
    const answer = await sendForm(at.one.url, "/oauth2/register", JSON.stringify(metadata), {
      "content-type": "application/json",
    });
    expect(answer.body.organizations).toBeUndefined();
  });
});
