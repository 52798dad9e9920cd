/** An aal1 session reaches no operation that a second factor guards (docs/contract.md, "Second factors"). */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Answer, Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown, weakSession, wrongCode } from "../support/mfa.ts";
import { deletePassword } from "../support/states.ts";
import { until } from "../support/waiting.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const replicaOf = (index: number) => (index % 2 ? at.one.url : at.other.url);
const outcome = ({ status, body }: Answer) => [status, body?.error?.code];
const MFA_REQUIRED = [401, "mfa_required"];

/** All operations that a second factor guards, with the password where required. */
const GUARDED: [string, unknown][] = [
  ["/v1/auth/mfa/recovery-codes", { password: PASSWORD }],
  ["/v1/auth/mfa/disable", { password: PASSWORD }],
  ["/v1/auth/trusted-browsers", {}],
  ["/v1/users/me/passkeys/register/begin", undefined],
  ["/v1/users/me/passkeys/register/complete", { credential: {} }],
];

/** Creates a session that is older than the second factor of the user. */
async function olderSession() {
  const person = await registered(at.one.url);
  const { client } = await signedIn(at.other.url, person.email);
  const { secret } = (await person.client.post("/v1/auth/mfa/setup")).body;
  await person.client.post("/v1/auth/mfa/enable", { code: codeOf(secret) });
  await forgetUsedStep(at.sql, person.userId);
  return { ...person, secret, weak: client };
}

async function trustedSession() {
  const person = await enrolled(at);
  return { ...person, weak: await weakSession(at.other.url, person) };
}

describe.each([
  ["older than the second factor", olderSession],
  ["begun in a trusted browser", trustedSession],
])("a session of aal1, %s", (_, begin) => {
  test.each(GUARDED)("gets mfa_required at %s, before its input is read, and nothing happens", async (path, body) => {
    const { client, weak, userId } = await begin();
    expect(outcome(await weak.post(path, body))).toEqual(MFA_REQUIRED);
    expect(outcome(await weak.post(path, { password: 7, name: 7, credential: 7 }))).toEqual(MFA_REQUIRED);
    const status = (await client.get("/v1/auth/mfa/status")).body;
    expect(status).toMatchObject({ enabled: true, recovery_codes_remaining: 10 });
    const done = await at.sql`
      select action from audit_logs where actor_id = ${userId} and outcome = 'success' and action in
        ('mfa.disabled', 'mfa.recovery_codes.regenerated', 'auth.passkey.registered')`;
    expect([...done]).toEqual([]);
  });

  test("reaches guarded operations after a second factor was presented in the session, at either replica", async () => {
    const { weak, secret } = await begin();
    expect((await weak.post("/v1/auth/mfa/verify", { code: codeOf(secret) })).status).toBe(200);
    const elsewhere = weak.at(at.one.url);
    expect((await elsewhere.post("/v1/users/me/passkeys/register/begin")).status).toBe(200);
    expect((await elsewhere.post("/v1/auth/trusted-browsers")).status).toBe(201);
    expect((await elsewhere.post("/v1/auth/mfa/recovery-codes", { password: PASSWORD })).status).toBe(200);
    expect((await elsewhere.post("/v1/auth/mfa/disable", { password: PASSWORD })).status).toBe(204);
  });

  test("gets no second factor of its own in place of the one there is", async () => {
    const { weak } = await begin();
    expect((await weak.post("/v1/auth/mfa/setup")).status).toBe(409);
    expect((await weak.post("/v1/auth/mfa/enable", { code: "123456", password: PASSWORD })).status).toBe(409);
  });
});

test("the row of the session decides, not what a replica remembers of it", async () => {
  const { client, sessionId } = await enrolled(at);
  expect((await client.get("/v1/auth/session")).body.session.aal).toBe("aal2");
  await at.sql`update sessions set aal = 'aal1', mfa_verified_at = null where id = ${sessionId}`;
  for (const [path, body] of GUARDED) expect(outcome(await client.post(path, body))).toEqual(MFA_REQUIRED);
  await at.sql`update sessions set revoked_at = now() where id = ${sessionId}`;
  for (const [path, body] of GUARDED) {
    expect(outcome(await client.post(path, body))).toEqual([401, "authentication_required"]);
  }
});

describe("POST /v1/auth/mfa/disable", () => {
  test("is done at aal1 when nothing is enabled, and refuses a wrong password", async () => {
    const { client } = await registered(at.one.url);
    expect((await client.post("/v1/auth/mfa/disable", { password: PASSWORD })).status).toBe(204);
    const wrong = await client.post("/v1/auth/mfa/disable", { password: "not the password" });
    expect(outcome(wrong)).toEqual([401, "authentication_required"]);
  });

  test("returns the documented members, for a user without a password too", async () => {
    const { client, userId } = await enrolled(at);
    await deletePassword(at.sql, userId);
    const response = await client.post("/v1/auth/mfa/disable", { password: PASSWORD });
    expect(outcome(response)).toEqual([409, "conflict"]);
    const { body } = await new Client(at.one.url).get("/openapi.json");
    for (const path of ["/v1/auth/mfa/disable", "/v1/auth/mfa/recovery-codes", "/v1/auth/mfa/enable"]) {
      const declared = Object.keys(body.paths[path].post.responses);
      expect(declared).toEqual(expect.arrayContaining(["401", "409", "429"]));
    }
    const unauthorized = body.paths["/v1/auth/mfa/disable"].post.responses[401].description;
    expect(unauthorized).toContain("mfa_required");
  });

  test("leaves one outcome of 20 at once that disable and renew, over two replicas", async () => {
    const { client, userId } = await enrolled(at);
    const responses = await race((index) => {
      const path = index % 4 < 2 ? "/v1/auth/mfa/disable" : "/v1/auth/mfa/recovery-codes";
      return client.at(replicaOf(index)).post(path, { password: PASSWORD });
    });
    for (const { status } of responses) expect([200, 204, 409]).toContain(status);
    const [left] = await at.sql`
      select (select count(*)::int from totp_factors where user_id = ${userId}) as factors,
             (select count(*)::int from recovery_codes where user_id = ${userId}) as codes`;
    expect(left).toEqual({ factors: 0, codes: 0 } as never);
  });
});

describe("POST /v1/auth/mfa/recovery-codes", () => {
  test("tells the user by mail, in either language", async () => {
    const { client, email, userId } = await enrolled(at);
    await client.post("/v1/auth/mfa/recovery-codes", { password: PASSWORD });
    const [english] = await at.mail.mailsTo(email, /recovery codes were created/);
    expect(english?.subject).toBe("New recovery codes for localhost");
    await at.sql`update users set locale = 'de' where id = ${userId}`;
    await client.post("/v1/auth/mfa/recovery-codes", { password: PASSWORD });
    const [german] = await at.mail.mailsTo(email, /neue Wiederherstellungscodes/);
    expect(german?.html).toContain('<html lang="de">');
  });

  test("sends no mail for a refusal", async () => {
    const { client, email } = await enrolled(at);
    await client.post("/v1/auth/mfa/recovery-codes", { password: "not the password" });
    await client.post("/v1/auth/mfa/disable", { password: PASSWORD });
    await at.mail.mailsTo(email, /was removed from your account/);
    expect(at.mail.delivered.filter(({ to, text }) => to.includes(email) && /recovery codes/.test(text))).toEqual([]);
  });
});

describe("enabling a second factor counts as step-up", () => {
  /** Creates a user whose session began some minutes ago, with a secret that was set up. */
  async function settingUp(minutes: number) {
    const person = await registered(at.one.url);
    await at.sql`
      update sessions set auth_time = now() - ${minutes} * interval '1 minute' where id = ${person.sessionId}`;
    const { secret } = (await person.client.post("/v1/auth/mfa/setup")).body;
    return { ...person, secret: String(secret) };
  }
  const sessionOf = async (client: Client) => (await client.at(at.other.url).get("/v1/auth/session")).body.session;

  test("in a session that began nine minutes ago", async () => {
    const { client, secret } = await settingUp(9);
    expect((await client.post("/v1/auth/mfa/enable", { code: codeOf(secret) })).status).toBe(200);
    expect(await sessionOf(client)).toMatchObject({ aal: "aal2", mfa_verified_at: expect.any(String) });
  });

  test("with the password in a session of an hour ago", async () => {
    const { client, secret } = await settingUp(60);
    const response = await client.post("/v1/auth/mfa/enable", { code: codeOf(secret), password: PASSWORD });
    expect(response.body.recovery_codes).toHaveLength(10);
    expect(await sessionOf(client)).toMatchObject({ aal: "aal2", mfa_verified_at: expect.any(String) });
  });

  test("not in a session of eleven minutes ago: the factor is enabled, and the next code steps up", async () => {
    const { client, secret, userId } = await settingUp(11);
    const response = await client.post("/v1/auth/mfa/enable", { code: codeOf(secret) });
    expect(response.body.recovery_codes).toHaveLength(10);
    expect(await sessionOf(client)).toMatchObject({ aal: "aal1", mfa_verified_at: null });
    for (const [path, body] of GUARDED) expect(outcome(await client.post(path, body))).toEqual(MFA_REQUIRED);
    await forgetUsedStep(at.sql, userId);
    expect((await client.post("/v1/auth/mfa/verify", { code: codeOf(secret) })).status).toBe(200);
    expect(await sessionOf(client)).toMatchObject({ aal: "aal2" });
  });

  test.each([[1], [60]])(
    "not with a wrong password, which enables nothing: a session of %p minutes",
    async (minutes) => {
      const { client, secret } = await settingUp(minutes);
      const response = await client.post("/v1/auth/mfa/enable", { code: codeOf(secret), password: "not the password" });
      expect(outcome(response)).toEqual([401, "authentication_required"]);
      expect((await client.get("/v1/auth/mfa/status")).body.enabled).toBe(false);
      expect(await sessionOf(client)).toMatchObject({ aal: "aal1" });
      expect((await client.post("/v1/auth/mfa/enable", { code: codeOf(secret), password: null })).status).toBe(200);
    },
  );

  test("never with a wrong code, with any password", async () => {
    const { client, secret } = await settingUp(60);
    const response = await client.post("/v1/auth/mfa/enable", { code: wrongCode(secret), password: PASSWORD });
    expect(outcome(response)).toEqual([400, "invalid_input"]);
    expect(await sessionOf(client)).toMatchObject({ aal: "aal1" });
  });
});

describe("a TOTP secret sealed for a foreign user", () => {
  /** Creates a user whose row was tampered with: the stored secret is a secret that `other` knows. */
  async function copied() {
    const [one, other] = [await enrolled(at), await enrolled(at)];
    await at.sql`
      update totp_factors set sealed_secret = (select sealed_secret from totp_factors where user_id = ${one.userId})
      where user_id = ${other.userId}`;
    return { ...other, secret: one.secret };
  }
  async function corrupted(bytes: Buffer) {
    const person = await enrolled(at);
    await at.sql`update totp_factors set sealed_secret = ${bytes} where user_id = ${person.userId}`;
    return person;
  }
  const logged = (userId: string) =>
    at.one
      .output()
      .split("\n")
      .filter((line) => line.includes(userId) && line.includes("cannot be opened") && line.includes('"level":"error"'));

  test.each([
    ["copied from another user", copied],
    ["of other bytes", () => corrupted(Buffer.alloc(60, 7))],
    ["of no bytes", () => corrupted(Buffer.alloc(0))],
  ])("%s: refuses like a wrong code, counts, and the log says so", async (_, spoil) => {
    const { client, email, userId, secret, recoveryCodes } = await spoil();
    const mfa_token = await passwordShown(at.one.url, email);
    const response = await new Client(at.one.url).post("/v1/auth/mfa/challenge", { mfa_token, code: codeOf(secret) });
    expect(outcome(response)).toEqual([401, "authentication_required"]);
    const stepUp = await client.post("/v1/auth/mfa/verify", { code: codeOf(secret) });
    expect(outcome(stepUp)).toEqual([401, "authentication_required"]);
    await until("both are logged", async () => logged(userId).length === 2);
    const [counted] = await at.sql`select hour_count from failed_attempts where user_id = ${userId}`;
    expect(counted?.hour_count).toBe(2);
    const recovered = { mfa_token, recovery_code: recoveryCodes[0] };
    expect((await new Client(at.one.url).post("/v1/auth/mfa/challenge", recovered)).status).toBe(200);
  });

  test("that was set up and not confirmed: refuses like a wrong code", async () => {
    const [one, other] = [await registered(at.one.url), await registered(at.one.url)];
    const { secret } = (await one.client.post("/v1/auth/mfa/setup")).body;
    await other.client.post("/v1/auth/mfa/setup");
    await at.sql`
      update totp_factors set sealed_secret = (select sealed_secret from totp_factors where user_id = ${one.userId})
      where user_id = ${other.userId}`;
    const response = await other.client.post("/v1/auth/mfa/enable", { code: codeOf(secret) });
    expect(outcome(response)).toEqual([400, "invalid_input"]);
    await until("it is logged", async () => logged(other.userId).length === 1);
  });
});
