/**
 * The move of a managed account to another mailbox (G363): the holder of the mailbox in between keeps nothing, whether
 * the identity provider or the directory of a weaker manager moves the address there and back, over two replicas.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail } from "../support/client.ts";
import type { Deployment } from "../support/deployment.ts";
import { directoryOf, userBody, verifyDomainOf } from "../support/directories.ts";
import { CODE, codeIn, tokenTo } from "../support/mail.ts";
import { Browser, introspectAt, refreshAt, registerClient, tokensFor } from "../support/oauth.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { assignRoles, createdRole } from "../support/roles.ts";
import { announceConnections, SsoBrowser, type SsoDeployment, setPolicy, ssoDeployment } from "../support/sso.ts";
import { offeredLink, runIntent } from "../support/sso-intents.ts";
import { assignResponsibility } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";
import { CHANGE_LINK, confirm, expectStatus } from "../support/user-emails.ts";

let sso: SsoDeployment;
let people = 0;

/** A manager whose only permission is `sso.manage` activated the connection. */
beforeAll(async () => {
  sso = await ssoDeployment();
  const { at, forged } = sso;
  const { organizationId, owner, ownerId } = forged;
  forged.provider.reset();
  await setPolicy(at, organizationId, {});
  await stepUpSessions(at.sql, ownerId);
  const manager = await memberWith(at, organizationId, "member");
  const role = await createdRole({ client: owner, userId: ownerId, organizationId }, ["sso.manage"]);
  await assignRoles({ client: owner, userId: ownerId }, organizationId, manager.userId, [role.id]);
  await assignResponsibility(at.sql, forged.connectionId, manager.userId);
  await announceConnections(at);
});

/** The deployment is shared: the owner is responsible for the connection again. */
afterAll(async () => {
  const { at, forged } = sso;
  await at.sql`
    update sso_connections set activated_by = ${forged.ownerId}, confirmed_power = null
    where id = ${forged.connectionId}`;
  await announceConnections(at);
});

/** Signs in by a code to the mailbox of an address. */
async function signInByCode(at: Pick<Deployment, "one" | "mail">, email: string): Promise<Client> {
  const client = new Client(at.one.url);
  await client.post("/v1/auth/email-otp/request", { email });
  const code = codeIn((await at.mail.mailsTo(email, CODE)).at(-1));
  await expectStatus(client.post("/v1/auth/email-otp/verify", { email, code }), 200);
  return client;
}

/** A managed member whom the provider has moved to a mailbox of the manager; `client`: signed in by that mailbox. */
async function movedMember() {
  const { at, forged } = sso;
  people += 1;
  const claims = { sub: `carol-${people}`, email: `carol-${people}@${forged.domain}`, name: "Carol" };
  const enter = async (changed: object = {}) => {
    forged.provider.claims = { ...claims, ...changed };
    const browser = new SsoBrowser(at.one.url);
    return { browser, answer: await browser.enter(forged.connectionId) };
  };
  const first = await enter();
  const userId = String(first.answer.body.user.user_id);
  const between = `mallory+${people}@${forged.domain}`;
  expect((await enter({ email: between })).answer.status).toBe(200);
  const client = await signInByCode(at, between);
  const account = async () => (await at.sql`select email, managed_by from users where id = ${userId}`)[0];
  return { claims, enter, userId, between, client, account };
}

const promote = async (userId: string, confirmed: boolean) =>
  await sso.forged.owner.patch(`/v1/orgs/${sso.forged.organizationId}/members/${userId}`, {
    role: "owner",
    ...(confirmed && { confirm: true }),
  });

const statuses = async ({ one, other }: Pick<Deployment, "one" | "other">, client: Client) => [
  (await client.at(one.url).get("/v1/auth/session")).status,
  (await client.at(other.url).get("/v1/auth/session")).status,
];

describe("what the holder of the mailbox in between set up", () => {
  test("ends with the move back: a session by an emailed code, a trusted browser and a waiting address.", async () => {
    const { at } = sso;
    const { claims, enter, userId, client, account } = await movedMember();
    await expectStatus(client.post("/v1/auth/trusted-browsers"), 201);
    const waiting = newEmail();
    await expectStatus(client.post("/v1/users/me/emails", { email: waiting }), 204);
    const token = await tokenTo(at.mail, waiting, CHANGE_LINK);
    expect(await statuses(at, client)).toEqual([200, 200]);
    expect((await enter()).answer.status).toBe(200);
    expect(await account()).toEqual({ email: claims.email, managed_by: sso.forged.organizationId });
    expect(await statuses(at, client)).toEqual([401, 401]);
    expect((await confirm(client, token)).status).toBe(401);
    expect((await promote(userId, true)).status).toBe(200);
    expect(await statuses(at, client)).toEqual([401, 401]);
    const addresses = await at.sql`select email from user_emails where user_id = ${userId}`;
    expect(addresses.map(({ email }) => email)).toEqual([claims.email]);
    const browsers = await at.sql`
      select 1 from trusted_browsers where user_id = ${userId} and revoked_at is null`;
    expect(browsers).toHaveLength(0);
  });

  test("ends with the move back: access of applications, offline access and the consent.", async () => {
    const { at } = sso;
    const { enter, userId, client } = await movedMember();
    const app = await registerClient({}, (await steppedUpAdmin(at, "owner")).client);
    const browser = new Browser(client.baseUrl);
    Object.assign(browser.client, { jar: client.jar });
    const tokens = await tokensFor(app, browser, { scope: "openid offline_access" });
    expect((await enter()).answer.status).toBe(200);
    expect((await introspectAt(at.other.url, app, tokens.access_token)).body.active).toBe(false);
    expect((await refreshAt(at.other.url, app, tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect(await at.sql`select 1 from oauth_grants where user_id = ${userId}`).toHaveLength(0);
  });

  test("ends with the move back: an own address outside of the domain as the primary address.", async () => {
    const { at } = sso;
    const { claims, enter, userId, client, account } = await movedMember();
    const outside = newEmail();
    const changed = await client.post("/v1/users/me/email", { new_email: outside });
    if (changed.status === 204) {
      await expectStatus(confirm(client, await tokenTo(at.mail, outside, CHANGE_LINK)), 204);
    }
    expect((await enter()).answer.status).toBe(200);
    expect((await account())?.email).toBe(claims.email);
    expect(await statuses(at, client)).toEqual([401, 401]);
    const undoable = await at.sql`
      select 1 from email_changes where user_id = ${userId} and undo_token_hash is not null`;
    expect(undoable).toHaveLength(0);
  });

  test("is recorded with each move: the address record has the numbers, and each end its reason.", async () => {
    const { at } = sso;
    const { claims, enter, userId, between } = await movedMember();
    expect((await enter()).answer.status).toBe(200);
    const moves = await at.sql`
      select metadata from audit_logs where action = 'user.email.changed' and resource_id = ${userId} order by id`;
    expect(moves.map(({ metadata }) => [metadata.source, metadata.sessions ?? 0])).toEqual([
      ["sso", 0],
      ["sso", 1],
    ]);
    const ended = await at.sql`
      select l.metadata from audit_logs l join sessions s on s.id::text = l.resource_id
      where l.action = 'auth.session.revoked' and s.user_id = ${userId}`;
    expect(ended.map(({ metadata }) => metadata.reason)).toEqual(["managed_address_changed"]);
    for (const address of [claims.email, between]) await at.mail.mailsTo(address, /sessions outside of single sign-on/);
  });
});

describe("a member with an own stake in the account", () => {
  test("keeps the address after the confirmation of an additional address: no move hides the address.", async () => {
    const { at } = sso;
    const { enter, between, client, account } = await movedMember();
    const added = newEmail();
    await expectStatus(client.post("/v1/users/me/emails", { email: added }), 204);
    await expectStatus(confirm(client, await tokenTo(at.mail, added, CHANGE_LINK)), 204);
    expect((await enter()).answer.status).toBe(200);
    expect(await account()).toEqual({ email: between, managed_by: null });
  });

  test("keeps the address after a link in person: no move hides the link from a promotion.", async () => {
    const { forged } = sso;
    const { claims, enter, between, client, account } = await movedMember();
    forged.provider.claims = claims;
    const offered = await runIntent(client, forged.connectionId, { intent: "link", redirect_to: "/account/security" });
    await expectStatus(client.post(`/v1/users/me/sso-links/${offeredLink(offered)}/confirm`), 201);
    expect((await enter()).answer.status).toBe(200);
    expect(await account()).toEqual({ email: between, managed_by: null });
  });
});

describe("a member with a new name and address in the same hands", () => {
  test("signs in by single sign-on as before, and sessions of single sign-on continue on both replicas.", async () => {
    const { at, forged } = sso;
    people += 1;
    const claims = { sub: `married-${people}`, email: `ada.king-${people}@${forged.domain}`, name: "Ada King" };
    const married = { ...claims, email: `ada.lovelace-${people}@${forged.domain}`, name: "Ada Lovelace" };
    const enter = async (asserted: object) => {
      forged.provider.claims = { ...asserted };
      const browser = new SsoBrowser(at.one.url);
      return { browser, answer: await browser.enter(forged.connectionId) };
    };
    const before = await enter(claims);
    const userId = String(before.answer.body.user.user_id);
    for (const repeated of [married, married, claims, married]) {
      const { answer } = await enter(repeated);
      expect([answer.status, answer.body.user.user_id]).toEqual([200, userId]);
    }
    expect(await statuses(at, before.browser.client)).toEqual([200, 200]);
    const [account] = await at.sql`select email, display_name, managed_by from users where id = ${userId}`;
    expect(account).toEqual({ email: married.email, display_name: married.name, managed_by: forged.organizationId });
    const mails = await at.mail.mailsTo(married.email, /address/);
    expect(mails.filter(({ text }) => text.includes("sessions outside of single sign-on"))).toEqual([]);
  });
});

describe("a directory of a weaker manager", () => {
  async function moved() {
    const { at } = sso;
    const directory = await directoryOf(at);
    await verifyDomainOf(at, directory);
    const { scim, address } = directory;
    const [carol, between] = [address("carol"), address("mallory+1")];
    const { body } = await scim("POST", "/Users", userBody(carol));
    const rename = async (userName: string) =>
      await scim("PATCH", `/Users/${body.id}`, { Operations: [{ op: "replace", path: "userName", value: userName }] });
    expect((await rename(between)).status).toBe(200);
    const client = await signInByCode(at, between);
    const account = async () => {
      const [user] = await at.sql`
        select u.email, u.managed_by from users u join directory_users d on d.user_id = u.id where d.id = ${body.id}`;
      return user;
    };
    return { carol, between, rename, client, account, organizationId: directory.organizationId };
  }

  test("ends the session of the mailbox in between with the userName moved back.", async () => {
    const { carol, rename, client, account, organizationId } = await moved();
    expect((await rename(carol)).status).toBe(200);
    expect(await account()).toEqual({ email: carol, managed_by: organizationId });
    expect(await statuses(sso.at, client)).toEqual([401, 401]);
  });

  test("moves no account with a confirmed additional address.", async () => {
    const { carol, between, rename, client, account } = await moved();
    const added = newEmail();
    await expectStatus(client.post("/v1/users/me/emails", { email: added }), 204);
    await expectStatus(confirm(client, await tokenTo(sso.at.mail, added, CHANGE_LINK)), 204);
    expect((await rename(carol)).status).toBe(200);
    expect(await account()).toEqual({ email: between, managed_by: null });
  });
});
