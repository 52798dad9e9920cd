/**
 * Applications in a session that is bound to an organization (docs/contract.md, sections 3.13 and 23.11): consents,
 * grants and tokens stay inside the organization (G154).
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { PASSWORD } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  authorizePath,
  Browser,
  basic,
  type Code,
  exchange,
  hiddenIn,
  introspectAt,
  makePkce,
  personWithBrowser,
  refreshAt,
  registerClient,
  sendForm,
  type TestClient,
  type Tokens,
} from "../support/oauth.ts";
import { deleteMember, insertMember } from "../support/states.ts";
import { founded } from "../support/team.ts";

let at: Deployment;
/** A client of a third party: users are asked for consent. */
let wiki: TestClient;
/** A client of the operator. */
let own: TestClient;
beforeAll(async () => {
  at = await deployment();
  [wiki, own] = [await registerClient({ first_party: false }), await registerClient()];
});

/** Binds the newest session of a user to an organization, as a sign-in by single sign-on does. */
async function bindNewest(userId: string, organizationId: string): Promise<string> {
  const [row] = await at.sql`
    update sessions set organization_bound = true, auth_method = 'sso', organization_id = ${organizationId}
    where id = (select id from sessions where user_id = ${userId} order by created_at desc, id desc limit 1)
    returning id`;
  return String(row?.id);
}

async function signedInBrowser(email: string): Promise<Browser> {
  const browser = new Browser(at.one.url);
  await browser.post("/sign-in", { email, password: PASSWORD });
  return browser;
}

/** A member of two organizations with an ordinary browser, and a browser bound to each organization. */
async function memberOfTwo() {
  const person = await personWithBrowser();
  const other = await founded(at, { organization_name: "Hooli" });
  await insertMember(at.sql, other.organizationId, person.userId);
  const inOrganization = async (organizationId: string) => {
    const browser = await signedInBrowser(person.email);
    const sessionId = await bindNewest(person.userId, organizationId);
    return { browser, sessionId, organizationId };
  };
  return {
    ...person,
    bound: await inOrganization(person.organizationId),
    elsewhere: await inOrganization(other.organizationId),
  };
}

/** Authorizes on the consent page. */
async function allow(browser: Browser, more: Record<string, string> = {}): Promise<Code> {
  const pkce = makePkce();
  const consent = await browser.follow(authorizePath(wiki, pkce.challenge, more));
  expect(consent.path).toStartWith("/oauth2/consent");
  const answer = await browser.post(consent.path, { ...hiddenIn(consent.answer.text), decision: "allow" });
  const { location } = await browser.follow(consent.path, answer);
  return { code: location?.searchParams.get("code") ?? "", pkce };
}

async function allowedTokens(browser: Browser, more: Record<string, string> = {}): Promise<Tokens> {
  const response = await exchange(at.other.url, wiki, await allow(browser, more));
  expect(response.status).toBe(200);
  return response.body;
}

const silently = async (browser: Browser) =>
  (await browser.follow(authorizePath(wiki, makePkce().challenge, { prompt: "none" }))).location?.searchParams;

const grantsOf = async (browser: Browser) => (await browser.client.at(at.other.url).get("/v1/users/me/grants")).body;

describe("consents of a bound session (G154)", () => {
  test("a consent given elsewhere is neither used nor revealed", async () => {
    const { browser, bound, elsewhere } = await memberOfTwo();
    await browser.client.post("/v1/auth/organization", { organization_id: elsewhere.organizationId });
    await allowedTokens(browser);
    expect((await silently(browser))?.get("code")).toBeString();
    expect((await silently(bound.browser))?.get("error")).toBe("consent_required");
  });

  test("a consent in the bound session counts in no other organization and in no ordinary session", async () => {
    const { browser, bound, elsewhere } = await memberOfTwo();
    await allowedTokens(bound.browser, { scope: "openid email" });
    expect((await silently(bound.browser))?.get("code")).toBeString();
    expect((await silently(elsewhere.browser))?.get("error")).toBe("consent_required");
    expect((await silently(browser))?.get("error")).toBe("consent_required");
  });

  test("further scopes are asked for again", async () => {
    const { bound } = await memberOfTwo();
    await allowedTokens(bound.browser);
    const more = authorizePath(wiki, makePkce().challenge, { prompt: "none", scope: "openid email" });
    expect((await bound.browser.follow(more)).location?.searchParams.get("error")).toBe("consent_required");
  });

  test("the consent page neither lists nor enters another organization", async () => {
    const { bound, elsewhere } = await memberOfTwo();
    const consent = await bound.browser.follow(authorizePath(wiki, makePkce().challenge));
    expect(consent.answer.text).not.toContain("Hooli");
    const fields = { ...hiddenIn(consent.answer.text), switch_to: elsewhere.organizationId };
    await bound.browser.post(consent.path, fields);
    const [session] = await at.sql`select organization_id from sessions where id = ${bound.sessionId}`;
    expect(session?.organization_id).toBe(bound.organizationId);
  });
});

describe("grants of a bound session (G154)", () => {
  test("200: the list has the grants with tokens in the organization only, with values of these tokens", async () => {
    const { browser, bound, elsewhere } = await memberOfTwo();
    await allowedTokens(elsewhere.browser, { scope: "openid profile email" });
    expect(await grantsOf(bound.browser)).toMatchObject({ total: 0, items: [] });
    await allowedTokens(bound.browser, { scope: "openid email" });
    const listed = await grantsOf(bound.browser);
    expect(listed).toMatchObject({ total: 1, items: [{ client: { id: wiki.id }, scopes: ["email", "openid"] }] });
    expect((await grantsOf(browser)).items[0].scopes).toEqual(["email", "openid", "profile"]);
    const beyond = await bound.browser.client.get("/v1/users/me/grants?page=2");
    expect(beyond.body).toMatchObject({ total: 1, items: [] });
  });

  test("204 and 404: a withdrawal ends the tokens in the organization only, on every replica", async () => {
    const { browser, bound, elsewhere } = await memberOfTwo();
    const [own, foreign] = [await allowedTokens(bound.browser), await allowedTokens(elsewhere.browser)];
    const { items } = await grantsOf(bound.browser);
    const path = `/v1/users/me/grants/${items[0].id}`;
    expect((await bound.browser.client.delete(path)).status).toBe(204);
    expect((await introspectAt(at.other.url, wiki, own.access_token)).body.active).toBe(false);
    expect((await introspectAt(at.other.url, wiki, foreign.access_token)).body.active).toBe(true);
    expect((await bound.browser.client.delete(path)).status).toBe(404);
    expect((await silently(bound.browser))?.get("error")).toBe("consent_required");
    expect((await grantsOf(browser)).total).toBe(1);
  });

  test("404: a grant without tokens in the organization is unknown, and stays", async () => {
    const { bound, elsewhere } = await memberOfTwo();
    const foreign = await allowedTokens(elsewhere.browser);
    const { items } = await grantsOf(elsewhere.browser);
    expect((await bound.browser.client.delete(`/v1/users/me/grants/${items[0].id}`)).status).toBe(404);
    expect((await introspectAt(at.one.url, wiki, foreign.access_token)).body.active).toBe(true);
  });

  test("a code from before the withdrawal gives no tokens", async () => {
    const { bound } = await memberOfTwo();
    await allowedTokens(bound.browser);
    const pkce = makePkce();
    const { location } = await bound.browser.follow(authorizePath(wiki, pkce.challenge));
    const { items } = await grantsOf(bound.browser);
    await bound.browser.client.delete(`/v1/users/me/grants/${items[0].id}`);
    const code = { code: location?.searchParams.get("code") ?? "", pkce };
    expect((await exchange(at.one.url, wiki, code)).body.error).toBe("invalid_grant");
  });
});

describe("tokens of a bound session (G154)", () => {
  test("name the organization of the session at the exchange, refresh, introspection and UserInfo", async () => {
    const { bound } = await memberOfTwo();
    const tokens = await allowedTokens(bound.browser, { scope: "openid organization offline_access" });
    const refreshed = (await refreshAt(at.other.url, wiki, tokens.refresh_token)).body;
    for (const { access_token } of [tokens, refreshed]) expect(decodeJwt(access_token).org).toBe(bound.organizationId);
    expect(decodeJwt(tokens.id_token).amr).toEqual(["fed"]);
    const inspected = await introspectAt(at.one.url, wiki, refreshed.access_token);
    expect(inspected.body).toMatchObject({ active: true, org: bound.organizationId });
    const user = await bound.browser.client.get("/oauth2/userinfo", { bearer: refreshed.access_token });
    expect(user.body.organization.id).toBe(bound.organizationId);
  });

  test("401: no endpoint of the API accepts an access token of an application", async () => {
    const { bound } = await memberOfTwo();
    const { access_token } = await allowedTokens(bound.browser);
    for (const path of ["/v1/users/me", "/v1/auth/session", "/v1/users/me/grants"])
      expect((await new Browser(at.one.url).client.get(path, { bearer: access_token })).status).toBe(401);
  });

  test("the sign-out of an application ends the bound session alone, whatever session the ID token names", async () => {
    const { browser, bound, email } = await memberOfTwo();
    const { id_token } = await allowedTokens(browser);
    const path = `/oauth2/logout?${new URLSearchParams({ id_token_hint: id_token })}`;
    await bound.browser.submit(path, {});
    expect((await bound.browser.client.get("/v1/auth/session")).status).toBe(401);
    expect((await browser.client.get("/v1/users/me")).body.email).toBe(email);
  });

  test("the end of the membership ends the tokens", async () => {
    const { bound, userId } = await memberOfTwo();
    const tokens = await allowedTokens(bound.browser, { scope: "openid offline_access" });
    await deleteMember(at.sql, bound.organizationId, userId);
    expect((await refreshAt(at.other.url, wiki, tokens.refresh_token)).body.error).toBe("invalid_grant");
    const revoked = await sendForm(at.one.url, "/oauth2/revoke", { token: tokens.access_token }, basic(wiki));
    expect(revoked.status).toBe(200);
  });
});

describe("the parameter organization of an authorization request", () => {
  const path = (organization: string, more: Record<string, string> = {}) =>
    authorizePath(own, makePkce().challenge, { organization, ...more });
  const slugOf = async (id: string) => (await at.sql`select slug from organizations where id = ${id}`)[0]?.slug;

  test("a session in the organization gets a code, by id and by slug", async () => {
    const { browser, organizationId } = await memberOfTwo();
    for (const named of [organizationId, organizationId.toUpperCase(), await slugOf(organizationId)])
      expect((await browser.follow(path(named))).location?.searchParams.get("code")).toBeString();
  });

  test("an ordinary session moves to the organization after a form of the user, and only then", async () => {
    const { browser, elsewhere, organizationId } = await memberOfTwo();
    const asked = await browser.follow(path(elsewhere.organizationId));
    expect([asked.path.startsWith("/oauth2/consent"), asked.answer.text.includes("Hooli")]).toEqual([true, true]);
    expect((await browser.client.get("/v1/auth/session")).body.user.organization_id).toBe(organizationId);
    const refused = await browser.post(asked.path, { ...hiddenIn(asked.answer.text), decision: "allow" });
    expect(refused.headers.get("location")).toStartWith("/oauth2/interaction");
    const moved = await browser.post(asked.path, {
      ...hiddenIn(asked.answer.text),
      switch_to: elsewhere.organizationId,
    });
    expect((await browser.follow(asked.path, moved)).location?.searchParams.get("code")).toBeString();
  });

  test("'login_required' for prompt=none outside of the organization, also for unknown organizations", async () => {
    const { browser, elsewhere } = await memberOfTwo();
    const foreign = await founded(at, { organization_name: "Initech" });
    for (const named of [elsewhere.organizationId, foreign.organizationId, crypto.randomUUID(), "no-such-slug"]) {
      const { location } = await browser.follow(path(named, { prompt: "none" }));
      expect(location?.searchParams.get("error")).toBe("login_required");
    }
  });

  test("a session bound to a different organization does not count", async () => {
    const { bound, elsewhere } = await memberOfTwo();
    expect((await bound.browser.follow(path(bound.organizationId))).location?.searchParams.get("code")).toBeString();
    const silent = await bound.browser.follow(path(elsewhere.organizationId, { prompt: "none" }));
    expect(silent.location?.searchParams.get("error")).toBe("login_required");
    const { path: page, answer } = await bound.browser.follow(path(elsewhere.organizationId));
    expect([page.startsWith("/sign-in"), answer.status]).toEqual([true, 200]);
  });

  test("'access_denied' after a sign-in of a user without this organization, known or unknown", async () => {
    const { email, bound } = await memberOfTwo();
    const foreign = await founded(at, { organization_name: "Initech" });
    for (const named of [foreign.organizationId, "no-such-slug"]) {
      const browser = new Browser(at.one.url);
      const { path: page, answer } = await browser.follow(path(named));
      const to = /name="return_to" value="([^"]+)"/.exec(answer.text)?.[1] ?? "";
      const fields = { email, password: PASSWORD, return_to: to.replaceAll("&amp;", "&") };
      const { location } = await browser.follow(page, await browser.post("/sign-in", fields));
      expect(location?.searchParams.get("error")).toBe("access_denied");
    }
    expect((await bound.browser.client.get("/v1/auth/session")).status).toBe(200);
  });

  test.each([
    ["longer than 100 characters", "a".repeat(101)],
    ["with NUL", "a\0b"],
  ])("'invalid_request': a value %s", async (_, named) => {
    const { browser } = await memberOfTwo();
    expect((await browser.follow(path(named))).location?.searchParams.get("error")).toBe("invalid_request");
  });
});
