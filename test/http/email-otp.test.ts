import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment, eventually, race, whileShared } from "../support/deployment.ts";
import { decodeClaims } from "../support/forge.ts";
import { CODE, codeIn, otherCode } from "../support/mail.ts";
import { codeOf, enrolled } from "../support/mfa.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { disableUser, suspendOrganization } from "../support/states.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const REQUEST = "/v1/auth/email-otp/request";
const VERIFY = "/v1/auth/email-otp/verify";
const request = (email: unknown, url = at.one.url) => new Client(url).post(REQUEST, { email });
const verify = (email: string, code: unknown, url = at.one.url) => new Client(url).post(VERIFY, { email, code });
const replicaOf = (index: number) => (index % 2 ? at.one.url : at.other.url);

/** Requests a code and reads the code from the `nth` email to this address. */
async function codeFor(email: string, nth = 1): Promise<string> {
  await request(email);
  return codeIn((await at.mail.mailsTo(email, CODE, nth)).at(-1));
}

describe("POST /v1/auth/email-otp/request", () => {
  describe("204", () => {
    test("mails six digits on a line of their own, as text and HTML, and writes auth.email_otp.requested", async () => {
      const { email, userId } = await registered(at.one.url, { display_name: "<b>Ann & Co</b>" });
      const response = await request(`  ${email.toUpperCase()}`);
      expect([response.status, response.text]).toEqual([204, ""]);
      const [mail] = await at.mail.mailsTo(email, CODE);
      const code = codeIn(mail);
      expect(code).toMatch(/^\d{6}$/);
      expect(mail).toMatchObject({
        from: "no-reply@localhost",
        to: [email],
        subject: "Your sign-in code for localhost",
      });
      expect(mail?.text).toContain("Hello <b>Ann & Co</b>,");
      expect(mail?.html).toContain("Hello &lt;b&gt;Ann &amp; Co&lt;&#x2F;b&gt;,");
      expect(mail?.html).toContain(code);
      const rows = await at.sql`
        select metadata from audit_logs where actor_id = ${userId} and action = 'auth.email_otp.requested'`;
      expect(rows).toMatchObject([{ metadata: {} }]);
    });

    test("changes nothing and returns the same response without an active account or a valid address", async () => {
      const disabled = await registered(at.one.url);
      await disableUser(at.sql, disabled.userId);
      const suspended = await registered(at.one.url);
      await suspendOrganization(at.sql, suspended.organizationId);
      const before = at.mail.calls.length;
      const known = await request((await registered(at.one.url)).email);
      const stranger = newEmail();
      const inputs = [stranger, disabled.email, suspended.email, "x", "", null, 7, {}, undefined];
      for (const input of inputs) {
        const response = await request(input);
        expect([response.status, response.text]).toEqual([204, ""]);
        expect([...response.headers.keys()].sort()).toEqual([...known.headers.keys()].sort());
      }
      for (const raw of ["", "{", "[]", "null", '{"email":1,"email":2}']) {
        const headers = { "content-type": "application/json" };
        expect((await new Client(at.one.url).request("POST", REQUEST, { raw, headers })).status).toBe(204);
      }
      expect((await new Client(at.one.url).post(REQUEST)).status).toBe(204);
      const codes = at.mail.calls.slice(before).filter(({ mail }) => CODE.test(mail.text));
      expect(codes.length).toBeLessThanOrEqual(1);
      expect(at.mail.delivered.some(({ to }) => to.includes(stranger))).toBe(false);
    });

    test("sends no mail to a second recipient: an address as list, object or with line breaks (G18a)", async () => {
      const [one, other] = [await registered(at.one.url), await registered(at.one.url)];
      for (const email of [
        [one.email, other.email],
        { 0: one.email },
        `${one.email}\r\nBcc: ${other.email}`,
        `${one.email},${other.email}`,
        `${one.email} ${other.email}`,
      ]) {
        expect((await request(email)).status).toBe(204);
      }
      await codeFor(one.email);
      expect((await at.mail.mailsTo(one.email, CODE)).length).toBe(1);
      expect(at.mail.delivered.some(({ to, text }) => to.includes(other.email) && CODE.test(text))).toBe(false);
    });

    test("wipes the code of before", async () => {
      const { email } = await registered(at.one.url);
      const first = await codeFor(email);
      const second = await codeFor(email, 2);
      if (first !== second) expect((await verify(email, first)).status).toBe(401);
      expect((await verify(email, second)).status).toBe(200);
    });

    test("keeps the code hashed and the email sealed at rest (G22)", async () => {
      const databaseUrl = await freshDatabase();
      const silent = await startReplica({ DATABASE_URL: databaseUrl });
      const sql = openSql(databaseUrl);
      const { email } = await registered(silent.url);
      await request(email, silent.url);
      const [code] = await sql`select code_hash from email_codes`;
      expect(code?.code_hash).toHaveLength(32);
      const outgoing = await sql`select sealed_letter from outbox`;
      expect(outgoing.length).toBeGreaterThan(0);
      for (const { sealed_letter } of outgoing) {
        expect(sealed_letter.toString("latin1")).not.toContain(email);
        expect(sealed_letter.toString("latin1")).not.toContain("email_code");
      }
      await silent.kill();
    });

    test("writes in the user's language: German after registering in German, whatever the request says", async () => {
      const client = new Client(at.one.url);
      const email = newEmail();
      const fields = { organization_name: "Acme", email, password: PASSWORD };
      await client.post("/v1/auth/register", fields, { headers: { "accept-language": "fr;q=0.5, de-AT, en;q=0.8" } });
      await client.post(REQUEST, { email }, { headers: { "accept-language": "en" } });
      const [german] = await at.mail.mailsTo(email, CODE);
      expect(german?.subject).toBe("Ihr Anmeldecode für localhost");
      expect(german?.html).toContain('<html lang="de">');
    });

    test("sends at most 5 in 15 minutes to an address, over both replicas; then codes stay as they are", async () => {
      const databaseUrl = await freshDatabase();
      const settings = {
        DATABASE_URL: databaseUrl,
        REDIS_URL: await redisUrl(),
        SERVICE_RATE_LIMITS: "on",
        SERVICE_EMAIL_API_URL: at.mail.url,
        SERVICE_EMAIL_API_KEY: "re_test",
      };
      const [one, other] = await Promise.all([startReplica(settings), startReplica(settings)]);
      const sql = openSql(databaseUrl);
      await whileShared([one, other], async () => {
        const { email, userId } = await registered(one.url);
        const codeId = async () => (await sql`select id from email_codes where user_id = ${userId}`)[0]?.id;
        for (let index = 0; index < 5; index += 1) await request(email, index % 2 ? one.url : other.url);
        await at.mail.mailsTo(email, CODE, 5);
        const idBefore = await codeId();
        for (let index = 0; index < 4; index += 1) expect((await request(email, one.url)).status).toBe(204);
        expect(await codeId()).toBe(idBefore);
        await eventually("the outbox is empty", 10_000, async () => (await sql`select 1 from outbox`).length === 0);
        expect(await at.mail.mailsTo(email, CODE, 5)).toHaveLength(5);
      });
      await Promise.all([one.kill(), other.kill()]);
    });
  });
});

describe("POST /v1/auth/email-otp/verify", () => {
  describe("200", () => {
    test("signs in at aal1 with auth_method email_otp, cookies and all", async () => {
      const { email, userId } = await registered(at.one.url);
      const response = await verify(email, await codeFor(email), at.other.url);
      expect(response.body).toMatchObject({
        status: "success",
        user: { user_id: userId, email, auth_method: "email_otp" },
      });
      expect(response.setCookies.map((cookie) => cookie.split("=")[0])).toEqual([
        "service_at",
        "service_rt",
        "service_csrf",
      ]);
      expect(decodeClaims(response.body.access_token)).toMatchObject({ aal: "aal1", auth_method: "email_otp" });
      const rows = await at.sql`
        select metadata from audit_logs where actor_id = ${userId} and action = 'auth.login' and outcome = 'success'`;
      expect(rows).toMatchObject([{ metadata: { method: "email_otp" } }]);
    });

    test("uses a code once of 20 at once, over two replicas (G2)", async () => {
      const { email } = await registered(at.one.url);
      const code = await codeFor(email);
      const responses = await race((index) => verify(email, code, replicaOf(index)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)]);
    });

    test("sends a user with a second factor to the challenge, and the code is used", async () => {
      const { email, secret } = await enrolled(at);
      const code = await codeFor(email);
      const response = await verify(email, code);
      expect(response.body).toEqual({
        status: "mfa_required",
        mfa_token: expect.any(String),
        mfa_token_expires_in: 300,
      });
      const { mfa_token } = (await verify(email, await codeFor(email, 2))).body;
      const done = await new Client(at.one.url).post("/v1/auth/mfa/challenge", { mfa_token, code: codeOf(secret) });
      expect(done.body.user.auth_method).toBe("password_with_mfa");
      expect(decodeClaims(done.body.access_token)).toMatchObject({ aal: "aal2", auth_method: "email_otp" });
      expect((await verify(email, code)).status).toBe(401);
    });

    test("skips the challenge in a browser that the user trusts", async () => {
      const { client, email } = await enrolled(at);
      await client.post("/v1/auth/trusted-browsers");
      const response = await client.post(VERIFY, { email, code: await codeFor(email) });
      expect(response.body).toMatchObject({ status: "success", user: { auth_method: "email_otp" } });
    });
  });

  describe("400 invalid_input", () => {
    test.each<[string, unknown]>([
      ["no email", { code: "123456" }],
      ["no code", { email: "a@example.test" }],
      ["an address that is none", { email: "x", code: "123456" }],
      ["five digits", { email: "a@example.test", code: "12345" }],
      ["letters", { email: "a@example.test", code: "12345a" }],
      ["a number", { email: "a@example.test", code: 123456 }],
      ["spaces", { email: "a@example.test", code: " 123456" }],
    ])("refuses %s", async (_, body) => {
      expect((await new Client(at.one.url).post(VERIFY, body)).status).toBe(400);
    });
  });

  describe("401 authentication_required", () => {
    test("returns identical responses for unknown or disabled account, absent, wrong or expired code", async () => {
      const [none, wrong, expired, disabled] = await Promise.all([1, 2, 3, 4].map(() => registered(at.one.url)));
      const codes = await Promise.all([wrong, expired, disabled].map((person) => codeFor(person?.email ?? "")));
      await at.sql`
        update email_codes set expires_at = now() - interval '1 second' where user_id = ${expired?.userId ?? ""}`;
      await disableUser(at.sql, disabled?.userId ?? "");
      const responses = [
        await verify(newEmail(), "123456"),
        await verify(none?.email ?? "", "123456"),
        await verify(wrong?.email ?? "", otherCode(codes[0] ?? "")),
        await verify(expired?.email ?? "", codes[1]),
        await verify(disabled?.email ?? "", codes[2]),
      ];
      for (const response of responses) {
        expect([response.status, response.setCookies]).toEqual([401, []]);
        expect(response.body).toEqual(responses[0]?.body);
        expect([...response.headers.keys()].sort()).toEqual([...(responses[0]?.headers.keys() ?? [])].sort());
      }
    });

    test("compares at most 5 of 40 parallel guesses, over two replicas; then the right code is dead (G3)", async () => {
      const { email, userId } = await registered(at.one.url);
      const code = await codeFor(email);
      const guess = (index: number) => (index === 20 ? code : otherCode(code));
      const responses = await race((index) => verify(email, guess(index), replicaOf(index)), 40);
      const signedIn = responses.filter(({ status }) => status === 200).length;
      expect(responses.filter(({ status }) => status === 401)).toHaveLength(40 - signedIn);
      expect(signedIn).toBeLessThanOrEqual(1);
      const wrong = await at.sql`
        select 1 from audit_logs
        where actor_id = ${userId} and action = 'auth.login' and metadata->>'reason' = 'wrong_code'`;
      expect(wrong.length + signedIn).toBeWithin(1, 6);
      const [row] = await at.sql`select attempts from email_codes where user_id = ${userId}`;
      expect(row?.attempts).toBe(signedIn ? undefined : 5);
      expect((await verify(email, code)).status).toBe(401);
      expect((await verify(email, await codeFor(email, 2))).status).toBe(200);
    });

    test("takes no code of another user", async () => {
      const [one, other] = [await registered(at.one.url), await registered(at.one.url)];
      const [mine, theirs] = [await codeFor(one.email), await codeFor(other.email)];
      if (mine !== theirs) expect((await verify(one.email, theirs)).status).toBe(401);
      expect((await verify(one.email, mine)).status).toBe(200);
    });
  });
});
