import { beforeAll, describe, expect, test } from "bun:test";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race, whileShared } from "../support/deployment.ts";
import { decodeClaims } from "../support/forge.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown, wrongCode } from "../support/mfa.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const auditOf = async (userId: string, action: string) =>
  await at.sql`select outcome, metadata from audit_logs where actor_id = ${userId} and action = ${action} order by id`;

describe("GET /v1/auth/mfa/status", () => {
  describe("200", () => {
    test("tells whether a factor is confirmed, since when, and how many recovery codes are left", async () => {
      const { client } = await registered(at.one.url);
      const none = { enabled: false, enabled_at: null, recovery_codes_remaining: 0 };
      expect((await client.get("/v1/auth/mfa/status")).body).toEqual(none);
      await client.post("/v1/auth/mfa/setup");
      expect((await client.get("/v1/auth/mfa/status")).body).toEqual(none);
      const other = await enrolled(at);
      const response = await other.client.get("/v1/auth/mfa/status");
      expect(response.body).toEqual({ enabled: true, enabled_at: expect.any(String), recovery_codes_remaining: 10 });
      expect(response.body.enabled_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });
  });

  describe("401 authentication_required", () => {
    test("needs a caller", async () => {
      expect((await new Client(at.one.url).get("/v1/auth/mfa/status")).status).toBe(401);
    });
  });
});

describe("POST /v1/auth/mfa/setup", () => {
  describe("200", () => {
    test("returns a Base32 secret, an otpauth URI of issuer and address, and a QR code as SVG data URL", async () => {
      const { client, email } = await registered(at.one.url);
      const { body } = await client.post("/v1/auth/mfa/setup");
      expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
      const uri = new URL(body.otpauth_uri);
      expect(`${uri.protocol}//${uri.host}`).toBe("otpauth://totp");
      expect(decodeURIComponent(uri.pathname)).toBe(`/localhost:${email}`);
      expect(uri.searchParams.get("secret")).toBe(body.secret);
      expect(uri.searchParams.get("issuer")).toBe("localhost");
      const [type, data = ""] = body.qr_code.split(",");
      expect(type).toBe("data:image/svg+xml;base64");
      expect(Buffer.from(data, "base64").toString()).toStartWith("<svg");
    });

    test("replaces a secret that was never confirmed", async () => {
      const { client } = await registered(at.one.url);
      const first = await client.post("/v1/auth/mfa/setup");
      const second = await client.post("/v1/auth/mfa/setup");
      expect(second.body.secret).not.toBe(first.body.secret);
      expect((await client.post("/v1/auth/mfa/enable", { code: codeOf(first.body.secret) })).status).toBe(400);
      expect((await client.post("/v1/auth/mfa/enable", { code: codeOf(second.body.secret) })).status).toBe(200);
    });

    test("keeps the secret sealed (G22)", async () => {
      const { userId, secret } = await enrolled(at);
      const [row] = await at.sql`select sealed_secret from totp_factors where user_id = ${userId}`;
      expect(row?.sealed_secret.length).toBeGreaterThan(20);
      expect(row?.sealed_secret.includes(secret)).toBe(false);
    });
  });

  describe("409 conflict", () => {
    test("refuses while a confirmed factor stands", async () => {
      const { client } = await enrolled(at);
      const response = await client.post("/v1/auth/mfa/setup");
      expect([response.status, response.body.error.code]).toEqual([409, "conflict"]);
    });
  });

  describe("403 csrf_failed", () => {
    test("needs the CSRF header of a cookie caller", async () => {
      const { client } = await registered(at.one.url);
      expect((await client.post("/v1/auth/mfa/setup", undefined, { csrf: false })).status).toBe(403);
    });
  });
});

describe("POST /v1/auth/mfa/enable", () => {
  describe("200", () => {
    test("returns ten recovery codes, steps this session up on every replica, and writes mfa.enabled", async () => {
      const { client, userId, recoveryCodes, sessionId } = await enrolled(at);
      expect(new Set(recoveryCodes).size).toBe(10);
      for (const code of recoveryCodes) expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
      const session = await client.at(at.other.url).get("/v1/auth/session");
      expect(session.body.session).toMatchObject({ id: sessionId, aal: "aal2", mfa_verified_at: expect.any(String) });
      expect(session.body.user.auth_method).toBe("password_with_mfa");
      expect(await auditOf(userId, "mfa.enabled")).toHaveLength(1);
    });

    test("enables once of 20 at once, over two replicas, with ten codes in all", async () => {
      const { client, userId } = await registered(at.one.url);
      const { secret } = (await client.post("/v1/auth/mfa/setup")).body;
      const responses = await race((index) =>
        client.at(index % 2 ? at.one.url : at.other.url).post("/v1/auth/mfa/enable", { code: codeOf(secret) }),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
      const [count] = await at.sql`select count(*)::int as codes from recovery_codes where user_id = ${userId}`;
      expect(count?.codes).toBe(10);
    });

    test("consumes the code: a challenge refuses the same code (G6a)", async () => {
      const { client, email } = await registered(at.one.url);
      const { secret } = (await client.post("/v1/auth/mfa/setup")).body;
      const code = codeOf(secret);
      expect((await client.post("/v1/auth/mfa/enable", { code })).status).toBe(200);
      const token = await passwordShown(at.other.url, email);
      const response = await new Client(at.other.url).post("/v1/auth/mfa/challenge", { mfa_token: token, code });
      expect(response.status).toBe(401);
    });

    test("hashes recovery codes at rest (G22)", async () => {
      const { userId, recoveryCodes } = await enrolled(at);
      const rows = await at.sql`select code_hash from recovery_codes where user_id = ${userId}`;
      expect(rows.every(({ code_hash }) => code_hash.length === 32)).toBe(true);
      const stored = rows.map(({ code_hash }) => code_hash.toString("latin1")).join("");
      for (const code of recoveryCodes) expect(stored).not.toContain(code);
    });
  });

  describe("400 invalid_input", () => {
    test("refuses a wrong code, and a code without a set-up, and enables no factor", async () => {
      const { client } = await registered(at.one.url);
      expect((await client.post("/v1/auth/mfa/enable", { code: "123456" })).status).toBe(400);
      const { secret } = (await client.post("/v1/auth/mfa/setup")).body;
      const response = await client.post("/v1/auth/mfa/enable", { code: wrongCode(secret) });
      expect([response.status, response.body.error.code]).toEqual([400, "invalid_input"]);
      expect((await client.get("/v1/auth/mfa/status")).body.enabled).toBe(false);
    });

    test.each([
      [123456],
      ["12345"],
      ["1234567"],
      [" 123456"],
      ["123456 "],
      ["123 456"],
      ["１２３４５６"],
      [null],
      [["123456"]],
    ])("refuses %p: six ASCII digits and nothing else", async (code) => {
      const { client } = await registered(at.one.url);
      expect((await client.post("/v1/auth/mfa/enable", { code })).status).toBe(400);
    });
  });

  describe("409 conflict", () => {
    test("refuses when enabled", async () => {
      const { client, secret } = await enrolled(at);
      expect((await client.post("/v1/auth/mfa/enable", { code: codeOf(secret) })).status).toBe(409);
    });
  });
});

describe("POST /v1/auth/mfa/disable", () => {
  describe("204", () => {
    test("takes factor, recovery codes and live mfa_tokens away; again it does nothing", async () => {
      const { client, email, userId, secret, recoveryCodes } = await enrolled(at);
      const token = await passwordShown(at.one.url, email);
      expect((await client.post("/v1/auth/mfa/disable", { password: PASSWORD })).status).toBe(204);
      expect((await client.get("/v1/auth/mfa/status")).body).toMatchObject({
        enabled: false,
        recovery_codes_remaining: 0,
      });
      const [code, recovery_code] = [codeOf(secret), recoveryCodes[0]];
      for (const factor of [{ code }, { recovery_code }]) {
        const response = await new Client(at.other.url).post("/v1/auth/mfa/challenge", { mfa_token: token, ...factor });
        expect(response.status).toBe(401);
      }
      expect((await signedIn(at.one.url, email)).answer.body.status).toBe("success");
      expect((await client.post("/v1/auth/mfa/disable", { password: PASSWORD })).status).toBe(204);
      expect(await auditOf(userId, "mfa.disabled")).toHaveLength(1);
    });

    test("kills an mfa_token for good, also when a factor is enabled again", async () => {
      const { client, email, userId } = await enrolled(at);
      const token = await passwordShown(at.one.url, email);
      await client.post("/v1/auth/mfa/disable", { password: PASSWORD });
      const { secret } = (await client.post("/v1/auth/mfa/setup")).body;
      await client.post("/v1/auth/mfa/enable", { code: codeOf(secret) });
      await forgetUsedStep(at.sql, userId);
      const body = { mfa_token: token, code: codeOf(secret) };
      expect((await new Client(at.one.url).post("/v1/auth/mfa/challenge", body)).status).toBe(401);
    });
  });

  describe("401 authentication_required", () => {
    test("refuses a wrong password and leaves the factor", async () => {
      const { client } = await enrolled(at);
      const response = await client.post("/v1/auth/mfa/disable", { password: "not the password" });
      expect([response.status, response.body.error.code]).toEqual([401, "authentication_required"]);
      expect((await client.get("/v1/auth/mfa/status")).body.enabled).toBe(true);
    });
  });
});

describe("POST /v1/auth/mfa/recovery-codes", () => {
  describe("200", () => {
    test("returns ten new codes; the old codes end, used or not", async () => {
      const { client, email, recoveryCodes, userId } = await enrolled(at);
      const response = await client.post("/v1/auth/mfa/recovery-codes", { password: PASSWORD });
      expect(response.status).toBe(200);
      expect(response.body.recovery_codes).toHaveLength(10);
      const token = await passwordShown(at.one.url, email);
      const attempt = (recovery_code: string | undefined) =>
        new Client(at.other.url).post("/v1/auth/mfa/challenge", { mfa_token: token, recovery_code });
      expect((await attempt(recoveryCodes[0])).status).toBe(401);
      expect((await attempt(response.body.recovery_codes[9])).status).toBe(200);
      expect(await auditOf(userId, "mfa.recovery_codes.regenerated")).toHaveLength(1);
    });

    test("leaves the ten codes of one response after 20 concurrent requests", async () => {
      const { client, userId } = await enrolled(at);
      await race((index) =>
        client.at(index % 2 ? at.one.url : at.other.url).post("/v1/auth/mfa/recovery-codes", { password: PASSWORD }),
      );
      const [count] = await at.sql`select count(*)::int as codes from recovery_codes where user_id = ${userId}`;
      expect(count?.codes).toBe(10);
    });
  });

  describe("401 authentication_required", () => {
    test("refuses a wrong password and leaves the codes", async () => {
      const { client } = await enrolled(at);
      expect((await client.post("/v1/auth/mfa/recovery-codes", { password: "not the password" })).status).toBe(401);
      expect((await client.get("/v1/auth/mfa/status")).body.recovery_codes_remaining).toBe(10);
    });
  });

  describe("409 conflict", () => {
    test("refuses without a second factor: the codes would open nothing", async () => {
      const { client } = await registered(at.one.url);
      expect((await client.post("/v1/auth/mfa/recovery-codes", { password: PASSWORD })).status).toBe(409);
    });
  });
});

describe("POST /v1/auth/mfa/verify", () => {
  describe("200", () => {
    test("steps this session up on every replica, and no other of the user (G8a)", async () => {
      const { email, secret, userId, recoveryCodes } = await enrolled(at);
      const mfa = { mfa_token: await passwordShown(at.one.url, email), recovery_code: recoveryCodes[0] };
      const client = new Client(at.one.url);
      await client.post("/v1/auth/mfa/challenge", mfa);
      const second = { mfa_token: await passwordShown(at.one.url, email), recovery_code: recoveryCodes[1] };
      const bystander = new Client(at.one.url);
      await bystander.post("/v1/auth/mfa/challenge", second);
      await at.sql`update sessions set mfa_verified_at = null, aal = 'aal1' where user_id = ${userId}`;
      const response = await client.post("/v1/auth/mfa/verify", { code: codeOf(secret) });
      expect(response.status).toBe(200);
      expect(Date.parse(response.body.step_up_expires_at) - Date.parse(response.body.mfa_verified_at)).toBe(300_000);
      expect(decodeClaims(response.body.access_token)).toMatchObject({ aal: "aal2", auth_method: "password" });
      expect(response.body.expires_in).toBe(900);
      const seen = await client.at(at.other.url).get("/v1/auth/session");
      expect(seen.body.session).toMatchObject({ aal: "aal2", mfa_verified_at: response.body.mfa_verified_at });
      const [other] = await at.sql`select aal from sessions where id <> ${seen.body.session.id} and user_id = ${userId}
        and id = ${(await bystander.get("/v1/auth/session")).body.session.id}`;
      expect(other?.aal).toBe("aal1");
    });

    test("gives a cookie caller the new access cookie, and leaves its CSRF value as it is", async () => {
      const { client, secret } = await enrolled(at);
      const csrf = client.cookie("service_csrf");
      const response = await client.post("/v1/auth/mfa/verify", { code: codeOf(secret) });
      expect(response.setCookies.map((cookie) => cookie.split("=")[0])).toEqual(["service_at", "service_csrf"]);
      expect(client.cookie("service_at")).toBe(response.body.access_token);
      expect(client.cookie("service_csrf")).toBe(csrf);
      expect((await client.post("/v1/auth/mfa/setup")).status).toBe(409);
    });

    test("reads no CSRF cookie beside a Bearer token", async () => {
      const { client, secret } = await enrolled(at);
      const bearer = client.cookie("service_at") ?? "";
      const csrf = client.cookie("service_csrf") ?? "";
      expect((await client.post("/v1/auth/mfa/verify", { code: codeOf(secret) }, { bearer })).status).toBe(200);
      expect(client.cookie("service_csrf")).not.toBe(csrf);
    });

    test("sets the cookies for a Bearer caller too, and takes a recovery code, once", async () => {
      const { accessToken, recoveryCodes } = await enrolled(at);
      const attempt = () =>
        new Client(at.one.url).post(
          "/v1/auth/mfa/verify",
          { recovery_code: recoveryCodes[3] },
          { bearer: accessToken },
        );
      const response = await attempt();
      expect([response.status, response.setCookies.length]).toEqual([200, 2]);
      expect((await attempt()).status).toBe(401);
    });

    test("uses a code once of 20 at once, over two replicas (G2)", async () => {
      const { accessToken, secret, userId } = await enrolled(at);
      const code = codeOf(secret);
      const responses = await race((index) =>
        new Client(index % 2 ? at.one.url : at.other.url).post(
          "/v1/auth/mfa/verify",
          { code },
          { bearer: accessToken },
        ),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await auditOf(userId, "auth.mfa.step_up")).toHaveLength(20);
    });
  });

  describe("400 invalid_input", () => {
    test("takes exactly one of code and recovery_code", async () => {
      const { client, recoveryCodes, secret } = await enrolled(at);
      const both = { code: codeOf(secret), recovery_code: recoveryCodes[0] };
      for (const body of [{}, both, { code: null }, { recovery_code: "" }]) {
        expect((await client.post("/v1/auth/mfa/verify", body)).status).toBe(400);
      }
    });
  });

  describe("401 authentication_required", () => {
    test("refuses a wrong code, one more time than is wise, and whoever has no second factor", async () => {
      const { client, secret } = await enrolled(at);
      expect((await client.post("/v1/auth/mfa/verify", { code: wrongCode(secret) })).status).toBe(401);
      const { client: plain } = await registered(at.one.url);
      expect((await plain.post("/v1/auth/mfa/verify", { code: "123456" })).status).toBe(401);
    });
  });

  describe("429 rate_limited", () => {
    test("locks only the session after five failed attempts over both replicas, for the right code too", () =>
      whileShared([at.one, at.other], async () => {
        const { client, secret, email, recoveryCodes } = await enrolled(at);
        const responses = await race(
          (index) =>
            client.at(index % 2 ? at.one.url : at.other.url).post("/v1/auth/mfa/verify", { code: wrongCode(secret) }),
          12,
        );
        expect(responses.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
        const late = await client.post("/v1/auth/mfa/verify", { code: codeOf(secret) });
        expect(late.status).toBe(429);
        expect(Number(late.headers.get("retry-after"))).toBeWithin(1, 301);
        const mfa_token = await passwordShown(at.one.url, email);
        const elsewhere = new Client(at.one.url);
        expect(
          (await elsewhere.post("/v1/auth/mfa/challenge", { mfa_token, recovery_code: recoveryCodes[0] })).status,
        ).toBe(200);
        expect((await elsewhere.post("/v1/auth/mfa/verify", { code: codeOf(secret) })).status).toBe(200);
      }));
  });
});
