import { beforeAll, describe, expect, test } from "bun:test";
import { Visitor } from "../support/browser.ts";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";
import { FACEBOOK, GOOGLE, type SocialDeployment, socialDeployment } from "../support/identity/social.ts";
import { INVITE_LINK, RESET_LINK, tokenTo, VERIFY_LINK } from "../support/mail.ts";
import { codeOf, forgetUsedStep } from "../support/mfa.ts";
import { platformUser } from "../support/platform.ts";
import { ISSUER, startReplica } from "../support/replica.ts";
import {
  ALL_WAYS,
  openWays,
  owner,
  type Squatter,
  squat,
  waitForRevocation,
  whileSquatting,
} from "../support/squatter.ts";
import { newOwner } from "../support/team.ts";

let social: SocialDeployment;
let at: SocialDeployment["at"];
/** A new machine installs Chromium first. */
const INSTALL_DEADLINE_MS = 300_000;
beforeAll(async () => {
  social = await socialDeployment();
  ({ at } = social);
}, INSTALL_DEADLINE_MS);

const NEW_PASSWORD = "another horse, another battery";
const VERIFY = "/v1/auth/email/verify";
const auditsOf = async (userId: string, action: string) =>
  await at.sql`select metadata, organization_id from audit_logs where actor_id = ${userId} and action = ${action}`;
const accountOf = async (userId: string) => {
  const [row] = await at.sql`
    select u.controlled_at is not null as controlled, u.email_verified_at is not null as verified,
           u.password_hash is not null as password, t.confirmed_at is not null as factor,
           t.user_id is not null as secret,
           (select count(*)::int from recovery_codes where user_id = u.id) as codes,
           (select count(*)::int from passkey_challenges where user_id = u.id) as registrations
    from users u left join totp_factors t on t.user_id = u.id where u.id = ${userId}`;
  return row;
};

/** Asserts that only the owner can sign in. */
async function expectEvicted(squatter: Squatter): Promise<void> {
  expect((await squatter.client.get("/v1/auth/session")).status).toBe(401);
  await waitForRevocation(social, squatter);
  expect(await openWays(social, squatter)).toEqual([]);
}

/** A registration under way in the session, as after a step-up. */
async function beginFurtherPasskey({ client, userId }: Squatter): Promise<void> {
  await at.sql`update sessions set mfa_verified_at = now() where user_id = ${userId}`;
  expect((await client.post("/v1/users/me/passkeys/register/begin")).status).toBe(200);
}

async function expectSignedInAlone(client: Client, userId: string): Promise<void> {
  for (const url of [at.one.url, at.other.url]) {
    expect((await client.at(url).get("/v1/auth/session")).body.user.user_id).toBe(userId);
  }
  expect((await client.get("/v1/auth/sessions")).body.total).toBe(1);
  expect((await client.get("/v1/users/me")).body).toMatchObject({ email_verified: true, has_password: false });
}

describe("an account that a squatter registered holds nothing of the squatter after the owner's first proof", () => {
  test("by password reset: the second factor of an address that was never verified ends too", async () => {
    const squatter = await squat(social, "totp");
    await beginFurtherPasskey(squatter);
    expect(await openWays(social, squatter)).toEqual(ALL_WAYS);
    expect((await owner.resets(social, squatter.email, NEW_PASSWORD)).status).toBe(204);
    await expectEvicted(squatter);
    const { client, answer } = await signedIn(at.other.url, squatter.email, NEW_PASSWORD);
    expect(answer.body.status).toBe("success");
    expect((await client.get("/v1/users/me")).body).toMatchObject({ email_verified: true, mfa_enabled: false });
    expect(await accountOf(squatter.userId)).toMatchObject({
      controlled: true,
      factor: false,
      codes: 0,
      registrations: 0,
    });
  });

  test("by an emailed code", async () => {
    const squatter = await squat(social);
    await beginFurtherPasskey(squatter);
    await squatter.client.post("/v1/auth/mfa/setup");
    expect(await openWays(social, squatter)).toEqual(ALL_WAYS);
    const { client, answer } = await owner.entersCode(social, squatter.email);
    expect(answer.body.status).toBe("success");
    await expectEvicted(squatter);
    await expectSignedInAlone(client, squatter.userId);
    expect(await accountOf(squatter.userId)).toMatchObject({ secret: false, registrations: 0 });
  });

  test("by a social sign-in, whose identity stays", async () => {
    const squatter = await squat(social);
    expect((await owner.opensLink(social, squatter.email)).status).toBe(204);
    expect(await openWays(social, squatter)).toEqual(ALL_WAYS);
    const { client, answer, login } = await owner.signsInAt(social, GOOGLE, squatter.email);
    expect(answer.body.user).toMatchObject({ user_id: squatter.userId });
    await expectEvicted(squatter);
    await expectSignedInAlone(client, squatter.userId);
    expect((await new OAuthBrowser(at.other.url).signIn(GOOGLE, login)).body.user.user_id).toBe(squatter.userId);
  });

  test("and the trail names each ended item, each invitation in its tenant", async () => {
    const squatter = await squat(social, "totp");
    await owner.resets(social, squatter.email, NEW_PASSWORD);
    const [proven, ...others] = await auditsOf(squatter.userId, "auth.control.proven");
    expect(others).toEqual([]);
    expect(proven?.metadata).toEqual({
      proof: "password_reset",
      password: false,
      second_factor: true,
      setup_links: 1,
      passkeys: 1,
      identities: 1,
      invitations: 1,
      api_keys: 1,
      trusts: 1,
      webhooks: 1,
      event_streams: 1,
      oauth_grants: 1,
    });
    const actions = ["auth.passkey.deleted", "invitation.revoked", "mfa.disabled"];
    actions.push("api_key.revoked", "webhook.disabled", "signal_stream.disabled", "oauth.grant.revoked");
    for (const action of actions) {
      const [entry] = await auditsOf(squatter.userId, action);
      expect([action, entry?.metadata]).toEqual([action, { reason: "control_proven" }]);
    }
    const [revoked] = await auditsOf(squatter.userId, "invitation.revoked");
    expect(revoked?.organization_id).toBe(squatter.organizationId);
  });

  test("an email in the account's language names the removed credentials and the way to set a password", async () => {
    const { email } = await registered(at.one.url, { display_name: "Ann" });
    await owner.entersCode(social, email);
    const [mail] = await at.mail.mailsTo(
      email,
      /Everything that was set up in the account until then was therefore removed/,
    );
    expect(mail?.text).toMatch(/^Hello Ann,$/m);
    expect(mail?.text).toContain("choose “Forgot password”");
    expect(mail?.text).not.toContain("authenticator app");
    expect(mail?.html).toContain("Forgot password");
    const german = newEmail();
    const fields = { organization_name: "Acme", email: german, password: PASSWORD };
    await new Client(at.one.url).post("/v1/auth/register", fields, { headers: { "accept-language": "de" } });
    await owner.entersCode(social, german);
    const [brief] = await at.mail.mailsTo(german, /Passwort vergessen/);
    expect(brief?.subject).toContain("gehört jetzt nur Ihnen");
  });
});

describe("an enrolled second factor", () => {
  test("is not passed by an emailed code: only the completed challenge is the proof", async () => {
    const squatter = await squat(social, "totp");
    const { client, answer } = await owner.entersCode(social, squatter.email);
    expect(answer.body.status).toBe("mfa_required");
    expect(await openWays(social, squatter)).toEqual(ALL_WAYS);
    expect(await accountOf(squatter.userId)).toMatchObject({ controlled: false, factor: true });
    await forgetUsedStep(at.sql, squatter.userId);
    const { mfa_token } = answer.body;
    const done = await client.post("/v1/auth/mfa/challenge", { mfa_token, code: codeOf(squatter.totp?.secret ?? "") });
    expect(done.status).toBe(200);
    await expectEvicted(squatter);
    await expectSignedInAlone(client, squatter.userId);
  });

  test("of a verified address stays: a mailbox alone must not remove it, by reset or social sign-in", async () => {
    const squatter = await squat(social, "totp");
    await owner.opensLink(social, squatter.email);
    const { client, answer } = await owner.signsInAt(social, GOOGLE, squatter.email);
    expect(answer.body.status).toBe("mfa_required");
    expect(await accountOf(squatter.userId)).toMatchObject({ controlled: false, factor: true });
    expect(await openWays(social, squatter)).toEqual(ALL_WAYS);
    await forgetUsedStep(at.sql, squatter.userId);
    const { mfa_token } = answer.body;
    const recovery_code = squatter.totp?.recoveryCodes[0];
    expect((await client.post("/v1/auth/mfa/challenge", { mfa_token, recovery_code })).status).toBe(200);
    await expectEvicted(squatter);
    await expectSignedInAlone(client, squatter.userId);
    expect(await accountOf(squatter.userId)).toMatchObject({ controlled: true, factor: true, codes: 10 });
    const identities = await at.sql`select provider from user_identities where user_id = ${squatter.userId}`;
    expect(identities.map(({ provider }) => provider)).toEqual([GOOGLE]);

    const other = await squat(social, "totp");
    await owner.opensLink(social, other.email);
    await owner.resets(social, other.email, NEW_PASSWORD);
    await expectEvicted(other);
    expect((await signedIn(at.one.url, other.email, NEW_PASSWORD)).answer.body.status).toBe("mfa_required");
  });

  test("is no proof itself: a challenge after a password ends nothing and gives no control", async () => {
    const squatter = await squat(social, "totp");
    const shown = await signedIn(at.one.url, squatter.email);
    const { mfa_token } = shown.answer.body;
    const code = codeOf(squatter.totp?.secret ?? "");
    expect((await shown.client.post("/v1/auth/mfa/challenge", { mfa_token, code })).status).toBe(200);
    expect(await accountOf(squatter.userId)).toMatchObject({ controlled: false, factor: true, password: true });
  });
});

describe("a verification link", () => {
  test("alone proves the existence of the address: the link ends no session, and gives no control", async () => {
    const squatter = await squat(social);
    expect((await owner.opensLink(social, squatter.email)).status).toBe(204);
    expect(await openWays(social, squatter)).toEqual(ALL_WAYS);
    expect(await accountOf(squatter.userId)).toMatchObject({ verified: true, controlled: false });
    await owner.entersCode(social, squatter.email);
    await expectEvicted(squatter);
  });

  test("in a session of the same user, by Bearer or cookie, is a proof without an end, now and later", async () => {
    for (const via of ["bearer", "cookie"]) {
      const { client, email, userId, accessToken } = await newOwner(at);
      const token = await tokenTo(at.mail, email, VERIFY_LINK);
      const response =
        via === "bearer"
          ? await new Client(at.other.url).post(VERIFY, { token }, { bearer: accessToken })
          : await client.at(at.other.url).post(VERIFY, { token });
      expect(response.status).toBe(204);
      expect(await accountOf(userId)).toMatchObject({ verified: true, controlled: true, password: true });
      expect((await auditsOf(userId, "auth.control.proven"))[0]?.metadata).toEqual({ proof: "verification_link" });
      await owner.entersCode(social, email);
      expect((await client.get("/v1/auth/session")).status).toBe(200);
      expect((await signedIn(at.one.url, email)).answer.status).toBe(200);
    }
  });

  test("counts as a stranger's in a session that is another user's, has no CSRF header, or ended", async () => {
    const other = await registered(at.one.url);
    const strangers: ((
      person: Awaited<ReturnType<typeof registered>>,
      token: string,
    ) => Promise<{ status: number }>)[] = [
      (_, token) => other.client.post(VERIFY, { token }),
      (person, token) => person.client.post(VERIFY, { token }, { csrf: false }),
      (person, token) => person.client.post(VERIFY, { token }, { csrf: "forged" }),
      (_, token) => new Client(at.one.url).post(VERIFY, { token }, { bearer: "forged" }),
      async (person, token) => {
        const { accessToken, client } = person;
        await client.post("/v1/auth/logout");
        return await new Client(at.one.url).post(VERIFY, { token }, { bearer: accessToken });
      },
    ];
    for (const [index, open] of strangers.entries()) {
      const person = await registered(at.one.url);
      const response = await open(person, await tokenTo(at.mail, person.email, VERIFY_LINK));
      expect([index, response.status]).toEqual([index, 204]);
      expect(await accountOf(person.userId)).toMatchObject({ verified: true, controlled: false });
    }
    expect(await accountOf(other.userId)).toMatchObject({ verified: false, controlled: false });
  });

  test("is mailed with the warning not to confirm what one did not register, in English and German", async () => {
    const args = {
      en: /Don't confirm unless you registered this account/,
      de: /Bestätigen Sie nicht, wenn Sie dieses Konto nicht/,
    };
    for (const [language, warning] of Object.entries(args)) {
      const email = newEmail();
      const fields = { organization_name: "Acme", email, password: PASSWORD };
      await new Client(at.one.url).post("/v1/auth/register", fields, { headers: { "accept-language": language } });
      const [mail] = await at.mail.mailsTo(email, warning);
      expect(mail?.html).toMatch(warning);
    }
  });
});

describe("who is controlled from the beginning, or without losing anything", () => {
  const invite = async (email: string) => {
    const host = await registered(at.one.url);
    await host.client.post(`/v1/orgs/${host.organizationId}/invitations`, { email });
    return await tokenTo(at.mail, email, INVITE_LINK);
  };

  test("a new user who accepts an invitation: later proofs leave the password and the sessions alone", async () => {
    const email = newEmail();
    const client = new Client(at.one.url);
    const accepted = { token: await invite(email), password: PASSWORD };
    expect((await client.post("/v1/auth/invitations/accept", accepted)).status).toBe(201);
    await owner.entersCode(social, email);
    expect((await client.get("/v1/auth/session")).status).toBe(200);
    expect((await signedIn(at.one.url, email)).answer.status).toBe(200);
  });

  test("a user who accepts an invitation in its own session", async () => {
    const { client, email, userId } = await registered(at.one.url);
    expect((await client.post("/v1/auth/invitations/accept", { token: await invite(email) })).status).toBe(200);
    expect(await accountOf(userId)).toMatchObject({ verified: true, controlled: true });
    expect((await auditsOf(userId, "auth.control.proven"))[0]?.metadata).toEqual({ proof: "invitation" });
    await owner.entersCode(social, email);
    expect((await client.get("/v1/auth/session")).status).toBe(200);
    expect((await signedIn(at.one.url, email)).answer.status).toBe(200);
  });

  test("a user vouched for by a provider at sign-up, except with an unverified address", async () => {
    const vouched = newEmail();
    const { client } = await owner.signsInAt(social, GOOGLE, vouched);
    await owner.entersCode(social, vouched);
    expect((await client.get("/v1/auth/session")).status).toBe(200);

    const squatted = newEmail();
    social.facebook.user = { id: crypto.randomUUID(), name: "Squatter", email: squatted };
    const browser = new OAuthBrowser(at.one.url);
    expect((await browser.signIn(FACEBOOK)).status).toBe(200);
    await owner.entersCode(social, squatted);
    expect((await browser.client.get("/v1/auth/session")).status).toBe(401);
    expect((await new OAuthBrowser(at.one.url).signIn(FACEBOOK)).status).toBe(409);
  });

  test("an identity with a different address than the account's proves no control", async () => {
    const squatted = newEmail();
    const login = crypto.randomUUID();
    social.openid.people.set(login, { email: squatted, email_verified: false });
    const browser = new OAuthBrowser(at.one.url);
    const first = await browser.signIn(GOOGLE, login);
    const userId = String(first.body.user.user_id);
    social.openid.people.set(login, { email: newEmail(), email_verified: true });
    expect((await new OAuthBrowser(at.one.url).signIn(GOOGLE, login)).body.user.user_id).toBe(userId);
    expect(await accountOf(userId)).toMatchObject({ verified: false, controlled: false });
    social.openid.people.set(login, { email: squatted, email_verified: true });
    expect((await new OAuthBrowser(at.one.url).signIn(GOOGLE, login)).body.user.user_id).toBe(userId);
    expect(await accountOf(userId)).toMatchObject({ verified: true, controlled: true });
    expect((await browser.client.get("/v1/auth/session")).status).toBe(401);
  });

  test("not the owner of a provisioned organization, whose password an administrator chose", async () => {
    const admin = await platformUser(at, "admin");
    const email = newEmail();
    const fields = { organization_name: "Acme", owner_email: email, owner_password: PASSWORD };
    expect((await admin.client.post("/v1/admin/orgs", fields)).status).toBe(201);
    const { client } = await owner.entersCode(social, email);
    expect((await client.get("/v1/users/me")).body).toMatchObject({ has_password: false });
    expect((await signedIn(at.one.url, email)).answer.status).toBe(401);
  });

  test("a second proof ends no more than it always did", async () => {
    const { email } = await registered(at.one.url);
    const first = await owner.entersCode(social, email);
    await owner.resets(social, email, NEW_PASSWORD);
    expect((await first.client.get("/v1/auth/session")).status).toBe(401);
    const { client } = await signedIn(at.one.url, email, NEW_PASSWORD);
    const second = await owner.entersCode(social, email, 2);
    for (const each of [client, second.client]) expect((await each.get("/v1/auth/session")).status).toBe(200);
    expect((await signedIn(at.one.url, email, NEW_PASSWORD)).answer.status).toBe(200);
  });
});

describe("SERVICE_INITIAL_OWNER_EMAIL, registered by a squatter", () => {
  const settings = (email: string) => ({
    DATABASE_URL: at.databaseUrl,
    REDIS_URL: at.redis.url,
    SERVICE_EMAIL_API_URL: at.mail.url,
    SERVICE_EMAIL_API_KEY: "re_test",
    SERVICE_INITIAL_OWNER_EMAIL: email,
  });
  const roleOf = async (email: string) =>
    (await at.sql`select platform_role from users where email = ${email}`)[0]?.platform_role;

  /** Registers a squatter, and opens the mailed link as the owner at a replica with the setting. */
  async function linkOpened() {
    const squatter = await registered(at.one.url);
    const replica = await startReplica({ ...social.settings, ...settings(squatter.email) });
    const token = await tokenTo(at.mail, squatter.email, VERIFY_LINK);
    await new Client(replica.url).post(VERIFY, { token });
    return { replica, squatter };
  }

  test.each<[string, (at: SocialDeployment, email: string) => Promise<unknown>]>([
    ["password reset", (social, email) => owner.resets(social, email, NEW_PASSWORD)],
    ["emailed code", (social, email) => owner.entersCode(social, email)],
    ["social sign-in", (social, email) => owner.signsInAt(social, GOOGLE, email)],
  ])("is no platform owner by a link alone, but by the first proof of control: a %s", async (_, prove) => {
    const { replica, squatter } = await linkOpened();
    expect(await roleOf(squatter.email)).toBeNull();
    await prove({ ...social, at: { ...at, one: replica } }, squatter.email);
    expect(await roleOf(squatter.email)).toBe("owner");
    expect((await squatter.client.at(replica.url).get("/v1/auth/session")).status).toBe(401);
  });

  test("is no platform owner by a link and a restart", async () => {
    const { replica, squatter } = await linkOpened();
    await replica.kill();
    await startReplica({ ...social.settings, ...settings(squatter.email) });
    expect(await roleOf(squatter.email)).toBeNull();
  });

  test("is platform owner by a link that was opened in its own session, or by a social sign-up", async () => {
    const person = await registered(at.one.url);
    const replica = await startReplica({ ...social.settings, ...settings(person.email) });
    const token = await tokenTo(at.mail, person.email, VERIFY_LINK);
    await person.client.at(replica.url).post(VERIFY, { token });
    expect(await roleOf(person.email)).toBe("owner");
    await replica.kill();
    const email = newEmail();
    const other = await startReplica({ ...social.settings, ...settings(email) });
    await owner.signsInAt({ ...social, at: { ...at, one: other } }, GOOGLE, email);
    expect(await roleOf(email)).toBe("owner");
    await other.kill();
  });
});

describe("races of the first proof, over both replicas", () => {
  const liveSessions = async (userId: string) =>
    (await at.sql`select id from sessions where user_id = ${userId} and revoked_at is null`).map(({ id }) => id);

  test("20 sign-ins, refreshes and set-ups of the squatter beside it leave the owner's session alone", async () => {
    for (let round = 0; round < 5; round += 1) {
      const squatter = await registered(at.one.url);
      const { client, answer } = await whileSquatting(social, squatter, () => owner.entersCode(social, squatter.email));
      expect(await liveSessions(squatter.userId)).toEqual([answer.body.user.session_family_id]);
      expect((await client.at(at.other.url).get("/v1/auth/session")).status).toBe(200);
      expect((await signedIn(at.one.url, squatter.email)).answer.status).toBe(401);
    }
  });

  test("20 sign-ins beside a password reset leave no one signed in", async () => {
    for (let round = 0; round < 5; round += 1) {
      const squatter = await registered(at.one.url);
      const response = await whileSquatting(social, squatter, () => owner.resets(social, squatter.email, NEW_PASSWORD));
      expect(response.status).toBe(204);
      expect(await liveSessions(squatter.userId)).toEqual([]);
    }
  });

  test("20 concurrent passkeys and 20 trusted browsers of the squatter are removed or never created", async () => {
    for (let round = 0; round < 3; round += 1) {
      const squatter = await registered(at.one.url);
      const { client, userId } = squatter;
      const visitor = await Visitor.at(ISSUER);
      const credentials: unknown[] = [];
      for (let count = 0; count < 20; count += 1) {
        const begun = await client.post("/v1/users/me/passkeys/register/begin");
        credentials.push(await visitor.create(begun.body.publicKey));
      }
      const url = (index: number) => (index % 2 ? at.one.url : at.other.url);
      const complete = "/v1/users/me/passkeys/register/complete";
      await Promise.all([
        owner.entersCode(social, squatter.email),
        race((index) => client.at(url(index)).post(complete, { credential: credentials[index] })),
        race((index) => client.at(url(index)).post("/v1/auth/trusted-browsers")),
      ]);
      const passkeys = await at.sql`select 1 from passkeys where user_id = ${userId} and deleted_at is null`;
      const browsers = await at.sql`select 1 from trusted_browsers where user_id = ${userId} and revoked_at is null`;
      expect([passkeys.length, browsers.length]).toEqual([0, 0]);
      await visitor.close();
    }
  });

  test("two parallel proofs, a code and a reset: one account, under control, by the later proof", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { email, userId } = await registered(at.one.url);
      await new Client(at.one.url).post("/v1/auth/password/forgot", { email });
      await tokenTo(at.mail, email, RESET_LINK);
      const [{ answer }] = await Promise.all([
        owner.entersCode(social, email),
        owner.resets(social, email, NEW_PASSWORD, 2),
      ]);
      expect([200, 401]).toContain(answer.status);
      expect(await accountOf(userId)).toMatchObject({ controlled: true, verified: true });
      expect(await auditsOf(userId, "auth.control.proven")).toHaveLength(1);
      expect((await signedIn(at.one.url, email)).answer.status).toBe(401);
    }
  });
});
