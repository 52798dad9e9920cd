import { beforeAll, describe, expect, test } from "bun:test";
import { Redis } from "ioredis";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, ownDeployment, race, whileShared } from "../support/deployment.ts";
import { decodeClaims, realKey, signEd25519Token, signToken } from "../support/forge.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown, wrongCode } from "../support/mfa.ts";
import { ISSUER } from "../support/replica.ts";
import { disableUser, suspendOrganization } from "../support/states.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const challenge = (body: unknown, url = at.one.url) => new Client(url).post("/v1/auth/mfa/challenge", body);
const replicaOf = (index: number) => (index % 2 ? at.one.url : at.other.url);
const statuses = (responses: readonly { status: number }[]) => responses.map(({ status }) => status).sort();
const auditsOf = async (userId: string) =>
  (
    await at.sql`
      select action from audit_logs
      where actor_id = ${userId} and action like 'auth.mfa.challenge.%' order by id`
  ).map(({ action }) => action.split(".").at(-1));

describe("POST /v1/auth/login of a user with a second factor", () => {
  describe("200 mfa_required", () => {
    test("returns a token of five minutes, no cookie and no session", async () => {
      const { email, userId, organizationId } = await enrolled(at);
      const [before] = await at.sql`select count(*)::int as sessions from sessions where user_id = ${userId}`;
      const { answer } = await signedIn(at.one.url, email);
      expect([answer.status, answer.setCookies]).toEqual([200, []]);
      expect(answer.body).toEqual({ status: "mfa_required", mfa_token: expect.any(String), mfa_token_expires_in: 300 });
      const claims = decodeClaims(answer.body.mfa_token);
      expect(claims).toMatchObject({
        iss: ISSUER,
        sub: userId,
        org: organizationId,
        typ: "mfa",
        auth_method: "password",
      });
      expect(Number(claims.exp) - Number(claims.iat)).toBe(300);
      expect(claims).not.toHaveProperty("sid");
      const [after] = await at.sql`select count(*)::int as sessions from sessions where user_id = ${userId}`;
      expect(after).toEqual(before as never);
    });

    test("opens nothing else: neither Bearer nor cookie nor refresh (G7)", async () => {
      const { email } = await enrolled(at);
      const token = await passwordShown(at.one.url, email);
      const client = new Client(at.one.url);
      expect((await client.get("/v1/auth/session", { bearer: token })).status).toBe(401);
      client.setCookie("service_at", token);
      client.setCookie("service_rt", token, "/v1");
      expect((await client.get("/v1/auth/session")).status).toBe(401);
      expect((await client.post("/v1/auth/refresh")).status).toBe(401);
    });
  });
});

describe("POST /v1/auth/mfa/challenge", () => {
  describe("200", () => {
    test("signs in at aal2 with a code of the app, cookies and all, and counts as stepped up", async () => {
      const { email, secret, userId } = await enrolled(at);
      const client = new Client(at.other.url);
      const mfa_token = await passwordShown(at.one.url, email);
      const response = await client.post("/v1/auth/mfa/challenge", { mfa_token, code: codeOf(secret) });
      expect(response.status).toBe(200);
      const { mfa_verified_at } = response.body.user;
      expect(response.body).toMatchObject({
        status: "success",
        user: { user_id: userId, email, auth_method: "password_with_mfa", mfa_verified_at: expect.any(String) },
        capabilities: { role: "owner" },
        expires_in: 900,
      });
      expect(response.setCookies.map((cookie) => cookie.split("=")[0])).toEqual([
        "service_at",
        "service_rt",
        "service_csrf",
      ]);
      expect(decodeClaims(response.body.access_token)).toMatchObject({
        aal: "aal2",
        auth_method: "password",
        typ: "access",
      });
      const session = await client.get("/v1/auth/session");
      expect(session.body.session.mfa_verified_at).toBe(mfa_verified_at);
      expect(await auditsOf(userId)).toEqual(["succeeded"]);
    });

    test("takes a recovery code in any case, with spaces or without its hyphen, and marks it used", async () => {
      const { client, email, recoveryCodes } = await enrolled(at);
      const mfa_token = await passwordShown(at.one.url, email);
      const recovery_code = ` ${recoveryCodes[0]?.toUpperCase().replace("-", " ")} `;
      expect((await challenge({ mfa_token, recovery_code })).status).toBe(200);
      expect((await client.get("/v1/auth/mfa/status")).body.recovery_codes_remaining).toBe(9);
    });

    test("creates exactly one session from 20 concurrent right codes, over two replicas (G1)", async () => {
      const { email, secret, userId, recoveryCodes } = await enrolled(at);
      const mfa_token = await passwordShown(at.one.url, email);
      const code = codeOf(secret);
      const responses = await race((index) =>
        challenge(
          index < 10 ? { mfa_token, code } : { mfa_token, recovery_code: recoveryCodes[index - 10] },
          replicaOf(index),
        ),
      );
      expect(statuses(responses)).toEqual([200, ...Array(19).fill(401)]);
      const sessions = await at.sql`select 1 from sessions where user_id = ${userId} and mfa_token_jti is not null`;
      expect(sessions).toHaveLength(1);
    });
  });

  describe("400 invalid_input", () => {
    test.each<[string, Record<string, unknown>]>([
      ["neither code nor recovery_code", { mfa_token: "x" }],
      ["both", { mfa_token: "x", code: "123456", recovery_code: "aaaaa-aaaaa" }],
      ["an empty mfa_token", { mfa_token: "", code: "123456" }],
      ["no mfa_token", { code: "123456" }],
      ["a code with a space", { mfa_token: "x", code: "123 456" }],
      ["full-width digits", { mfa_token: "x", code: "１２３４５６" }],
      ["a number", { mfa_token: "x", code: 123456 }],
      ["nulls", { mfa_token: "x", code: null, recovery_code: null }],
    ])("refuses %s", async (_, body) => {
      const response = await challenge(body);
      expect([response.status, response.body.error.code]).toEqual([400, "invalid_input"]);
    });

    test("accepts an mfa_token that version 0.1.0 signed with RS256", async () => {
      const { email, secret } = await enrolled(at);
      const claims = decodeClaims(await passwordShown(at.one.url, email));
      const mfa_token = signToken(await realKey(at.sql), claims);
      expect((await challenge({ mfa_token, code: codeOf(secret) })).status).toBe(200);
    });

    test("takes null as absent beside the second member", async () => {
      const { email, secret } = await enrolled(at);
      const mfa_token = await passwordShown(at.one.url, email);
      expect((await challenge({ mfa_token, code: codeOf(secret), recovery_code: null })).status).toBe(200);
    });
  });

  describe("401 authentication_required", () => {
    test("returns equal responses for a wrong code and a consumed, forged, expired or foreign token", async () => {
      const { email, secret, accessToken, recoveryCodes, userId } = await enrolled(at);
      const mfa_token = await passwordShown(at.one.url, email);
      const key = await realKey(at.sql);
      const claims = decodeClaims(mfa_token);
      const code = codeOf(secret);
      const wrong = await challenge({ mfa_token, code: wrongCode(secret) });
      expect((await challenge({ mfa_token, code })).status).toBe(200);
      const refused = [
        wrong,
        await challenge({ mfa_token, recovery_code: recoveryCodes[0] }),
        await challenge({ mfa_token: `${mfa_token}x`, code }),
        await challenge({ mfa_token: "a.b.c", code }),
        await challenge({ mfa_token: accessToken, code }),
        await challenge({
          mfa_token: signEd25519Token(key, { ...claims, exp: Math.floor(Date.now() / 1000) - 1 }),
          code,
        }),
        await challenge({ mfa_token: signEd25519Token(key, { ...claims, jti: undefined }), code }),
        await challenge({ mfa_token: signEd25519Token(key, { ...claims, credentials_epoch: undefined }), code }),
      ];
      for (const response of refused) {
        expect([response.status, response.setCookies]).toEqual([401, []]);
        expect(response.body).toEqual(wrong.body);
      }
      expect(await auditsOf(userId)).toEqual(["failed", "succeeded", "failed", "failed"]);
    });

    test("accepts a time step once, also for another token and in another session (G2)", async () => {
      const { client, email, secret } = await enrolled(at);
      const tokens = await Promise.all([1, 2, 3].map(() => passwordShown(at.one.url, email)));
      const code = codeOf(secret);
      const responses = await Promise.all([
        ...tokens.map((mfa_token, index) => challenge({ mfa_token, code }, replicaOf(index))),
        client.post("/v1/auth/mfa/verify", { code }),
      ]);
      expect(statuses(responses)).toEqual([200, 401, 401, 401]);
    });

    test("uses a recovery code once of 20 tokens at once (G2)", async () => {
      const { email, recoveryCodes } = await enrolled(at);
      const tokens = await race(() => passwordShown(at.one.url, email));
      const recovery_code = recoveryCodes[0];
      const responses = await race((index) => challenge({ mfa_token: tokens[index], recovery_code }, replicaOf(index)));
      expect(statuses(responses)).toEqual([200, ...Array(19).fill(401)]);
    });

    test("ends with a changed password and with the account (docs/contract.md, section 3.5)", async () => {
      const one = await enrolled(at);
      const token = await passwordShown(at.one.url, one.email);
      await at.sql`update users set credentials_epoch = credentials_epoch + 1 where id = ${one.userId}`;
      expect((await challenge({ mfa_token: token, code: codeOf(one.secret) })).status).toBe(401);
      const other = await enrolled(at);
      const live = await passwordShown(at.one.url, other.email);
      await disableUser(at.sql, other.userId);
      expect((await challenge({ mfa_token: live, code: codeOf(other.secret) })).status).toBe(401);
    });

    test("does not enter an organization that was suspended after the first factor", async () => {
      const person = await enrolled(at);
      const token = await passwordShown(at.one.url, person.email);
      await suspendOrganization(at.sql, person.organizationId);
      expect((await challenge({ mfa_token: token, code: codeOf(person.secret) })).status).toBe(401);
    });

    test("takes no recovery code of another user", async () => {
      const [one, other] = [await enrolled(at), await enrolled(at)];
      const mfa_token = await passwordShown(at.one.url, one.email);
      expect((await challenge({ mfa_token, recovery_code: other.recoveryCodes[0] })).status).toBe(401);
    });
  });

  describe("429 rate_limited", () => {
    test("compares at most 5 of 40 parallel guesses; then nothing helps, the right code included (G3)", () =>
      whileShared([at.one, at.other], async () => {
        const { email, secret, userId } = await enrolled(at);
        const mfa_token = await passwordShown(at.one.url, email);
        const responses = await race(
          (index) => challenge({ mfa_token, code: wrongCode(secret) }, replicaOf(index)),
          40,
        );
        expect(statuses(responses)).toEqual([...Array(5).fill(401), ...Array(35).fill(429)]);
        const late = await challenge({ mfa_token, code: codeOf(secret) });
        expect([late.status, late.body.error.code]).toEqual([429, "rate_limited"]);
        expect(Number(late.headers.get("retry-after"))).toBeWithin(1, 301);
        const audits = await auditsOf(userId);
        expect(audits.filter((each) => each === "failed")).toHaveLength(5);
        expect(audits.filter((each) => each === "locked")).toHaveLength(36);
        // The lock applies to the token: a new sign-in continues.
        const fresh = await passwordShown(at.one.url, email);
        expect((await challenge({ mfa_token: fresh, code: codeOf(secret) })).status).toBe(200);
      }));

    test("stops guesses by repeated sign-ins: 30 failed attempts of the user in an hour (G6a)", () =>
      whileShared([at.one, at.other], async () => {
        const { email, secret, recoveryCodes } = await enrolled(at);
        for (let round = 0; round < 6; round += 1) {
          const mfa_token = await passwordShown(at.one.url, email);
          await race((index) => challenge({ mfa_token, code: wrongCode(secret) }, replicaOf(index)), 5);
        }
        const mfa_token = await passwordShown(at.one.url, email);
        expect((await challenge({ mfa_token, code: codeOf(secret) })).status).toBe(429);
        const response = await challenge({ mfa_token, recovery_code: recoveryCodes[0] });
        expect(response.status).toBe(429);
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(3000);
      }));
  });
});

describe("with Redis emptied between two tries (G1)", () => {
  test("one mfa_token makes one session: the unique column refuses a second session", async () => {
    const own = await ownDeployment();
    const { email, secret, recoveryCodes, userId } = await enrolled(own);
    const mfa_token = await passwordShown(own.one.url, email);
    const attempt = (factor: object, url: string) => challenge({ mfa_token, ...factor }, url);
    expect((await attempt({ code: codeOf(secret) }, own.one.url)).status).toBe(200);
    const redis = new Redis(own.redis.url);
    await redis.flushall();
    redis.disconnect();
    await forgetUsedStep(own.sql, userId);
    const responses = [
      await attempt({ code: codeOf(secret) }, own.other.url),
      ...(await race(
        (index) => attempt({ recovery_code: recoveryCodes[index] }, index % 2 ? own.one.url : own.other.url),
        10,
      )),
    ];
    expect(responses.filter(({ status }) => status === 200)).toEqual([]);
    expect(statuses(responses).every((status) => status === 401 || status === 429)).toBe(true);
    const sessions = await own.sql`select 1 from sessions where user_id = ${userId} and mfa_token_jti is not null`;
    expect(sessions).toHaveLength(1);
    const failures = await own.sql`
      select 1 from audit_logs
      where actor_id = ${userId} and action in ('auth.mfa.challenge.failed', 'auth.mfa.challenge.locked')`;
    expect(failures).toHaveLength(responses.length);
    const { answer } = await signedIn(own.one.url, email, PASSWORD);
    expect(answer.body.status).toBe("mfa_required");
  });
});

describe("a user without a second factor", () => {
  test("is signed in by the password alone, at aal1", async () => {
    const { email } = await registered(at.one.url);
    const { answer, accessToken } = await signedIn(at.one.url, email);
    expect(answer.body.user).toMatchObject({ auth_method: "password", mfa_verified_at: null });
    expect(decodeClaims(accessToken)).toMatchObject({ aal: "aal1" });
  });
});
