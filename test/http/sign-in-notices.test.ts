/** Notices of sign-ins from new browsers, and the link "This was not me" (docs/contract.md, section 12.15). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";
import { GOOGLE, type SocialDeployment, socialDeployment } from "../support/identity/social.ts";
import { CODE, codeIn, tokenTo } from "../support/mail.ts";
import { codeOf, enrolled, forgetUsedStep, withAuthenticator } from "../support/mfa.ts";
import { addPasskey } from "../support/passkeys.ts";
import { presentFactor } from "../support/states.ts";
import { addAddress, changeAddress, provenUser, requestChange, resetBy } from "../support/user-emails.ts";

const NOTICE = /from a browser that we haven't seen/;
const NOT_ME_LINK = /^http:\/\/localhost:3000\/sign-in\/not-me\?token=([A-Za-z0-9_-]{43})$/m;
const FIREFOX = browser("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0");
const NEXT_FIREFOX = browser("Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0");
const CHROME = browser("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36");
const OTHER_PASSWORD = "another long password";
const UNKNOWN_TOKEN = "A".repeat(43);

let social: SocialDeployment;
let at: SocialDeployment["at"];
beforeAll(async () => {
  social = await socialDeployment();
  ({ at } = social);
});

function browser(userAgent: string) {
  return { headers: { "user-agent": userAgent } };
}

const login = (url: string, email: string, from = FIREFOX, client = new Client(url)) =>
  client.post("/v1/auth/login", { email, password: PASSWORD }, from);
const disown = (url: string, token: string) => new Client(url).post("/v1/auth/sign-in/not-me", { token });
const replicaOf = (index: number) => (index % 2 === 0 ? at.one.url : at.other.url);
const recordsOf = (userId: string, action: string) =>
  at.sql`select metadata from audit_logs where actor_id = ${userId} and action = ${action}`;

async function codeFor(email: string, nth = 1): Promise<string> {
  await new Client(at.one.url).post("/v1/auth/email-otp/request", { email });
  return codeIn((await at.mail.mailsTo(email, CODE, nth)).at(-1));
}

/** The notices that an address has received by the time a later email arrives. */
async function noticesTo(email: string) {
  await codeFor(email);
  return at.mail.delivered.filter(({ to, text }) => to.includes(email) && NOTICE.test(text));
}

/** Signs in from a new browser, as an attacker with the password; returns the attacker's client and the link. */
async function attacked(person: { readonly email: string }) {
  const client = new Client(at.one.url);
  const answer = await login(at.one.url, person.email, CHROME, client);
  return { client, answer, token: await tokenTo(at.mail, person.email, NOT_ME_LINK) };
}

describe("a sign-in from a new browser", () => {
  test("by password sends one notice with device and link, in the language of the user", async () => {
    const email = newEmail();
    const fields = { organization_name: "Acme", email, password: PASSWORD };
    await new Client(at.one.url).post("/v1/auth/register", fields, { headers: { "accept-language": "de" } });
    await login(at.one.url, email);
    const [notice] = await at.mail.mailsTo(email, NOT_ME_LINK);
    expect(notice?.subject).toStartWith("Neue Anmeldung");
    expect(notice?.text).toContain("Gerät: Firefox auf Linux");
    expect(notice?.html).toContain("not-me?token");
  });

  test("by emailed code sends the notice", async () => {
    const { email } = await registered(at.one.url);
    const code = await codeFor(email);
    await new Client(at.one.url).post("/v1/auth/email-otp/verify", { email, code }, FIREFOX);
    await at.mail.mailsTo(email, NOTICE);
  });

  test("by passkey sends the notice", async () => {
    const person = await registered(at.one.url);
    const { authenticator } = await addPasskey(person.client);
    const client = new Client(at.other.url);
    const { body } = await client.post("/v1/auth/passkey/login/begin");
    const credential = await authenticator.get(body.publicKey);
    expect((await client.post("/v1/auth/passkey/login/complete", { credential }, FIREFOX)).status).toBe(200);
    await at.mail.mailsTo(person.email, NOTICE);
  });

  test("by social sign-in sends the notice", async () => {
    const { login: account, email } = social.person();
    expect((await new OAuthBrowser(at.one.url).signIn(GOOGLE, account)).status).toBe(200);
    const other = new OAuthBrowser(at.one.url);
    const callback = await other.visit(await other.start(GOOGLE), account);
    const headers = { accept: "application/json", ...FIREFOX.headers };
    expect((await other.finish(callback, headers)).status).toBe(200);
    await at.mail.mailsTo(email, NOTICE);
  });

  test("with a second factor sends the notice after the second factor alone", async () => {
    const person = await enrolled(at);
    const { body } = await login(at.one.url, person.email);
    expect(await noticesTo(person.email)).toEqual([]);
    await forgetUsedStep(at.sql, person.userId);
    const challenge = { mfa_token: body.mfa_token, factor: "totp", code: codeOf(person.secret) };
    const answer = await new Client(at.one.url).post("/v1/auth/mfa/challenge", challenge, FIREFOX);
    expect(answer.status).toBe(200);
    await at.mail.mailsTo(person.email, NOTICE);
  });

  test("sends one notice for 20 sign-ins at once over two replicas, and none after an update (G127)", async () => {
    const { email } = await registered(at.one.url);
    const statuses = await race(async (index) => (await login(replicaOf(index), email)).status);
    expect(statuses).toEqual(Array(20).fill(200));
    await at.mail.mailsTo(email, NOTICE);
    await login(at.one.url, email, NEXT_FIREFOX);
    expect(await noticesTo(email)).toHaveLength(1);
    await login(at.one.url, email, CHROME);
    await at.mail.mailsTo(email, NOTICE, 2);
  });

  test("sends none for the first session of an account and for a known browser (G127)", async () => {
    const { client, email, userId } = await registered(at.one.url);
    await signedIn(at.other.url, email);
    await client.delete("/v1/auth/sessions");
    await signedIn(at.one.url, email);
    expect(await noticesTo(email)).toEqual([]);
    await at.sql`delete from sessions where user_id = ${userId}`;
    await at.sql`update users set last_login_at = created_at where id = ${userId}`;
    await login(at.one.url, email, CHROME);
    expect(await noticesTo(email)).toEqual([]);
  });
});

describe("POST /v1/auth/sign-in/not-me", () => {
  test("204 once of 20 over two replicas: ends sessions, browsers, codes and what came since (G128, P9)", async () => {
    const person = await withAuthenticator(at, await provenUser(at));
    await at.sql`update totp_factors set confirmed_at = now() - interval '1 hour' where user_id = ${person.userId}`;
    await person.client.post("/v1/auth/trusted-browsers");
    await addPasskey(person.client, { name: "Before" });
    await at.sql`update passkeys set created_at = now() - interval '1 hour' where user_id = ${person.userId}`;
    // The attacker has the password and the trusted browser.
    const thief = new Client(at.one.url);
    thief.setCookie("service_trust", person.client.cookie("service_trust") ?? "", "/v1");
    expect((await login(at.one.url, person.email, CHROME, thief)).body.status).toBe("success");
    const token = await tokenTo(at.mail, person.email, NOT_ME_LINK);
    await presentFactor(at.sql, person.userId);
    const since = await addPasskey(thief, { name: "Since" });
    expect(since.registration.status).toBe(201);
    const code = await codeFor(person.email);
    const statuses = await race(async (index) => (await disown(replicaOf(index), token)).status);
    expect(statuses.sort()).toEqual([204, ...Array(19).fill(401)]);
    expect(await recordsOf(person.userId, "auth.sign_in.disowned")).toHaveLength(1);
    for (const client of [person.client, thief])
      for (const url of [at.one.url, at.other.url])
        expect((await client.at(url).get("/v1/auth/session")).status).toBe(401);
    const verified = await new Client(at.one.url).post("/v1/auth/email-otp/verify", { email: person.email, code });
    expect(verified.status).toBe(401);
    expect((await login(at.one.url, person.email)).status).toBe(401);
    expect((await resetBy(at, person.email, OTHER_PASSWORD)).status).toBe(204);
    const signIn = await new Client(at.one.url).post("/v1/auth/login", {
      email: person.email,
      password: OTHER_PASSWORD,
    });
    expect(signIn.body.status).toBe("mfa_required");
    const live = await at.sql`
      select name from passkeys where user_id = ${person.userId} and deleted_at is null`;
    expect(live.map(({ name }) => name)).toEqual(["Before"]);
    const trusted = await at.sql`
      select 1 from trusted_browsers where user_id = ${person.userId} and revoked_at is null`;
    expect(trusted).toHaveLength(0);
  });

  test("restores the primary address, and voids requests and additional addresses since the sign-in", async () => {
    const person = await provenUser(at);
    const { client, token } = await attacked(person);
    const { added } = await addAddress(at, { client, email: person.email });
    const { changed } = await changeAddress(at, { client, email: person.email });
    await requestChange(client);
    expect((await disown(at.other.url, token)).status).toBe(204);
    expect((await resetBy(at, person.email, OTHER_PASSWORD)).status).toBe(204);
    for (const address of [added, changed])
      expect((await signedIn(at.one.url, address, OTHER_PASSWORD)).answer.status).toBe(401);
    const owner = await signedIn(at.one.url, person.email, OTHER_PASSWORD);
    const { body } = await owner.client.get("/v1/users/me/emails");
    expect(body.items).toMatchObject([{ email: person.email, primary: true }]);
  });

  test("the next sign-in of the disowned browser sends a notice again", async () => {
    const person = await provenUser(at);
    const { token } = await attacked(person);
    await disown(at.one.url, token);
    await resetBy(at, person.email, PASSWORD);
    await login(at.one.url, person.email, CHROME);
    await at.mail.mailsTo(person.email, NOTICE, 2);
  });

  test("401 for an expired or unknown link and 400 for a malformed link, and no session ends", async () => {
    const person = await provenUser(at);
    const { client, token } = await attacked(person);
    await at.sql`
      update sign_in_notices set expires_at = now() - interval '1 second' where user_id = ${person.userId}`;
    expect((await disown(at.one.url, token)).status).toBe(401);
    expect((await disown(at.one.url, UNKNOWN_TOKEN)).status).toBe(401);
    expect((await disown(at.one.url, "x")).status).toBe(400);
    expect((await client.get("/v1/auth/session")).status).toBe(200);
  });
});
