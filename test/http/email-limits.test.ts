/**
 * The number of emails that requests can cause: verification emails, notices, and emails of all kinds together
 * (G91).
 */
import { beforeAll, describe, expect } from "bun:test";
import { Redis } from "ioredis";
import type { EmailContent } from "../../src/models/email/email.ts";
import { Authenticator } from "../support/authenticator.ts";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, eventually, ownDeployment, race, testWhileShared } from "../support/deployment.ts";
import { CODE, codeIn, VERIFY_LINK } from "../support/mail.ts";
import { codeOf, enrolled, forgetUsedStep, withAuthenticator } from "../support/mfa.ts";
import { platformUser } from "../support/platform.ts";
import type { TestRedis } from "../support/services.ts";
import { invite } from "../support/team.ts";

const RENEWED = /recovery codes/i;
const SECURED = /is now yours alone/;
let at: Deployment & { redis: TestRedis };
beforeAll(async () => {
  at = await ownDeployment({
    SERVICE_RATE_LIMITS: "on",
    SERVICE_RATE_LIMIT_REGISTER: "1000/60",
    SERVICE_RATE_LIMIT_SIGN_IN: "1000/60",
    SERVICE_RATE_LIMIT_CALLER: "1000/60",
    SERVICE_RATE_LIMIT_NETWORK_INVITATIONS: "1000/60",
    SERVICE_TRUSTED_PROXIES: "127.0.0.1/32",
  });
});

const test = testWhileShared(() => [at.one, at.other]);

/** Waits until the outbox contains only notices beyond the limit. */
const allSent = () =>
  eventually("all emails are sent", 15_000, async () => {
    return (await at.sql`select 1 from outbox where not held`).length === 0;
  });

async function mailsTo(address: string) {
  await allSent();
  return at.mail.delivered.filter(({ to }) => to.includes(address));
}

const newestCode = async (address: string) =>
  codeIn((await mailsTo(address)).filter(({ text }) => CODE.test(text)).at(-1));

const renewCodes = (client: Client) => client.post("/v1/auth/mfa/recovery-codes", { password: PASSWORD });
const prove = (userId: string) => at.sql`
  update users set email_verified_at = now(), controlled_at = now() where id = ${userId}`;

/** Moves every counted email into the past. */
const letMinutesPass = (minutes: number) => at.sql`
  update email_log set sent_at = sent_at - ${minutes} * interval '1 minute'`;

describe("verification mails", () => {
  test("of a registration and of later requests are five together", async () => {
    const { client, email } = await registered(at.one.url);
    for (let count = 0; count < 5; count += 1)
      expect((await client.at(at.other.url).post("/v1/auth/email/send-verification")).status).toBe(204);
    expect(await mailsTo(email)).toHaveLength(5);
  });

  test("of POST /v1/admin/orgs and of later requests are five together", async () => {
    const email = newEmail();
    const admin = await platformUser(at, "admin");
    const body = { organization_name: "Acme", owner_email: email, owner_password: PASSWORD };
    expect((await admin.client.post("/v1/admin/orgs", body)).status).toBe(201);
    const { client } = await signedIn(at.one.url, email);
    for (let count = 0; count < 5; count += 1) await client.post("/v1/auth/email/send-verification");
    expect(await mailsTo(email)).toHaveLength(5);
  });

  test("beyond the limit leave the link of the last one valid", async () => {
    const { client, email } = await registered(at.one.url);
    for (let count = 0; count < 7; count += 1) await client.post("/v1/auth/email/send-verification");
    const last = (await mailsTo(email)).at(-1);
    const token = VERIFY_LINK.exec(last?.text ?? "")?.[1];
    expect((await client.post("/v1/auth/email/verify", { token })).status).toBe(204);
  });
});

describe("notices of one kind", () => {
  test("are two to an address without a controlling proof, over both replicas at once", async () => {
    const person = await enrolled(at);
    const responses = await race((index) => renewCodes(person.client.at(index % 2 ? at.one.url : at.other.url)), 12);
    const done = responses.filter(({ status }) => status === 200).length;
    expect(done).toBeGreaterThan(2);
    expect((await mailsTo(person.email)).filter(({ text }) => RENEWED.test(text))).toHaveLength(2);
  });

  test("are five to each further address, also with an emptied Redis; the next tells of the held notices", async () => {
    const person = await enrolled(at);
    await prove(person.userId);
    const redis = new Redis(at.redis.url);
    for (let count = 0; count < 8; count += 1) {
      await redis.flushall();
      expect((await renewCodes(person.client)).status).toBe(200);
    }
    redis.disconnect();
    const notices = async () => (await mailsTo(person.email)).filter(({ text }) => RENEWED.test(text));
    expect(await notices()).toHaveLength(5);
    await letMinutesPass(16);
    expect((await renewCodes(person.client)).status).toBe(200);
    const last = (await notices()).at(-1);
    expect(await notices()).toHaveLength(6);
    expect(last?.text).toContain("\n3 more changes of this kind were made since the previous email about them.\n");
    expect(last?.html).toContain("3 more changes of this kind were made");
  });

  test("that are held are sent without a next one, in the user's language", async () => {
    const person = await enrolled(at, {});
    await at.sql`update users set locale = 'de' where id = ${person.userId}`;
    for (let count = 0; count < 4; count += 1) expect((await renewCodes(person.client)).status).toBe(200);
    await mailsTo(person.email);
    await letMinutesPass(16);
    await at.sql`update outbox set next_attempt_at = now() where held`;
    await eventually("the held notice is released", 15_000, async () => {
      return (await at.sql`select 1 from outbox where held`).length === 0;
    });
    const last = (await mailsTo(person.email)).at(-1);
    expect(last?.text).toContain("\nSeit der vorigen E-Mail dazu gab es 1 weitere Änderung dieser Art.\n");
  });

  test("of a first proof become one email while held, with the number of notices", async () => {
    const person = await registered(at.one.url);
    for (let proofs = 0; proofs < 4; proofs += 1) await proveAnew(person);
    const notices = async () => (await mailsTo(person.email)).filter(({ subject }) => SECURED.test(subject));
    expect(await notices()).toHaveLength(2);
    expect(await at.sql`select merged from outbox where held and kind = 'account_secured'`).toMatchObject([
      { merged: 1 },
    ]);
    await letMinutesPass(16);
    await at.sql`update outbox set next_attempt_at = now() where held`;
    await eventually("the held notice is released", 15_000, async () => (await notices()).length === 3);
    expect((await notices()).at(-1)?.text).toContain("\n1 more change of this kind was made since");
  });
});

/** Proves control by an emailed code, after a reset of the account to a password without a proof. */
async function proveAnew({ email, userId }: { email: string; userId: string }) {
  await at.sql`update users set controlled_at = null, password_hash = 'x' where id = ${userId}`;
  const client = new Client(at.one.url);
  expect((await client.post("/v1/auth/email-otp/request", { email })).status).toBe(204);
  expect((await client.post("/v1/auth/email-otp/verify", { email, code: await newestCode(email) })).status).toBe(200);
}

type Kind = EmailContent["kind"];
/**
 * Kinds that a social sign-in, a first proof or the service itself causes: no request of a single network causes these
 * kinds alone.
 */
type UncausedKind =
  | "account_deletion"
  | "account_secured"
  | "api_key_expiring"
  | "credential_review"
  | "member_creations"
  | "members_creations"
  | "requirement_lifted"
  | "sign_up_code"
  | "sign_up_refused"
  | "sso_certificate_expiring"
  | "sso_certificates_changed"
  | "sso_metadata_failed"
  | "sso_certificates_left_out"
  | "sso_secret_expiring"
  | "directory_joined"
  | "directory_refused"
  | "directory_role_withheld"
  | "directory_deactivation_refused"
  | "domain_failing"
  | "domain_lost"
  | "domain_transferred"
  | "account_channels"
  | "channels_accepted"
  | "data_export"
  | "email_change"
  | "email_change_notice"
  | "email_in_use"
  | "email_removed"
  | "email_reverted"
  | "identity_linked"
  | "sso_identity_conflict"
  | "sso_break_glass_used"
  | "sso_paused"
  | "sso_setup_link"
  | "sso_activation_requested"
  | "sso_linked"
  | "organization_factor_enabled"
  | "identity_unlinked"
  | "join_approved"
  | "join_denied"
  | "join_requested"
  | "member_added"
  | "organization_deletion"
  | "organization_ready"
  | "passkey_removed"
  | "password_removed"
  | "role_template_widened"
  | "webhook_disabled"
  | "webhook_failing";
interface Target {
  client: Client;
  readonly email: string;
  readonly userId: string;
  password: string;
}

/**
 * The ways in which a network causes each kind of email to an address. The absent kinds occur at most once for an
 * account or an identity; test/models/email-allowance.test.ts covers the absent kinds.
 */
const CAUSES = {
  email_verification: ({ client }) => client.post("/v1/auth/email/send-verification"),
  email_code: ({ email }) => new Client(at.one.url).post("/v1/auth/email-otp/request", { email }),
  password_reset: ({ email }) => new Client(at.one.url).post("/v1/auth/password/forgot", { email }),
  async invitation({ email }) {
    const host = await registered(at.one.url);
    return await invite(host.client, host.organizationId, email);
  },
  recovery_codes_renewed: ({ client, password }) => client.post("/v1/auth/mfa/recovery-codes", { password }),
  async passkey_added({ client, userId }) {
    await at.sql`update sessions set mfa_verified_at = now() where user_id = ${userId}`;
    const { body } = await client.post("/v1/users/me/passkeys/register/begin");
    const credential = new Authenticator().create(body.publicKey);
    return await client.post("/v1/users/me/passkeys/register/complete", { credential });
  },
  mfa_disabled: ({ client, password }) => client.post("/v1/auth/mfa/disable", { password }),
  async mfa_enabled(target) {
    const { secret } = (await target.client.post("/v1/auth/mfa/setup")).body;
    await target.client.post("/v1/auth/mfa/enable", { code: codeOf(secret), password: target.password });
    await forgetUsedStep(at.sql, target.userId);
    return await target.client.post("/v1/auth/mfa/disable", { password: target.password });
  },
  async new_browser({ email }) {
    const code = await newestCode(email);
    const headers = { "user-agent": `Browser/${Math.floor(performance.now())}` };
    return await new Client(at.one.url).post("/v1/auth/email-otp/verify", { email, code }, { headers });
  },
  async password_changed(target) {
    const next = `${PASSWORD} ${target.password.length}`;
    const body = { current_password: target.password, new_password: next };
    const response = await target.client.post("/v1/users/me/password", body);
    if (response.status === 204) target.password = next;
    return response;
  },
  async mfa_reset({ userId }) {
    const admin = await platformUser(at, "admin");
    return await admin.client.post(`/v1/admin/users/${userId}/mfa/reset`);
  },
} as const satisfies Record<Exclude<Kind, UncausedKind>, (target: Target) => Promise<unknown>>;

describe("one network", () => {
  test("sends at most 30 emails an hour to one address, by all requests that mail together", async () => {
    const target = { ...(await registered(at.one.url)), password: PASSWORD };
    await prove(target.userId);
    for (let round = 0; round < 3; round += 1) {
      const { client } = await signedIn(at.one.url, target.email, target.password);
      await withAuthenticator(at, Object.assign(target, { client }));
      for (const cause of Object.values(CAUSES)) for (let count = 0; count < 4; count += 1) await cause(target);
      await letMinutesPass(16);
    }
    expect((await mailsTo(target.email)).length).toBeWithin(25, 31);
  });
});
