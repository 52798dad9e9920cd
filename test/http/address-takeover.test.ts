/**
 * Sequences of an attacker and the owner of an account (docs/security.md, "Addresses of an account"): each test ends
 * with the question of who can sign in. `test/flows/user-emails/addresses.model.test.ts` covers arbitrary sequences.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";
import { GOOGLE, type SocialDeployment, socialDeployment } from "../support/identity/social.ts";
import { RESET_LINK, tokenTo } from "../support/mail.ts";
import { withAuthenticator } from "../support/mfa.ts";
import { addPasskey } from "../support/passkeys.ts";
import { ageFactor, deletePassword, presentFactor } from "../support/states.ts";
import {
  addAddress,
  CHANGE_LINK,
  changeAddress,
  confirm,
  expectStatus,
  IN_USE,
  NOTICE,
  provenUser,
  requestChange,
  resetBy,
  UNDO_LINK,
  undo,
} from "../support/user-emails.ts";

let social: SocialDeployment;
let at: SocialDeployment["at"];
beforeAll(async () => {
  social = await socialDeployment();
  ({ at } = social);
});

const OTHER_PASSWORD = "another horse, another battery";
const UNKNOWN_TOKEN = "A".repeat(43);
const change = (client: Client, body: Record<string, unknown>) => client.post("/v1/users/me/email", body);
const listed = async (client: Client) => (await client.get("/v1/users/me/emails")).body.items;
const makePrimary = (client: Client, id: string, body: object = { password: PASSWORD }) =>
  client.post(`/v1/users/me/emails/${id}/primary`, body);
const remove = (client: Client, id: string, body: object = { password: PASSWORD }) =>
  client.delete(`/v1/users/me/emails/${id}`, { body });
const recordsOf = async (userId: string, action: string) =>
  await at.sql`select metadata from audit_logs where resource_id = ${userId} and action = ${action} order by id`;

/** Who signs in with the password, in the order of the addresses. */
async function signIns(emails: readonly string[], password = PASSWORD): Promise<boolean[]> {
  const found = [];
  for (const email of emails) found.push((await signedIn(at.other.url, email, password)).answer.status === 200);
  return found;
}

/** The owner sets a password by the reset mail to the address, and is the only user of the account who signs in. */
async function expectOwnerAlone(owner: string, ...attackers: readonly string[]): Promise<void> {
  await expectStatus(resetBy(at, owner, OTHER_PASSWORD), 204);
  expect(await signIns([owner, ...attackers], OTHER_PASSWORD)).toEqual([true, ...attackers.map(() => false)]);
}

/** Each undo link of an email to the address, oldest first. */
async function undoLinksTo(address: string, count: number): Promise<string[]> {
  const mails = await at.mail.mailsTo(address, UNDO_LINK, count);
  return mails.map(({ text }) => UNDO_LINK.exec(text)?.[1] ?? "");
}

describe("Session without step-up", () => {
  test("changes, adds, switches and removes nothing, also with a wrong password", async () => {
    const owner = await provenUser(at);
    const { client, email, userId } = owner;
    const { added, id } = await addAddress(at, owner);
    await at.sql`delete from email_changes where user_id = ${userId}`;
    const attacker = newEmail();
    for (const secret of [{}, { password: OTHER_PASSWORD }]) {
      expect((await change(client, { new_email: attacker, ...secret })).status).toBe(401);
      expect((await client.post("/v1/users/me/emails", { email: attacker, ...secret })).status).toBe(401);
      expect((await makePrimary(client, id, secret)).status).toBe(401);
      expect((await remove(client, id, secret)).status).toBe(401);
    }
    expect((await change(new Client(at.one.url), { new_email: attacker, password: PASSWORD })).status).toBe(401);
    expect(await at.sql`select 1 from email_changes where user_id = ${userId}`).toHaveLength(0);
    expect(await listed(client)).toMatchObject([{ email, primary: true }, { email: added }]);
    expect(await signIns([email, added, attacker])).toEqual([true, true, false]);
  });
});

describe("Password alone beside a second factor", () => {
  test("is not enough; a step-up is, and so is aal2 with the password", async () => {
    const owner = await withAuthenticator(at, await provenUser(at));
    const { client, email, userId } = owner;
    await at.sql`update sessions set aal = 'aal1', mfa_verified_at = null where user_id = ${userId}`;
    const attacker = newEmail();
    const fresh = client.at(at.other.url);
    const refused = await change(fresh, { new_email: attacker, password: PASSWORD });
    expect([refused.status, refused.body.error.code]).toEqual([401, "mfa_required"]);
    expect(await at.sql`select 1 from email_changes where user_id = ${userId}`).toHaveLength(0);
    expect(await signIns([email, attacker])).toEqual([true, false]);
    await presentFactor(at.sql, userId);
    expect((await change(fresh, { new_email: newEmail() })).status).toBe(204);
    await ageFactor(at.sql, userId, 6);
    expect((await change(fresh, { new_email: newEmail() })).status).toBe(401);
    expect((await change(fresh, { new_email: newEmail(), password: PASSWORD })).status).toBe(204);
  });
});

describe("Link of an earlier request", () => {
  test("is void after the next request, whose link alone changes the address", async () => {
    const { client, email } = await provenUser(at);
    const [first, next] = [await requestChange(client), await requestChange(client)];
    expect((await confirm(client, await tokenTo(at.mail, first, CHANGE_LINK))).status).toBe(401);
    expect(await signIns([email, first])).toEqual([true, false]);
    expect((await confirm(client, await tokenTo(at.mail, next, CHANGE_LINK))).status).toBe(204);
    expect(await signIns([email, first, next])).toEqual([false, false, true]);
  });
});

describe("Two parallel changes", () => {
  test("have one working link, and the account has one of the two addresses", async () => {
    const { client, email } = await provenUser(at);
    const addresses = [newEmail(), newEmail()];
    const sent = await race(
      (index) =>
        change(client.at(index ? at.one.url : at.other.url), { new_email: addresses[index], password: PASSWORD }),
      2,
    );
    expect(sent.map(({ status }) => status)).toEqual([204, 204]);
    const tokens = await Promise.all(addresses.map((address) => tokenTo(at.mail, address, CHANGE_LINK)));
    const statuses = await Promise.all(tokens.map(async (token) => (await confirm(client, token)).status));
    expect(statuses.sort()).toEqual([204, 401]);
    const users = await signIns([email, ...addresses]);
    expect(users[0]).toBe(false);
    expect(users.filter((signsIn) => signsIn)).toHaveLength(1);
  });
});

describe("Link opened in another browser", () => {
  test("changes nothing without a session or in a session of another user, and works in any own session", async () => {
    const { client, email } = await provenUser(at);
    const changed = await requestChange(client);
    const token = await tokenTo(at.mail, changed, CHANGE_LINK);
    const attacker = await registered(at.one.url);
    expect((await confirm(new Client(at.other.url), token)).status).toBe(401);
    expect((await confirm(attacker.client, token)).status).toBe(403);
    expect(await signIns([email, changed])).toEqual([true, false]);
    const again = await signedIn(at.other.url, email);
    expect((await confirm(again.client, token)).status).toBe(204);
    expect(await signIns([email, changed, attacker.email])).toEqual([false, true, true]);
  });
});

describe("Undo after seven days", () => {
  test("is refused; the former address is reserved until then, and free afterwards", async () => {
    const person = await provenUser(at);
    const { changed, undoToken } = await changeAddress(at, person);
    const fields = { organization_name: "Acme", email: person.email, password: OTHER_PASSWORD };
    const register = () => new Client(at.one.url).post("/v1/auth/register", fields);
    expect((await register()).status).toBe(409);
    const other = await provenUser(at);
    await change(other.client, { new_email: person.email, password: PASSWORD });
    await at.mail.mailsTo(person.email, IN_USE);
    await at.sql`update email_changes set expires_at = now() - interval '1 second' where user_id = ${person.userId}`;
    await at.sql`
      update email_reservations set expires_at = now() - interval '1 second' where user_id = ${person.userId}`;
    for (const token of [undoToken, UNKNOWN_TOKEN]) expect((await undo(at.one.url, token)).status).toBe(401);
    expect((await undo(at.one.url, "x")).status).toBe(400);
    expect((await register()).status).toBe(201);
    expect(await signIns([person.email, changed])).toEqual([false, true]);
    expect(await signIns([person.email, changed], OTHER_PASSWORD)).toEqual([true, false]);
  });
});

describe("Two changes in a row", () => {
  test("the link of the oldest address voids the later undo link and the later address", async () => {
    const person = await provenUser(at);
    const first = await changeAddress(at, person);
    const second = await changeAddress(at, { client: person.client, email: first.changed });
    expect((await undo(at.other.url, first.undoToken)).status).toBe(204);
    expect((await undo(at.one.url, second.undoToken)).status).toBe(401);
    await expectOwnerAlone(person.email, first.changed, second.changed);
  });

  test("an address added by the attacker ends with the undo of the addition, also as primary address", async () => {
    const person = await provenUser(at);
    const { added, id, undoToken } = await addAddress(at, person);
    await expectStatus(makePrimary(person.client, id), 200);
    const [, former] = await listed(person.client);
    expect((await remove(person.client, former.id)).status).toBe(204);
    expect((await undo(at.one.url, undoToken)).status).toBe(204);
    await expectOwnerAlone(person.email, added);
  });
});

describe("Address of another user", () => {
  test("gets no link by a change or an addition, and each user signs in to the own account alone", async () => {
    const [attacker, owner] = [await provenUser(at), await provenUser(at)];
    const { client } = attacker;
    await expectStatus(change(client, { new_email: owner.email, password: PASSWORD }), 204);
    await expectStatus(client.post("/v1/users/me/emails", { email: owner.email, password: PASSWORD }), 204);
    const mails = await at.mail.mailsTo(owner.email, IN_USE, 2);
    for (const { text } of mails) expect(text).not.toContain("token=");
    const [, pending] = await listed(client);
    expect((await makePrimary(client, pending.id)).status).toBe(409);
    const { answer } = await signedIn(at.one.url, owner.email);
    expect(answer.body.user.user_id).toBe(owner.userId);
    expect((await signedIn(at.one.url, attacker.email)).answer.body.user.user_id).toBe(attacker.userId);
  });
});

describe("Uncontrolled account", () => {
  test("corrects its address in the session of the registration alone", async () => {
    const { client, email, userId } = await registered(at.one.url);
    const later = await signedIn(at.other.url, email);
    const new_email = newEmail();
    expect((await change(later.client, { new_email, password: PASSWORD })).status).toBe(403);
    expect((await change(client, { new_email, password: PASSWORD })).status).toBe(204);
    const [notice] = await at.mail.mailsTo(email, NOTICE);
    expect(notice?.text).not.toMatch(UNDO_LINK);
    expect(notice?.text).not.toContain(new_email);
    expect((await confirm(client, await tokenTo(at.mail, new_email, CHANGE_LINK))).status).toBe(204);
    const [proven] = await recordsOf(userId, "auth.control.proven");
    expect(proven?.metadata.proof).toBe("address_change");
    expect(await at.sql`select 1 from email_reservations where user_id = ${userId}`).toHaveLength(0);
    expect(await signIns([email, new_email])).toEqual([false, true]);
    const body = { organization_name: "Acme", email, password: PASSWORD };
    expect((await new Client(at.one.url).post("/v1/auth/register", body)).status).toBe(201);
  });

  test("of a squatter loses the requested correction with the first proof of the mailbox", async () => {
    const { client, email } = await registered(at.one.url);
    const squatted = await requestChange(client);
    const token = await tokenTo(at.mail, squatted, CHANGE_LINK);
    expect((await resetBy(at, email, OTHER_PASSWORD)).status).toBe(204);
    const owner = await signedIn(at.one.url, email, OTHER_PASSWORD);
    for (const each of [client, owner.client]) expect((await confirm(each, token)).status).toBe(401);
    expect((await owner.client.get("/v1/users/me")).body.email).toBe(email);
    expect(await signIns([email, squatted], OTHER_PASSWORD)).toEqual([true, false]);
    expect(await signIns([email, squatted])).toEqual([false, false]);
  });
});

describe("Change and undo in a circle", () => {
  test("the undo of the later change leaves the earlier undo link valid", async () => {
    const person = await provenUser(at);
    const first = await changeAddress(at, person);
    const second = await changeAddress(at, { client: person.client, email: first.changed });
    expect((await undo(at.one.url, second.undoToken)).status).toBe(204);
    expect((await undo(at.one.url, second.undoToken)).status).toBe(401);
    expect((await undo(at.other.url, first.undoToken)).status).toBe(204);
    await expectOwnerAlone(person.email, first.changed, second.changed);
  });

  test("a change back to the owner's address gives the attacker's address no undo link", async () => {
    const { client, email } = await provenUser(at);
    const attacker = (await changeAddress(at, { client, email })).changed;
    await requestChange(client, email);
    expect((await confirm(client, await tokenTo(at.mail, email, CHANGE_LINK))).status).toBe(204);
    const [link] = await undoLinksTo(attacker, 1);
    expect((await undo(at.other.url, link ?? "")).status).toBe(401);
    expect(await signIns([email, attacker])).toEqual([true, false]);
  });

  test("a switch back to the owner's address gives the attacker's address no undo link", async () => {
    const person = await provenUser(at);
    const { client, email } = person;
    const { added, id } = await addAddress(at, person);
    await expectStatus(makePrimary(client, id), 200);
    const [, former] = await listed(client);
    await expectStatus(makePrimary(client.at(at.other.url), former.id), 200);
    const [notice] = await at.mail.mailsTo(added, NOTICE);
    expect(notice?.text).not.toMatch(UNDO_LINK);
    await expectStatus(remove(client, id), 204);
    expect(await signIns([email, added])).toEqual([true, false]);
    const [addition] = await undoLinksTo(email, 2);
    expect((await undo(at.one.url, addition ?? "")).status).toBe(204);
    await expectOwnerAlone(email, added);
  });
});

/** A user in a browser with the cookies of the service, and the identity of a login at the provider. */
async function linkedUser(login: string) {
  const browser = new OAuthBrowser(at.one.url);
  const email = newEmail();
  const fields = { organization_name: "Acme", email, password: PASSWORD };
  const { body } = await expectStatus(browser.client.post("/v1/auth/register", fields), 201);
  await link(browser, login);
  const [identity] = (await browser.client.get("/v1/users/me/identities")).body.items;
  return { browser, email, userId: String(body.user.user_id), identityId: String(identity.id) };
}

async function link(browser: OAuthBrowser, login: string): Promise<void> {
  const begun = await browser.client.post("/v1/users/me/identities", { provider: GOOGLE });
  const callback = await browser.visit(String(begun.body.authorization_url), login);
  await expectStatus(browser.finish(callback), 204);
}

const unlink = (client: Client, id: string, body: object = { password: PASSWORD }) =>
  client.delete(`/v1/users/me/identities/${id}`, { body });

describe("Unlink and relink", () => {
  test("an unlinked identity of the attacker reaches an account of its own alone", async () => {
    const { login } = social.person();
    const { browser, email, userId, identityId } = await linkedUser(login);
    expect((await new OAuthBrowser(at.other.url).signIn(GOOGLE, login)).body.user.user_id).toBe(userId);
    await expectStatus(unlink(browser.client, identityId), 204);
    const attacker = await new OAuthBrowser(at.other.url).signIn(GOOGLE, login);
    expect(attacker.body.user.user_id).not.toBe(userId);
    expect((await signedIn(at.one.url, email)).answer.body.user.user_id).toBe(userId);
  });

  test("an unlinked identity does not link again by address, until the user links it (G122)", async () => {
    const user = await social.verifiedUser();
    await at.sql`update users set controlled_at = now() where id = ${user.userId}`;
    const { login } = social.person({ email: user.email });
    const browser = new OAuthBrowser(at.one.url);
    expect((await browser.signIn(GOOGLE, login)).body.user.user_id).toBe(user.userId);
    const [identity] = (await browser.client.get("/v1/users/me/identities")).body.items;
    await expectStatus(unlink(browser.client, identity.id), 204);
    const refused = await new OAuthBrowser(at.other.url).signIn(GOOGLE, login);
    expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"]);
    expect(refused.body.error.message).toMatch(/Sign in in another way/);
    await link(browser, login);
    expect((await new OAuthBrowser(at.other.url).signIn(GOOGLE, login)).body.user.user_id).toBe(user.userId);
  });
});

describe("Removed last method", () => {
  test("the last passkey and the last identity of a user without a password stay, and sign in (G123)", async () => {
    const { login } = social.person();
    const { browser, userId, identityId } = await linkedUser(login);
    const { passkeyId } = await addPasskey(browser.client);
    await presentFactor(at.sql, userId);
    await deletePassword(at.sql, userId);
    const removePasskey = () => browser.client.delete(`/v1/users/me/passkeys/${passkeyId}`);
    await expectStatus(unlink(browser.client, identityId, {}), 204);
    expect((await removePasskey()).status).toBe(409);
    await link(browser, login);
    expect((await removePasskey()).status).toBe(204);
    const [identity] = (await browser.client.get("/v1/users/me/identities")).body.items;
    expect((await unlink(browser.client, identity.id, {})).status).toBe(409);
    expect((await new OAuthBrowser(at.other.url).signIn(GOOGLE, login)).body.user.user_id).toBe(userId);
  });
});

describe("Race of removal and reset", () => {
  test("the reset by the removed address comes first, or its link is dead", async () => {
    const person = await provenUser(at);
    const { added, id } = await addAddress(at, person);
    await new Client(at.one.url).post("/v1/auth/password/forgot", { email: added });
    const token = await tokenTo(at.mail, added, RESET_LINK);
    const [removed, reset] = await Promise.all([
      remove(person.client, id),
      new Client(at.other.url).post("/v1/auth/password/reset", { token, new_password: OTHER_PASSWORD }),
    ]);
    expect([removed.status, reset.status]).toBeOneOf([
      [204, 401],
      [401, 204],
      [204, 204],
    ]);
    const password = reset.status === 204 ? OTHER_PASSWORD : PASSWORD;
    expect(await signIns([person.email, added], password)).toEqual([true, removed.status !== 204]);
  });
});

describe("Address in a domain of an organization", () => {
  test("gives a user outside the organization no membership, before and after the confirmation", async () => {
    const owner = await provenUser(at);
    await presentFactor(at.sql, owner.userId);
    const domain = `takeover-${crypto.randomUUID().slice(0, 8)}.test`;
    const domains = `/v1/orgs/${owner.organizationId}/domains`;
    const claim = (await expectStatus(owner.client.post(domains, { domain }), 201)).body;
    at.dns.setTxt(claim.record_name, claim.record_value);
    expect((await owner.client.post(`${domains}/${claim.id}/verify`)).body.status).toBe("verified");
    const person = await provenUser(at);
    const email = `someone@${domain}`;
    await expectStatus(person.client.post("/v1/users/me/emails", { email, password: PASSWORD }), 204);
    expect(await signIns([person.email, email])).toEqual([true, false]);
    await expectStatus(confirm(person.client, await tokenTo(at.mail, email, CHANGE_LINK)), 204);
    const { client, answer } = await signedIn(at.one.url, email);
    expect(answer.body.user.user_id).toBe(person.userId);
    expect((await client.get(`/v1/orgs/${owner.organizationId}/members`)).status).toBeOneOf([403, 404]);
    expect(await at.sql`select 1 from members where organization_id = ${owner.organizationId}`).toHaveLength(1);
  });
});
