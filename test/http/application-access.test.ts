/** The access that a code grants an application, and the end of the access by a user or an administrator. */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { Client, PASSWORD, type registered } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import {
  authorizePath,
  Browser,
  codeFor,
  exchange,
  makePkce,
  personWithBrowser,
  refreshAt,
  registerClient,
  type TestClient,
  tokensFor,
} from "../support/oauth.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { accountsOf, keyOf } from "../support/service-accounts.ts";
import { until } from "../support/waiting.ts";

let at: Deployment;
let own: TestClient;
let wiki: TestClient;
beforeAll(async () => {
  at = await deployment();
  own = await registerClient();
  wiki = await registerClient({ first_party: false, name: "Wiki of others" });
});

const OFFLINE = { scope: "openid offline_access" };
/** Creates a user in two organizations; the second organization has a distinct name. */
async function memberOfTwo() {
  const person = await personWithBrowser(at);
  const other = crypto.randomUUID();
  await at.sql`
    insert into organizations (id, name, slug, tier, created_at, updated_at)
    select ${other}, 'Second Company', ${`second-${other}`}, tier, now(), now()
    from organizations where id = ${person.organizationId}`;
  await at.sql`
    insert into members (organization_id, user_id, role, joined_at)
    values (${other}, ${person.userId}, 'admin', now())`;
  return { ...person, other };
}
const switchTo = async (client: Client, organization_id: string) => {
  const { status } = await client.post("/v1/auth/organization", { organization_id });
  expect(status).toBe(200);
};

describe("the organization of a code", () => {
  test("A code gives no tokens on either replica after the session has changed its organization.", async () => {
    for (const url of [at.one.url, at.other.url]) {
      const { client, browser, organizationId, other } = await memberOfTwo();
      const code = await codeFor(own, browser, OFFLINE);
      await switchTo(client, other);
      const refused = await exchange(url, own, code);
      expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"]);
      await switchTo(client, organizationId);
      expect((await exchange(url, own, code)).body.error).toBe("invalid_grant");
      expect(decodeJwt((await tokensFor(own, browser)).access_token).org).toBe(organizationId);
    }
  });

  test("The consent page names the organization, and a consent for another organization is asked again.", async () => {
    const { client, browser, organizationId, other } = await memberOfTwo();
    const pkce = makePkce();
    const asked = await browser.follow(authorizePath(wiki, pkce.challenge));
    expect(asked.path).toStartWith("/oauth2/consent?");
    const [organization] = await at.sql`select name from organizations where id = ${organizationId}`;
    expect(asked.answer.text).toContain(
      `<strong>${organization?.name}</strong><small>Access applies to this organization.`,
    );
    const { text } = await browser.get(asked.path);
    await switchTo(client, other);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get(asked.path)).text)?.[1] ?? "";
    const shown = /name="shown" value="([^"]+)"/.exec(text)?.[1] ?? "";
    const again = await browser.follow(asked.path, await browser.post(asked.path, { csrf, shown, decision: "allow" }));
    expect([again.path, again.location]).toEqual([asked.path, undefined]);
    expect(again.answer.text).toContain("<strong>Second Company</strong><small>Access applies to this organization.");
    const { location } = await browser.submit(asked.path, { decision: "allow" });
    const code = { code: location?.searchParams.get("code") ?? "", pkce };
    expect(decodeJwt((await exchange(at.other.url, wiki, code)).body.access_token).org).toBe(other);
  });

  test("Tokens are for the organization of the code, whatever switches beside the exchange.", async () => {
    const { client, browser, organizationId, other } = await memberOfTwo();
    for (let round = 0; round < 5; round += 1) {
      await switchTo(client, organizationId);
      const code = await codeFor(own, browser);
      const [exchanged] = await Promise.all([
        exchange(at.other.url, own, code),
        race(
          (index) => client.post("/v1/auth/organization", { organization_id: index % 2 ? other : organizationId }),
          4,
        ),
      ]);
      const org = exchanged.status === 200 ? decodeJwt(exchanged.body.access_token).org : organizationId;
      expect([[200, 400].includes(exchanged.status), org]).toEqual([true, organizationId]);
    }
  });
});

describe("max_age", () => {
  const AGED = { max_age: "300" };
  const age = async ({ userId }: Pick<Awaited<ReturnType<typeof registered>>, "userId">, minutes: number) => {
    await at.sql`
      update sessions set auth_time = auth_time - ${`${minutes} minutes`}::interval where user_id = ${userId}`;
  };

  test("A consent that comes after max_age gives no code.", async () => {
    const person = await personWithBrowser(at);
    const { browser } = person;
    const asked = await browser.follow(authorizePath(wiki, makePkce().challenge, AGED));
    expect(asked.path).toStartWith("/oauth2/consent?");
    const { csrf, shown } = Object.fromEntries(
      [...asked.answer.text.matchAll(/name="(csrf|shown)" value="([^"]+)"/g)].map(([, name, value]) => [name, value]),
    );
    await age(person, 6);
    const elsewhere = new Browser(at.other.url);
    Object.assign(elsewhere.client, { jar: browser.client.jar });
    const fields = { csrf: csrf ?? "", shown: shown ?? "", decision: "allow" };
    const late = await elsewhere.follow(asked.path, await elsewhere.post(asked.path, fields));
    expect([late.location, late.path.split("?")[0]]).toEqual([undefined, "/sign-in"]);
    expect(late.path).toContain("again=1");
    expect(await at.sql`select 1 from oauth_codes where user_id = ${person.userId}`).toHaveLength(0);
  });

  test("A sign-in for the request satisfies max_age for the time that max_age says.", async () => {
    const person = await personWithBrowser(at);
    const { browser, email, userId } = person;
    await age(person, 6);
    const elsewhere = new Browser(at.other.url);
    Object.assign(elsewhere.client, { jar: browser.client.jar });
    const { path } = await elsewhere.follow(authorizePath(wiki, makePkce().challenge, AGED));
    const return_to = new URLSearchParams(path.split("?")[1]).get("return_to") ?? "";
    const signedIn = await elsewhere.post("/sign-in", { email, password: PASSWORD, return_to });
    const asked = await elsewhere.follow("/sign-in", signedIn);
    expect(asked.path).toStartWith("/oauth2/consent?");
    await at.sql`update oauth_requests set created_at = created_at - interval '20 minutes' where user_id = ${userId}`;
    await age(person, 10);
    const back = new Browser(at.one.url);
    Object.assign(back.client, { jar: elsewhere.client.jar });
    const late = await back.follow(asked.path);
    expect(late.path.split("?")[0]).toBe("/sign-in");
  });
});

describe("DELETE /v1/auth/sessions with the other access of the user", () => {
  async function personWithAccess() {
    const person = await steppedUpAdmin(at);
    const browser = new Browser(at.one.url);
    Object.assign(browser.client, { jar: person.client.jar });
    const tokens = await tokensFor(own, browser, OFFLINE);
    const key = await keyOf(person.client, accountsOf(person.organizationId), ["members.list"]);
    return { ...person, tokens, key };
  }
  const keyStatus = async (url: string, { organizationId, key }: Awaited<ReturnType<typeof personWithAccess>>) =>
    (await new Client(url).get(`/v1/orgs/${organizationId}/members`, { bearer: key.key })).status;

  test("204: ends neither offline tokens nor API keys by default.", async () => {
    const person = await personWithAccess();
    expect((await person.client.delete("/v1/auth/sessions")).status).toBe(204);
    expect(await keyStatus(at.other.url, person)).toBe(200);
    expect((await refreshAt(at.other.url, own, person.tokens.refresh_token)).status).toBe(200);
  });

  test("204: ends both on request, on both replicas, with a record for each.", async () => {
    const person = await personWithAccess();
    const path = "/v1/auth/sessions?except_current=true&end_applications=true&revoke_api_keys=true";
    expect((await person.client.delete(path)).status).toBe(204);
    expect((await person.client.get("/v1/auth/session")).status).toBe(200);
    expect(await keyStatus(at.one.url, person)).toBe(401);
    await until("the other replica refuses the key", async () => (await keyStatus(at.other.url, person)) === 401);
    const refreshed = await refreshAt(at.other.url, own, person.tokens.refresh_token);
    expect(refreshed.body.error).toBe("invalid_grant");
    for (const action of ["api_key.revoked", "oauth.token.revoked"]) {
      const [record] = await at.sql`
        select metadata from audit_logs where actor_id = ${person.userId} and action = ${action}`;
      expect([action, record?.metadata]).toEqual([action, { reason: "user_request" }]);
    }
  });

  test("204: leaves the keys of an organization that the user no longer administers.", async () => {
    const person = await personWithAccess();
    await at.sql`update users set platform_role = null where id = ${person.userId}`;
    await at.sql`update members set role = 'member' where user_id = ${person.userId}`;
    expect((await person.client.delete("/v1/auth/sessions?revoke_api_keys=true")).status).toBe(204);
    expect(await keyStatus(at.one.url, person)).toBe(200);
  });

  test("The page offers both to an administrator, and ends the ticked access.", async () => {
    const person = await personWithAccess();
    const browser = new Browser(at.one.url);
    Object.assign(browser.client, { jar: person.client.jar });
    const { text } = await browser.get("/account/security/confirm?step=revoke-sessions");
    expect(text).toContain("End the access of connected applications.");
    expect(text).toContain("Revoke the API keys that you created.");
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? "";
    await browser.post("/account/security", { csrf, step: "revoke-sessions", revoke_api_keys: "yes" });
    expect(await keyStatus(at.one.url, person)).toBe(401);
    expect((await refreshAt(at.one.url, own, person.tokens.refresh_token)).status).toBe(200);
    const member = await personWithBrowser(at);
    await at.sql`update members set role = 'member' where user_id = ${member.userId}`;
    const plain = (await member.browser.get("/account/security/confirm?step=revoke-sessions")).text;
    expect(plain).toContain("End the access of connected applications.");
    expect(plain).not.toContain("Revoke the API keys");
  });

  test("A reset of the second factor by an administrator ends offline tokens, and records them.", async () => {
    const person = await personWithAccess();
    const admin = await steppedUpAdmin(at, "owner");
    expect((await admin.client.post(`/v1/admin/users/${person.userId}/mfa/reset`)).status).toBe(204);
    expect((await refreshAt(at.other.url, own, person.tokens.refresh_token)).body.error).toBe("invalid_grant");
    const [record] = await at.sql`
      select metadata from audit_logs where actor_id = ${admin.userId} and action = 'oauth.token.revoked'`;
    expect(record?.metadata).toEqual({ reason: "mfa_reset" });
  });
});
