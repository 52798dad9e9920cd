import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually, race } from "../support/deployment.ts";
import { CODE, codeIn, RESET_LINK, tokenTo, VERIFY_LINK } from "../support/mail.ts";
import { codeOf, enrolled, passwordShown } from "../support/mfa.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { deletePassword, disableUser } from "../support/states.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const NEW_PASSWORD = "another horse, another battery";
const UNKNOWN_TOKEN = "A".repeat(43);
const verify = (token: unknown, url = at.one.url) => new Client(url).post("/v1/auth/email/verify", { token });
const forgot = (email: unknown) => new Client(at.one.url).post("/v1/auth/password/forgot", { email });
const reset = (token: unknown, new_password: unknown = NEW_PASSWORD, url = at.one.url) =>
  new Client(url).post("/v1/auth/password/reset", { token, new_password });
const replicaOf = (index: number) => (index % 2 ? at.one.url : at.other.url);
const auditsOf = async (userId: string, action: string) =>
  await at.sql`select outcome from audit_logs where actor_id = ${userId} and action = ${action}`;

async function resetToken(email: string, nth = 1): Promise<string> {
  await forgot(email);
  return await tokenTo(at.mail, email, RESET_LINK, nth);
}

describe("POST /v1/auth/email/send-verification and POST /v1/auth/email/verify", () => {
  describe("204", () => {
    test("the link that registration mails verifies the address, once", async () => {
      const { client, email, userId } = await registered(at.one.url);
      expect((await client.get("/v1/users/me")).body.email_verified).toBe(false);
      const token = await tokenTo(at.mail, email, VERIFY_LINK);
      expect((await verify(token)).status).toBe(204);
      expect((await client.get("/v1/users/me")).body.email_verified).toBe(true);
      expect((await verify(token)).status).toBe(401);
      expect(await auditsOf(userId, "auth.email.verified")).toHaveLength(1);
    });

    test("works once of 20 at once, over two replicas (G2)", async () => {
      const { email } = await registered(at.one.url);
      const token = await tokenTo(at.mail, email, VERIFY_LINK);
      const responses = await race((index) => verify(token, replicaOf(index)));
      expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(401)]);
    });

    test("a new link ends the one before; a verified address gets none", async () => {
      const { client, email } = await registered(at.one.url);
      const first = await tokenTo(at.mail, email, VERIFY_LINK);
      expect((await client.post("/v1/auth/email/send-verification")).status).toBe(204);
      const second = await tokenTo(at.mail, email, VERIFY_LINK, 2);
      expect((await verify(first)).status).toBe(401);
      expect((await verify(second)).status).toBe(204);
      expect((await client.post("/v1/auth/email/send-verification")).status).toBe(204);
      expect(
        await at.sql`select 1 from mailed_tokens t join users u on u.id = t.user_id
        where u.email = ${email} and t.consumed_at is null`,
      ).toHaveLength(0);
    });

    test("makes the user of SERVICE_INITIAL_OWNER_EMAIL platform owner, in a session of that user", async () => {
      const email = newEmail();
      const databaseUrl = await freshDatabase();
      const replica = await startReplica({
        DATABASE_URL: databaseUrl,
        SERVICE_INITIAL_OWNER_EMAIL: ` ${email.toUpperCase()}`,
        SERVICE_EMAIL_API_URL: at.mail.url,
        SERVICE_EMAIL_API_KEY: "re_test",
      });
      const client = new Client(replica.url);
      await client.post("/v1/auth/register", { organization_name: "Acme", email, password: PASSWORD });
      expect((await client.get("/v1/users/me")).body.platform_role).toBeNull();
      await client.post("/v1/auth/email/verify", { token: await tokenTo(at.mail, email, VERIFY_LINK) });
      expect((await client.get("/v1/users/me")).body.platform_role).toBe("owner");
      const sql = openSql(databaseUrl);
      expect(await sql`select 1 from audit_logs where action = 'platform_role.granted'`).toHaveLength(1);
      await replica.kill();
    });
  });

  describe("400 invalid_input", () => {
    test.each([[""], ["x"], ["A".repeat(42)], [`${"A".repeat(43)}=`], [7], [null], [{}]])(
      "refuses %p",
      async (token) => {
        expect((await verify(token)).status).toBe(400);
      },
    );
  });

  describe("401 authentication_required", () => {
    test("refuses an unknown token, an expired token, and a token of a different purpose (G6b)", async () => {
      const { email, userId } = await registered(at.one.url);
      const token = await tokenTo(at.mail, email, VERIFY_LINK);
      expect((await verify(await resetToken(email))).status).toBe(401);
      expect((await verify(UNKNOWN_TOKEN)).status).toBe(401);
      await at.sql`update mailed_tokens set expires_at = now() - interval '1 second' where user_id = ${userId}`;
      expect((await verify(token)).status).toBe(401);
    });

    test("needs a caller to send one", async () => {
      expect((await new Client(at.one.url).post("/v1/auth/email/send-verification")).status).toBe(401);
    });
  });
});

describe("POST /v1/auth/password/forgot", () => {
  describe("204", () => {
    test("mails a link to the public base URL, whatever Host says (G18a), and stores the hash alone", async () => {
      const { email, userId } = await registered(at.one.url);
      const headers = { "x-forwarded-host": "evil.test", host: "evil.test" };
      const response = await new Client(at.one.url).post("/v1/auth/password/forgot", { email }, { headers });
      expect([response.status, response.text]).toEqual([204, ""]);
      const token = await tokenTo(at.mail, email, RESET_LINK);
      expect(token).toHaveLength(43);
      const [row] = await at.sql`
        select token_hash, expires_at - created_at as life from mailed_tokens
        where user_id = ${userId} and purpose = 'password_reset'`;
      expect([row?.token_hash.length, row?.life]).toEqual([32, "01:00:00"]);
      expect(await auditsOf(userId, "auth.password_reset.requested")).toHaveLength(1);
    });

    test("returns the same response and changes nothing without an active account or a valid address", async () => {
      const disabled = await registered(at.one.url);
      await disableUser(at.sql, disabled.userId);
      const known = await forgot((await registered(at.one.url)).email);
      const stranger = newEmail();
      for (const email of [stranger, disabled.email, "x", null, 7, [disabled.email], undefined]) {
        const response = await forgot(email);
        expect([response.status, response.text]).toEqual([204, ""]);
        expect([...response.headers.keys()].sort()).toEqual([...known.headers.keys()].sort());
      }
      const headers = { "content-type": "application/json" };
      const raw = await new Client(at.one.url).request("POST", "/v1/auth/password/forgot", { raw: "{", headers });
      expect(raw.status).toBe(204);
      expect(await auditsOf(disabled.userId, "auth.password_reset.requested")).toHaveLength(0);
      expect(
        await at.sql`select 1 from mailed_tokens where user_id = ${disabled.userId} and purpose = 'password_reset'`,
      ).toHaveLength(0);
      // Emails leave in order, so an email to any of the earlier addresses would have left before this email.
      await resetToken((await registered(at.one.url)).email);
      const links = at.mail.calls.filter(({ mail }) => RESET_LINK.test(mail.text)).flatMap(({ mail }) => mail.to);
      expect(links).not.toContain(disabled.email);
      expect(links).not.toContain(stranger);
    });
  });
});

describe("POST /v1/auth/password/reset", () => {
  describe("204", () => {
    test("sets the password; ends sessions, trusted browsers, codes and mfa_tokens on every replica (G8)", async () => {
      const { client, email, userId, secret } = await enrolled(at);
      await client.post("/v1/auth/email/verify", { token: await tokenTo(at.mail, email, VERIFY_LINK) });
      await client.post("/v1/auth/trusted-browsers");
      const mfa_token = await passwordShown(at.one.url, email);
      await client.post("/v1/auth/email-otp/request", { email });
      const code = codeIn((await at.mail.mailsTo(email, CODE))[0]);
      const other = client.at(at.other.url);
      expect((await other.get("/v1/auth/session")).status).toBe(200);
      expect((await reset(await resetToken(email))).status).toBe(204);
      expect((await client.get("/v1/auth/session")).status).toBe(401);
      await eventually("the other replica", 1000, async () => (await other.get("/v1/auth/session")).status === 401);
      expect((await client.post("/v1/auth/refresh")).status).toBe(401);
      const challenge = { mfa_token, code: codeOf(secret) };
      expect((await new Client(at.other.url).post("/v1/auth/mfa/challenge", challenge)).status).toBe(401);
      expect((await new Client(at.one.url).post("/v1/auth/email-otp/verify", { email, code })).status).toBe(401);
      expect((await client.post("/v1/auth/login", { email, password: PASSWORD })).status).toBe(401);
      const again = await client.post("/v1/auth/login", { email, password: NEW_PASSWORD });
      expect(again.body.status).toBe("mfa_required");
      expect(await auditsOf(userId, "auth.password_reset.consumed")).toHaveLength(1);
      expect(await at.mail.mailsTo(email, /password of your account was changed/)).toHaveLength(1);
    });

    test("works once of 20 at once, over two replicas (G2)", async () => {
      const { email } = await registered(at.one.url);
      const token = await resetToken(email);
      const responses = await race((index) => reset(token, `${NEW_PASSWORD} ${index}`, replicaOf(index)));
      expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(401)]);
      const winner = responses.findIndex(({ status }) => status === 204);
      expect((await signedIn(at.one.url, email, `${NEW_PASSWORD} ${winner}`)).answer.status).toBe(200);
    });

    test("sets a first password for a user who had none", async () => {
      const { email, userId, client } = await registered(at.one.url);
      await deletePassword(at.sql, userId);
      const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
      expect((await client.post("/v1/users/me/password", change)).status).toBe(409);
      expect((await reset(await resetToken(email))).status).toBe(204);
      expect((await signedIn(at.one.url, email, NEW_PASSWORD)).answer.status).toBe(200);
    });
  });

  describe("400 invalid_input", () => {
    test("refuses a password of the wrong length, and the token stays good", async () => {
      const { email } = await registered(at.one.url);
      const token = await resetToken(email);
      for (const bad of ["x".repeat(11), "x".repeat(257), "", null, 7])
        expect((await reset(token, bad)).status).toBe(400);
      for (const missing of ["", null, undefined, 7]) expect((await reset(missing)).status).toBe(400);
      expect((await reset(token)).status).toBe(204);
    });
  });

  describe("401 authentication_required", () => {
    test("refuses a token: unknown, malformed, expired, replaced, of another purpose or a disabled user", async () => {
      const { email, userId } = await registered(at.one.url);
      const verification = await tokenTo(at.mail, email, VERIFY_LINK);
      const first = await resetToken(email);
      const second = await resetToken(email, 2);
      for (const token of [UNKNOWN_TOKEN, "x", first, verification]) expect((await reset(token)).status).toBe(401);
      await disableUser(at.sql, userId);
      expect((await reset(second)).status).toBe(401);
      await at.sql`update users set disabled_at = null where id = ${userId}`;
      await at.sql`update mailed_tokens set expires_at = now() - interval '1 second' where user_id = ${userId}`;
      expect((await reset(second)).status).toBe(401);
      expect((await signedIn(at.one.url, email)).answer.status).toBe(200);
    });
  });

  describe("404 not_found", () => {
    test("says that the account is gone", async () => {
      const { email, userId } = await registered(at.one.url);
      const token = await resetToken(email);
      await at.sql`delete from users where id = ${userId}`;
      const response = await reset(token);
      expect([response.status, response.body.error.code]).toEqual([404, "not_found"]);
    });
  });
});

describe("POST /v1/users/me/password", () => {
  const change = (client: Client, current_password: unknown, new_password: unknown = NEW_PASSWORD) =>
    client.post("/v1/users/me/password", { current_password, new_password });

  describe("204", () => {
    test("keeps this session and ends all others, trusted browsers and mailed links too", async () => {
      const { client, email, userId } = await registered(at.one.url);
      const other = await signedIn(at.other.url, email);
      await client.post("/v1/auth/trusted-browsers");
      const token = await resetToken(email);
      expect((await change(client, PASSWORD)).status).toBe(204);
      expect((await client.get("/v1/auth/session")).status).toBe(200);
      await eventually(
        "the other session",
        1000,
        async () => (await other.client.get("/v1/auth/session")).status === 401,
      );
      expect((await client.get("/v1/auth/trusted-browsers")).body.total).toBe(0);
      expect((await reset(token)).status).toBe(401);
      expect((await signedIn(at.one.url, email, NEW_PASSWORD)).answer.status).toBe(200);
      expect((await signedIn(at.one.url, email)).answer.status).toBe(401);
      expect(await auditsOf(userId, "auth.password.changed")).toHaveLength(1);
      await at.mail.mailsTo(email, /password of your account was changed/);
    });

    test("tells nothing of sessions expired long before", async () => {
      const { client, email } = await registered(at.one.url);
      const [expired, live] = [await signedIn(at.other.url, email), await signedIn(at.other.url, email)];
      const ids = [expired, live].map(({ answer }) => answer.body.user.session_family_id);
      await at.sql`update sessions set expires_at = now() - interval '1 day' where id = ${ids[0]}`;
      expect((await change(client, PASSWORD)).status).toBe(204);
      const recorded = await at.sql`
        select resource_id from audit_logs where action = 'auth.session.revoked' and resource_id = any(${ids})`;
      expect(recorded.map(({ resource_id }) => resource_id)).toEqual([ids[1]]);
      const told = await at.sql`select session_id from session_events where session_id = any(${ids})`;
      expect(told.map(({ session_id }) => session_id)).toEqual([ids[1]]);
    });

    test("takes 256 characters of four bytes (G21)", async () => {
      const { client, email } = await registered(at.one.url);
      const long = "🔐".repeat(256);
      expect((await change(client, PASSWORD, long)).status).toBe(204);
      expect((await signedIn(at.one.url, email, long)).answer.status).toBe(200);
    });

    test("changes once when 20 change at once", async () => {
      const { client, email } = await registered(at.one.url);
      const responses = await race((index) =>
        change(client.at(replicaOf(index)), PASSWORD, `${NEW_PASSWORD} ${index}`),
      );
      const winners = responses.flatMap(({ status }, index) => (status === 204 ? [index] : []));
      expect(winners).toHaveLength(1);
      expect((await signedIn(at.one.url, email, `${NEW_PASSWORD} ${winners[0]}`)).answer.status).toBe(200);
    });
  });

  describe("400 invalid_input", () => {
    test("refuses a new password of the wrong length", async () => {
      const { client } = await registered(at.one.url);
      for (const bad of ["x".repeat(11), "x".repeat(257), null])
        expect((await change(client, PASSWORD, bad)).status).toBe(400);
    });
  });

  describe("401 authentication_required", () => {
    test("refuses a wrong current password without a change, with a record", async () => {
      const { client, email, userId } = await registered(at.one.url);
      expect((await change(client, "not the password")).status).toBe(401);
      expect(await auditsOf(userId, "auth.password.confirmation_failed")).toMatchObject([{ outcome: "failure" }]);
      expect((await signedIn(at.one.url, email)).answer.status).toBe(200);
    });
  });

  describe("403 csrf_failed", () => {
    test("needs the CSRF header", async () => {
      const { client } = await registered(at.one.url);
      const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
      expect((await client.post("/v1/users/me/password", body, { csrf: false })).status).toBe(403);
    });
  });
});

describe("notices to the owner of an account", () => {
  test("tell of a second factor that comes and goes, with time, address and browser", async () => {
    const { client, email } = await registered(at.one.url, { display_name: "Ann" });
    const headers = { "user-agent": "Mozilla/5.0 (Windows NT 10.0) Firefox/145.0 https://evil.example" };
    const { secret } = (await client.post("/v1/auth/mfa/setup")).body;
    await client.post("/v1/auth/mfa/enable", { code: codeOf(secret) }, { headers });
    const [enabled] = await at.mail.mailsTo(email, /authenticator app was added/);
    expect(enabled?.text).toMatch(/^Hello Ann,$/m);
    expect(enabled?.text).toMatch(/^Time: [A-Z][a-z]+ \d{1,2}, \d{4} at \d{1,2}:\d\d\s[AP]M UTC$/m);
    expect(enabled?.text).toMatch(/^IP address: 127\.0\.0\.1$/m);
    expect(enabled?.text).toMatch(/^Device: Firefox on Windows$/m);
    expect(`${enabled?.text} ${enabled?.html}`).not.toContain("evil.example");
    await client.post("/v1/auth/mfa/disable", { password: PASSWORD });
    await at.mail.mailsTo(email, /authenticator app was removed/);
  });

  test("tell of a sign-in by emailed code from a browser not seen before, and of no other", async () => {
    const headers = { "user-agent": "Known/1" };
    const client = new Client(at.one.url);
    const email = newEmail();
    const fields = { organization_name: "Acme", email, password: PASSWORD };
    await client.post("/v1/auth/register", fields, { headers });
    const enter = async (userAgent: string, nth: number) => {
      await client.post("/v1/auth/email-otp/request", { email });
      const code = codeIn((await at.mail.mailsTo(email, CODE, nth)).at(-1));
      const from = { headers: { "user-agent": userAgent } };
      return (await new Client(at.one.url).post("/v1/auth/email-otp/verify", { email, code }, from)).status;
    };
    const NEW = /browser that we haven't seen before/;
    expect(await enter("Known/1", 1)).toBe(200);
    expect(await enter("Other/2", 2)).toBe(200);
    const [mail] = await at.mail.mailsTo(email, NEW);
    expect(mail?.text).toMatch(/^Device: Unknown browser$/m);
    expect(await enter("Other/2", 3)).toBe(200);
    await eventually("the outbox is empty", 10_000, async () => (await at.sql`select 1 from outbox`).length === 0);
    expect(at.mail.delivered.filter(({ to, text }) => to.includes(email) && NEW.test(text))).toHaveLength(1);
  });
});
