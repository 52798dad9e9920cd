/** What was set up shortly before a reset of the password (docs/contract.md, section 12.16). */
import { beforeAll, describe, expect, test } from "bun:test";
import { DEFAULT_POLICY } from "../../src/vocabulary/policy-settings.ts";
import type { Authenticator } from "../support/authenticator.ts";
import { testCertificate } from "../support/certificate.ts";
import { Client, newEmail, PASSWORD, signedIn } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { directoryOf } from "../support/directories.ts";
import { ForgedProvider } from "../support/identity/forged-provider.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";
import { FACEBOOK, type SocialDeployment, socialDeployment } from "../support/identity/social.ts";
import { CODE, RESET_LINK, tokenTo } from "../support/mail.ts";
import { codeOf, forgetUsedStep, withAuthenticator } from "../support/mfa.ts";
import { sendForm } from "../support/oauth.ts";
import { FormClient, signedInForms } from "../support/pages.ts";
import { addPasskey, STEP_UP_BEGIN, STEP_UP_COMPLETE } from "../support/passkeys.ts";
import { platformUser } from "../support/platform.ts";
import { credentialFrom } from "../support/program-credentials.ts";
import { ISSUER } from "../support/replica.ts";
import { accountsOf, keyOf } from "../support/service-accounts.ts";
import { keyCaller } from "../support/signal-receiver.ts";
import { presentFactor } from "../support/states.ts";
import { invitationsOf } from "../support/team.ts";
import { addAddress, expectStatus, provenUser, resetBy, UNDO_LINK, undo } from "../support/user-emails.ts";
import { until } from "../support/waiting.ts";

const REVIEW = "/v1/users/me/credential-review";
const END = "/v1/auth/password/reset/end";
const END_LINK = /^http:\/\/localhost:3000\/reset-password\/review\?token=([A-Za-z0-9_-]{43})$/m;
const NEXT_PASSWORD = "the password after the reset";
const UNKNOWN_TOKEN = "A".repeat(43);

let social: SocialDeployment;
let at: SocialDeployment["at"];
beforeAll(async () => {
  social = await socialDeployment();
  ({ at } = social);
});

/** A user whose account is older than every item that a test ages. */
async function oldUser() {
  const person = await provenUser(at);
  await at.sql`
    update users set created_at = now() - interval '1 year', controlled_at = now() - interval '1 year'
    where id = ${person.userId}`;
  await at.sql`update user_emails set verified_at = now() - interval '1 year' where user_id = ${person.userId}`;
  return person;
}

type Person = Awaited<ReturnType<typeof oldUser>>;

/** What a third party with the mailbox for an hour sets up: a passkey, an address and a linked provider. */
async function thief(person: Person) {
  const { authenticator } = await addPasskey(person.client, { name: "Thief's key" });
  const { added, id } = await addAddress(at, person);
  const subject = crypto.randomUUID();
  await at.sql`
    insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
    values (${FACEBOOK}, ${social.facebook.url}, ${subject}, ${person.userId}, now(), now())`;
  return { authenticator, added, addedId: id, subject };
}

async function passkeySignIn(authenticator: Authenticator): Promise<number> {
  const client = new Client(at.other.url);
  const { body } = await client.post("/v1/auth/passkey/login/begin");
  const credential = authenticator.get(body.publicKey);
  return (await client.post("/v1/auth/passkey/login/complete", { credential })).status;
}

async function providerSignIn(subject: string): Promise<number> {
  social.facebook.user = { id: subject, name: "Thief" };
  return (await new OAuthBrowser(at.one.url).signIn(FACEBOOK)).status;
}

const login = (email: string) => signedIn(at.one.url, email, NEXT_PASSWORD);
const age = (table: "passkeys" | "user_identities", userId: string, days: number) =>
  at.sql`update ${at.sql(table)} set created_at = now() - ${`${days} days`}::interval where user_id = ${userId}`;

/** Whether an address receives a code or a reset link by the time a request for another address is mailed. */
async function receives(email: string): Promise<boolean> {
  const client = new Client(at.one.url);
  const before = at.mail.delivered.length;
  await client.post("/v1/auth/email-otp/request", { email });
  await client.post("/v1/auth/password/forgot", { email });
  const other = await provenUser(at);
  await client.post("/v1/auth/email-otp/request", { email: other.email });
  await at.mail.mailsTo(other.email, CODE);
  return at.mail.delivered
    .slice(before)
    .some(({ to, text }) => to.includes(email) && (CODE.test(text) || RESET_LINK.test(text)));
}

/** A client of the owner after the reset, in a session without a confirmation. */
async function ownerOf(email: string): Promise<Client> {
  const { answer, client } = await login(email);
  expect(answer.status).toBe(200);
  return client;
}

describe("a reset by another address", () => {
  test("holds passkeys, addresses and providers of less than seven days: none signs in (G290)", async () => {
    const person = await oldUser();
    const { authenticator, added, subject } = await thief(person);
    expect((await resetBy(at, person.email, NEXT_PASSWORD)).status).toBe(204);
    expect(await passkeySignIn(authenticator)).toBe(401);
    expect(await providerSignIn(subject)).toBe(401);
    expect((await login(added)).answer.status).toBe(401);
    expect(await receives(added)).toBe(false);
    expect((await login(person.email)).answer.status).toBe(200);
  });

  test("holds nothing older than seven days, and lists what came after the last known browser (G291)", async () => {
    const person = await oldUser();
    const { authenticator } = await thief(person);
    await age("passkeys", person.userId, 8);
    await at.sql`update sessions set created_at = now() - interval '9 days' where user_id = ${person.userId}`;
    await resetBy(at, person.email, NEXT_PASSWORD);
    const { body } = await (await ownerOf(person.email)).get(REVIEW);
    const passkey = body.items.find(({ kind }: { kind: string }) => kind === "passkey");
    expect(passkey).toMatchObject({ name: "Thief's key", held: false });
    expect(await passkeySignIn(authenticator)).toBe(200);
  });

  test("leaves what the reset address itself and the first proof set up, and opens no review", async () => {
    const person = await provenUser(at);
    await resetBy(at, person.email, NEXT_PASSWORD);
    expect((await (await ownerOf(person.email)).get(REVIEW)).body).toEqual({ reset_at: null, items: [] });
    expect(at.mail.delivered.filter(({ to, text }) => to.includes(person.email) && END_LINK.test(text))).toEqual([]);
  });

  test("a confirmation by the third party releases nothing from the next reset of the owner", async () => {
    const person = await oldUser();
    const { authenticator, added } = await thief(person);
    expect((await resetBy(at, added, NEXT_PASSWORD)).status).toBe(204);
    const { client } = await login(added);
    await expectStatus(client.post(REVIEW, { decision: "confirm", password: NEXT_PASSWORD }), 204);
    expect(await passkeySignIn(authenticator)).toBe(200);
    expect((await resetBy(at, person.email, NEXT_PASSWORD)).status).toBe(204);
    expect(await passkeySignIn(authenticator)).toBe(401);
    expect(await receives(added)).toBe(false);
  });

  test("a held credential stays held at a later reset, however old it is by then", async () => {
    const person = await oldUser();
    const { authenticator } = await thief(person);
    await resetBy(at, person.email, NEXT_PASSWORD);
    await at.sql`
      update credential_reviews
      set held_since = held_since - interval '8 days', reset_at = reset_at - interval '8 days',
          listed_since = listed_since - interval '8 days'
      where user_id = ${person.userId}`;
    await age("passkeys", person.userId, 9);
    await resetBy(at, person.email, NEXT_PASSWORD, 2);
    expect(await passkeySignIn(authenticator)).toBe(401);
  });

  test("voids the undo links of addresses that were added since, so that no link takes the account back", async () => {
    const person = await oldUser();
    const { added, addedId } = await thief(person);
    await expectStatus(person.client.post(`/v1/users/me/emails/${addedId}/primary`, { password: PASSWORD }), 200);
    const third = newEmail();
    await expectStatus(person.client.post("/v1/users/me/email", { new_email: third, password: PASSWORD }), 204);
    const token = await tokenTo(at.mail, added, UNDO_LINK);
    await resetBy(at, person.email, NEXT_PASSWORD);
    expect((await undo(at.one.url, token)).status).toBe(401);
  });

  test("sends no reset link of an administrator to a held primary address", async () => {
    const person = await oldUser();
    const { addedId } = await thief(person);
    await expectStatus(person.client.post(`/v1/users/me/emails/${addedId}/primary`, { password: PASSWORD }), 200);
    await resetBy(at, person.email, NEXT_PASSWORD);
    const admin = await platformUser(at, "admin");
    expect((await admin.client.post(`/v1/admin/users/${person.userId}/send-password-reset`)).status).toBe(409);
  });

  test("a held passkey gives no step-up", async () => {
    const person = await oldUser();
    const { authenticator } = await thief(person);
    await resetBy(at, person.email, NEXT_PASSWORD);
    const client = await ownerOf(person.email);
    const { body } = await client.post(STEP_UP_BEGIN);
    const credential = authenticator.get(body.publicKey);
    expect((await client.post(STEP_UP_COMPLETE, { credential })).status).toBe(401);
  });

  test("the page of the step-up leads a user with held passkeys alone to the review", async () => {
    const person = await oldUser();
    await thief(person);
    await resetBy(at, person.email, NEXT_PASSWORD);
    const client = await ownerOf(person.email);
    const { forms } = await signedInForms(at.one.url, client.jar);
    const asked = await forms.get("/step-up?return_to=%2Fteam");
    expect([asked.status, asked.headers.get("location")]).toEqual([303, "/account/security/review"]);
    await expectStatus(client.post(REVIEW, { decision: "confirm", password: NEXT_PASSWORD }), 204);
    expect((await forms.get("/step-up?return_to=%2Fteam")).text).toContain("data-passkey-step-up");
  });
});

describe("a reset by a recent address", () => {
  /** The third party resets by its own address and signs in; the owner has the mail to the older address. */
  async function resetByThief() {
    const person = await oldUser();
    const { added, addedId } = await thief(person);
    expect((await resetBy(at, added, NEXT_PASSWORD)).status).toBe(204);
    const token = await tokenTo(at.mail, person.email, END_LINK);
    const client = await ownerOf(added);
    return { person, added, addedId, token, client };
  }

  const addressesOf = async (userId: string) =>
    (await at.sql`select email, "primary" from user_emails where user_id = ${userId} order by email`).map((row) => ({
      ...row,
    }));

  test("is listed to the older address, whose link ends the address, sessions and password (G361)", async () => {
    const { person, added, token, client } = await resetByThief();
    const mail = at.mail.delivered.find(({ to, text }) => to.includes(person.email) && END_LINK.test(text));
    expect(mail?.text).toContain(String(added.split("@")[0]));
    await at.sql`update sessions set mfa_verified_at = now() where user_id = ${person.userId}`;
    const { authenticator } = await addPasskey(client, { name: "After the reset" });
    await expectStatus(new Client(at.other.url).post(END, { token }), 204);
    expect((await client.get("/v1/auth/session")).status).toBe(401);
    expect(await passkeySignIn(authenticator)).toBe(401);
    for (const email of [added, person.email]) expect((await login(email)).answer.status).toBe(401);
    expect(await receives(added)).toBe(false);
    expect(await addressesOf(person.userId)).toEqual([{ email: person.email, primary: true }]);
    expect((await resetBy(at, person.email, "the password of the owner")).status).toBe(204);
  });

  test("has a page that says that the password ends too; a reset by an older address does not (G422)", async () => {
    const text = "The password from the last reset ends too";
    const page = async (token: string) => {
      const visitor = new FormClient(at.one.url);
      await visitor.get(`/reset-password/review?token=${token}`);
      return (await visitor.get("/reset-password/review")).text;
    };
    const { person, token } = await resetByThief();
    expect(await page(token)).toContain(text);
    expect((await resetBy(at, person.email, "the password of the owner")).status).toBe(204);
    const own = await tokenTo(at.mail, person.email, END_LINK, 2);
    const shown = await page(own);
    expect([shown.includes("Recent changes"), shown.includes(text)]).toEqual([true, false]);
  });

  test("is ended by the older address also after a confirmation and a removal of this address (G361)", async () => {
    const { person, added, addedId, token, client } = await resetByThief();
    await expectStatus(client.post(REVIEW, { decision: "confirm", password: NEXT_PASSWORD }), 204);
    await at.sql`update sessions set mfa_verified_at = now() where user_id = ${person.userId}`;
    await expectStatus(client.post(`/v1/users/me/emails/${addedId}/primary`, { password: NEXT_PASSWORD }), 200);
    await at.sql`delete from user_emails where user_id = ${person.userId} and email = ${person.email}`;
    await expectStatus(new Client(at.one.url).post(END, { token }), 204);
    expect(await addressesOf(person.userId)).toEqual([{ email: person.email, primary: true }]);
    expect((await login(added)).answer.status).toBe(401);
    expect((await new Client(at.one.url).post(END, { token })).status).toBe(401);
  });

  test("a second reset by the recent address, after seven days too, leaves the link of the older address", async () => {
    const { person, added, token } = await resetByThief();
    await at.sql`
      update user_emails set verified_at = verified_at - interval '8 days' where email = ${added}`;
    await at.sql`
      update credential_review_links set listed_since = listed_since - interval '9 days',
        held_since = held_since - interval '9 days' where user_id = ${person.userId}`;
    await resetBy(at, added, NEXT_PASSWORD, 2);
    await expectStatus(new Client(at.one.url).post(END, { token }), 204);
    expect(await addressesOf(person.userId)).toEqual([{ email: person.email, primary: true }]);
  });

  test("is settled by a reset by the older address: the recent address has no link and no sign-in left", async () => {
    const { person, added, token } = await resetByThief();
    const ofThief = at.mail.delivered.find(({ to, text }) => to.includes(added) && END_LINK.test(text));
    const thiefToken = END_LINK.exec(ofThief?.text ?? "")?.[1] ?? UNKNOWN_TOKEN;
    await resetBy(at, person.email, "the password of the owner");
    for (const dead of [thiefToken, token]) {
      expect((await new Client(at.one.url).post(END, { token: dead })).status).toBe(401);
    }
    expect((await login(added)).answer.status).toBe(401);
  });

  test("an address older than seven days keeps its reset: no link to a further address ends it", async () => {
    const person = await oldUser();
    const { added, addedId } = await thief(person);
    await at.sql`update user_emails set verified_at = now() - interval '40 days' where id = ${addedId}`;
    expect((await resetBy(at, added, NEXT_PASSWORD)).status).toBe(204);
    const token = await tokenTo(at.mail, person.email, END_LINK);
    await expectStatus(new Client(at.one.url).post(END, { token }), 204);
    expect((await login(added)).answer.status).toBe(200);
  });

  test("each mailbox has a separate link", async () => {
    const { person, added, token } = await resetByThief();
    expect(await tokenTo(at.mail, added, END_LINK)).not.toBe(token);
    expect(await at.sql`select 1 from credential_review_links where user_id = ${person.userId}`).toHaveLength(1);
  });
});

describe("a session that must set up a second factor first", () => {
  test("reads and closes the review, by the endpoints and the page (G362)", async () => {
    const person = await oldUser();
    const { authenticator } = await thief(person);
    await resetBy(at, person.email, NEXT_PASSWORD);
    const settings = at.sql.json({ ...DEFAULT_POLICY, mfa: "required", mfaSince: new Date().toISOString() });
    await at.sql`
      insert into organization_policies (organization_id, settings, policies_at, revision, updated_at)
      values (${person.organizationId}, ${settings}, now(), 1, now())`;
    const client = await ownerOf(person.email);
    expect((await client.get("/v1/auth/session")).body.session.enrolment_only).toBe(true);
    expect((await client.get(REVIEW)).body.items.length).toBeGreaterThan(0);
    const { forms } = await signedInForms(at.one.url, client.jar);
    expect((await forms.get("/account/security/review")).status).toBe(200);
    await expectStatus(client.post(REVIEW, { decision: "end", password: NEXT_PASSWORD }), 204);
    expect(await passkeySignIn(authenticator)).toBe(401);
  });
});

describe("POST /v1/users/me/credential-review", () => {
  test("204 to confirm: everything signs in again, with a record (G292)", async () => {
    const person = await oldUser();
    const { authenticator, added, subject } = await thief(person);
    await resetBy(at, person.email, NEXT_PASSWORD);
    const client = await ownerOf(person.email);
    expect((await client.post(REVIEW, { decision: "confirm" })).status).toBe(401);
    expect((await client.post(REVIEW, { decision: "confirm", password: NEXT_PASSWORD })).status).toBe(204);
    expect(await passkeySignIn(authenticator)).toBe(200);
    expect(await providerSignIn(subject)).toBe(200);
    expect((await login(added)).answer.status).toBe(200);
    const actions = await at.sql`
      select action from audit_logs where actor_id = ${person.userId} and action like 'auth.credential_review.%'
      order by timestamp`;
    expect(actions.map(({ action }) => action)).toEqual([
      "auth.credential_review.opened",
      "auth.credential_review.confirmed",
    ]);
    expect((await client.get(REVIEW)).body.items).toEqual([]);
  });

  test("204 to end: removes every listed item, and what was set up after the reset stays (G292)", async () => {
    const person = await oldUser();
    const { added } = await thief(person);
    await resetBy(at, person.email, NEXT_PASSWORD);
    const client = await ownerOf(person.email);
    await at.sql`update sessions set mfa_verified_at = now() where user_id = ${person.userId}`;
    const own = await addPasskey(client, { name: "After" });
    expect(own.registration.status).toBe(201);
    expect((await client.post(REVIEW, { decision: "end", password: NEXT_PASSWORD })).status).toBe(204);
    const passkeys = await client.get("/v1/users/me/passkeys");
    expect(passkeys.body.items).toMatchObject([{ name: "After" }]);
    expect((await client.get("/v1/users/me/emails")).body.items).toMatchObject([{ email: person.email }]);
    expect((await client.get("/v1/users/me/identities")).body.items).toEqual([]);
    expect((await login(added)).answer.status).toBe(401);
  });

  test("204 to end: a key that a listed set-up link created after the reset ends with the link", async () => {
    const directory = await directoryOf(at);
    const { email, userId, organizationId, keyId, scim } = directory;
    await at.sql`update users set controlled_at = now() - interval '1 year' where id = ${userId}`;
    const [link] = await at.sql`
      insert into sso_setup_links (id, organization_id, intents, token_hash, created_by, by_platform, created_at,
                                   expires_at)
      values (gen_random_uuid(), ${organizationId}, '{directory}', sha256(${userId}::text::bytea), ${userId}, false,
              now(), now() + interval '1 day') returning id`;
    await resetBy(at, email, NEXT_PASSWORD);
    await at.sql`update api_keys set setup_link_id = ${link?.id}, created_at = now() + interval '1 second'
      where id = ${keyId}`;
    const client = await ownerOf(email);
    await presentFactor(at.sql, userId);
    expect((await scim("GET", "/Users")).status).toBe(200);
    expect((await client.post(REVIEW, { decision: "end", password: NEXT_PASSWORD })).status).toBe(204);
    expect((await scim("GET", "/Users")).status).toBe(401);
  });

  test("204 to end: an invitation by a listed key after the reset ends, the user's own stays (G420)", async () => {
    const { email, userId, organizationId, client: thiefsClient } = await directoryOf(at);
    await at.sql`update users set controlled_at = now() - interval '1 year' where id = ${userId}`;
    const path = accountsOf(organizationId);
    const { key } = await keyOf(thiefsClient, path, ["members.invite"]);
    await resetBy(at, email, NEXT_PASSWORD);
    const invite = async (headers: Record<string, string>, client: Client) => {
      const { status, body } = await client.request("POST", invitationsOf(organizationId), {
        headers,
        body: { email: newEmail(), role: "member" },
      });
      expect(status).toBe(201);
      return String(body.id);
    };
    const byKey = await invite({ authorization: `Bearer ${key}` }, new Client(at.one.url));
    const client = await ownerOf(email);
    await presentFactor(at.sql, userId);
    const own = await invite({}, client);
    const { body } = await client.get(REVIEW);
    expect(body.items.filter(({ kind }: { kind: string }) => kind === "invitation")).toHaveLength(1);
    expect((await client.post(REVIEW, { decision: "end", password: NEXT_PASSWORD })).status).toBe(204);
    const open = await at.sql`
      select id from invitations where id in (${byKey}, ${own}) and revoked_at is null`;
    expect(open.map(({ id }) => id)).toEqual([own]);
  });

  test("204 to end: an event stream by a listed key after the reset ends, an older key's stays (G420)", async () => {
    const { email, userId, organizationId, client: thiefsClient } = await directoryOf(at);
    await at.sql`update users set controlled_at = now() - interval '1 year' where id = ${userId}`;
    const [older, listed] = [
      await keyOf(thiefsClient, accountsOf(organizationId), ["ssf.manage"]),
      await keyOf(thiefsClient, accountsOf(organizationId), ["ssf.manage"]),
    ];
    await at.sql`update api_keys set created_at = now() - interval '2 years' where id = ${older.id}`;
    await resetBy(at, email, NEXT_PASSWORD);
    const streamBy = async ({ key }: { readonly key: string }) => {
      const { status, body } = await keyCaller(at.one.url, key)("POST", "/v1/ssf/stream", {
        delivery: { method: "urn:ietf:rfc:8936" },
      });
      expect(status).toBe(201);
      return String(body.stream_id);
    };
    const [stays, ends] = [await streamBy(older), await streamBy(listed)];
    const client = await ownerOf(email);
    await presentFactor(at.sql, userId);
    const { body } = await client.get(REVIEW);
    expect(body.items.filter(({ kind }: { kind: string }) => kind === "event_stream")).toHaveLength(1);
    expect((await client.post(REVIEW, { decision: "end", password: NEXT_PASSWORD })).status).toBe(204);
    const rows = await at.sql`select id, stream_status as status from webhooks where id in (${stays}, ${ends})`;
    expect(Object.fromEntries(rows.map(({ id, status }) => [id, status]))).toEqual({
      [stays]: "enabled",
      [ends]: "disabled",
    });
  });

  test("204 to end: a trust changed by the third party ends with what its tokens created (G558)", async () => {
    const { email, userId, organizationId, client: thiefsClient } = await directoryOf(at);
    await at.sql`update users set controlled_at = now() - interval '1 year' where id = ${userId}`;
    const path = accountsOf(organizationId);
    const issuer = new ForgedProvider(testCertificate());
    const credentialOf = credentialFrom(at.one.url, issuer);
    const made = async () => await credentialOf("a token of a trust", thiefsClient, path, ["ssf.manage"]);
    const [older, changed] = [await made(), await made()];
    await at.sql`
      update service_account_trusts set created_at = now() - interval '2 years', tokens_valid_from = null
      where id in (${older.id}, ${changed.id})`;
    await at.sql`
      update audit_logs set timestamp = now() - interval '2 years'
      where action = 'service_account.trust_created' and actor_id = ${userId}`;
    const streamBy = async (secret: string) => {
      const delivery = { method: "urn:ietf:rfc:8936" };
      const { status, body } = await keyCaller(at.one.url, secret)("POST", "/v1/ssf/stream", { delivery });
      expect(status).toBe(201);
      return String(body.stream_id);
    };
    const conditions = [{ claim: "repository_id", equals: "666" }];
    expect((await thiefsClient.patch(changed.path, { conditions })).status).toBe(200);
    await resetBy(at, email, NEXT_PASSWORD);
    const now = Math.floor(Date.now() / 1000) + 1;
    const times = { iat: now, exp: now + 300, jti: crypto.randomUUID() };
    const claims = { iss: issuer.url, sub: "pipeline", aud: ISSUER, repository_id: "666", ...times };
    let later = "";
    await until("a token after the change is accepted", async () => {
      const { body } = await sendForm(at.one.url, "/oauth2/token", {
        grant_type: "client_credentials",
        client_id: changed.accountId,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: await issuer.sign({ ...claims, jti: crypto.randomUUID() }, {}),
      });
      const session = await new Client(at.one.url).get("/v1/auth/session", { bearer: body.access_token });
      later = String(body.access_token);
      return session.status === 200;
    });
    const [stays, ends] = [await streamBy(older.secret), await streamBy(later)];
    const client = await ownerOf(email);
    await presentFactor(at.sql, userId);
    const { body } = await client.get(REVIEW);
    const kinds = body.items.map(({ kind }: { kind: string }) => kind);
    expect([kinds.filter((kind: string) => kind === "trust").length, kinds.includes("event_stream")]).toEqual([
      1,
      true,
    ]);
    expect((await client.post(REVIEW, { decision: "end", password: NEXT_PASSWORD })).status).toBe(204);
    const trusts = await at.sql`select id from service_account_trusts where id in (${older.id}, ${changed.id})`;
    expect(trusts.map(({ id }) => id)).toEqual([older.id]);
    const rows = await at.sql`select id, stream_status as status from webhooks where id in (${stays}, ${ends})`;
    expect(Object.fromEntries(rows.map(({ id, status }) => [id, status]))).toEqual({
      [stays]: "enabled",
      [ends]: "disabled",
    });
  });

  test("401 mfa_required for a session without the second factor of the user", async () => {
    const person = await withAuthenticator(at, await oldUser());
    await thief(person);
    await resetBy(at, person.email, NEXT_PASSWORD);
    const { client, answer } = await login(person.email);
    expect(answer.body.status).toBe("mfa_required");
    await forgetUsedStep(at.sql, person.userId);
    const challenge = { mfa_token: answer.body.mfa_token, factor: "totp", code: codeOf(person.secret) };
    await expectStatus(client.post("/v1/auth/mfa/challenge", challenge), 200);
    await at.sql`update sessions set aal = 'aal1' where user_id = ${person.userId}`;
    const refused = await client.post(REVIEW, { decision: "end", password: NEXT_PASSWORD });
    expect(refused.body.error.code).toBe("mfa_required");
  });
});

describe("POST /v1/auth/password/reset/end", () => {
  test("204 once of 20 over two replicas: ends every listed item, not the second factor (G293)", async () => {
    const person = await withAuthenticator(at, await oldUser());
    const { authenticator, added, subject } = await thief(person);
    await resetBy(at, person.email, NEXT_PASSWORD);
    const token = await tokenTo(at.mail, person.email, END_LINK);
    const replica = (index: number) => (index % 2 === 0 ? at.one.url : at.other.url);
    const statuses = await race(async (index) => (await new Client(replica(index)).post(END, { token })).status);
    expect(statuses.sort()).toEqual([204, ...Array(19).fill(401)]);
    expect(await passkeySignIn(authenticator)).toBe(401);
    expect(await providerSignIn(subject)).not.toBe(200);
    expect((await login(added)).answer.status).toBe(401);
    expect((await login(person.email)).answer.body.status).toBe("mfa_required");
  });

  test("restores the address of the reset as primary address", async () => {
    const person = await oldUser();
    const { added, addedId } = await thief(person);
    await expectStatus(person.client.post(`/v1/users/me/emails/${addedId}/primary`, { password: PASSWORD }), 200);
    await resetBy(at, person.email, NEXT_PASSWORD);
    const token = await tokenTo(at.mail, person.email, END_LINK);
    expect(at.mail.delivered.filter(({ to, text }) => to.includes(added) && END_LINK.test(text))).toEqual([]);
    await expectStatus(new Client(at.one.url).post(END, { token }), 204);
    const { body } = await (await ownerOf(person.email)).get("/v1/users/me/emails");
    expect(body.items).toMatchObject([{ email: person.email, primary: true }]);
    expect(body.items).toHaveLength(1);
  });

  test("401 for an unknown, expired or replaced link, and 400 for a malformed link", async () => {
    const person = await oldUser();
    await thief(person);
    await resetBy(at, person.email, NEXT_PASSWORD);
    const replaced = await tokenTo(at.mail, person.email, END_LINK);
    await resetBy(at, person.email, NEXT_PASSWORD, 2);
    const token = await tokenTo(at.mail, person.email, END_LINK, 2);
    const client = new Client(at.one.url);
    expect((await client.post(END, { token: replaced })).status).toBe(401);
    await at.sql`
      update credential_reviews set expires_at = now() - interval '1 minute' where user_id = ${person.userId}`;
    expect((await client.post(END, { token })).status).toBe(401);
    expect((await client.post(END, { token: UNKNOWN_TOKEN })).status).toBe(401);
    expect((await client.post(END, { token: "x" })).status).toBe(400);
  });
});

describe("GET /v1/users/me/credential-review", () => {
  test("lists what acts for the user too: API keys, webhooks, applications, invitations and set-up links", async () => {
    const person = await oldUser();
    await at.sql`
      insert into sso_setup_links (id, organization_id, intents, token_hash, created_by, by_platform, created_at,
                                   expires_at)
      values (gen_random_uuid(), ${person.organizationId}, '{connection}', sha256(${person.userId}::text::bytea),
              ${person.userId}, false, now(), now() + interval '1 day')`;
    const invited = newEmail();
    const invitation = { email: invited, role: "member" };
    await expectStatus(person.client.post(`/v1/orgs/${person.organizationId}/invitations`, invitation), 201);
    await resetBy(at, person.email, NEXT_PASSWORD);
    const { body } = await (await ownerOf(person.email)).get(REVIEW);
    expect(body.items.map(({ kind, held }: { kind: string; held: boolean }) => [kind, held]).sort()).toEqual([
      ["invitation", false],
      ["setup_link", false],
    ]);
  });
});
