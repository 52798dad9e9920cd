/** What an operator sees of a request in a trace: the parts of each journey, and where its time went. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type postgres from "postgres";
import { Authenticator } from "../support/authenticator.ts";
import { Client, PASSWORD, registered } from "../support/client.ts";
import { Collector, type Trace } from "../support/collector.ts";
import { MailProvider } from "../support/mail.ts";
import { codeOf, enrolled, passwordShown } from "../support/mfa.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { attempts, until } from "../support/waiting.ts";

/** Sign-ins whose median is looked at. */
const SIGN_INS = 15;
let collector: Collector;
let replica: Replica;
let at: { readonly one: Replica; readonly sql: postgres.Sql };
const mail = new MailProvider();

beforeAll(async () => {
  collector = new Collector();
  const databaseUrl = await freshDatabase();
  replica = await startReplica({
    DATABASE_URL: databaseUrl,
    REDIS_URL: await redisUrl(),
    SERVICE_RATE_LIMITS: "on",
    SERVICE_RATE_LIMIT_SIGN_IN: "1000/60",
    SERVICE_EMAIL_API_URL: mail.url,
    SERVICE_EMAIL_API_KEY: "re_test",
    // As in production: what surrounds a cheap hash would be most of the time.
    SERVICE_ARGON2_MEMORY_KIB: "19456",
    SERVICE_ARGON2_TIME: "2",
    ...collector.settings,
  });
  at = { one: replica, sql: openSql(databaseUrl) };
});
afterAll(async () => {
  await replica.stop();
  await collector.stop();
});

const posted = (path: string, body: unknown, client = new Client(replica.url)): Promise<Trace> =>
  collector.traceOf((headers) => client.post(path, body, { headers }));

/** Work that a response does not wait for arrives later. A session that is not in memory is read: either may be. */
async function expectTree(trace: Trace, expected: readonly string[]): Promise<void> {
  const tree = () => trace.tree().filter((line) => !line.endsWith("postgresql session.find_live"));
  await until("all spans arrive", async () => tree().length >= expected.length);
  expect(tree()).toEqual([...expected]);
}

describe("the trace of a journey", () => {
  test("signs in with a password", async () => {
    const { email } = await registered(replica.url);
    await expectTree(await posted("/v1/auth/login", { email, password: PASSWORD }), [
      "POST /v1/auth/login",
      "  postgresql sign_in.finish",
      "  postgresql user.find_sign_in_candidate",
      "  read input",
      "  redis EVALSHA claim",
      "  redis EVALSHA endClaim",
      "  worker hash",
      "  worker sign",
    ]);
  });

  test("signs in with a second factor", async () => {
    const { email, secret } = await enrolled(at);
    const mfa_token = await passwordShown(replica.url, email);
    await expectTree(await posted("/v1/auth/mfa/challenge", { mfa_token, code: codeOf(secret) }), [
      "POST /v1/auth/mfa/challenge",
      "  postgresql mfa.find_challenged",
      "  postgresql sign_in.finish",
      "  read input",
      "  redis EVALSHA recordAttempt",
      "  worker sign",
    ]);
  });

  test("signs in with a passkey", async () => {
    const { client } = await registered(replica.url);
    const key = new Authenticator();
    const begun = await client.post("/v1/users/me/passkeys/register/begin");
    const credential = key.create(begun.body.publicKey);
    expect((await client.post("/v1/users/me/passkeys/register/complete", { credential })).status).toBe(201);
    const { body } = await new Client(replica.url).post("/v1/auth/passkey/login/begin");
    const shown = key.get(body.publicKey);
    await expectTree(await posted("/v1/auth/passkey/login/complete", { credential: shown }), [
      "POST /v1/auth/passkey/login/complete",
      "  postgresql passkey.find_credential",
      "  postgresql passkey.take_challenge",
      "  postgresql sign_in.finish",
      "  postgresql user.find_sign_in_candidate",
      "  read input",
      "  redis EVALSHA count",
      "  worker sign",
    ]);
  });

  test("refreshes", async () => {
    const { client } = await registered(replica.url);
    await expectTree(await posted("/v1/auth/refresh", undefined, client), [
      "POST /v1/auth/refresh",
      "  postgresql session.rotate",
      "  redis EVALSHA count",
      "  worker sign",
    ]);
  });

  test("exports the audit trail", async () => {
    const { client, userId, organizationId } = await enrolled(at);
    await at.sql`update users set platform_role = 'owner' where id = ${userId}`;
    await at.sql`update organizations set tier = 'enterprise' where id = ${organizationId}`;
    const trace = await collector.traceOf((headers) => client.get("/v1/admin/audit-export", { headers }));
    await expectTree(trace, [
      "GET /v1/admin/audit-export",
      "  postgresql audit.record",
      "  postgresql organization.find",
      "  postgresql user.find_platform_role",
      "  read input",
      "  redis EVALSHA count",
      "  worker export",
    ]);
  });
});

describe("the time of a sign-in", () => {
  test("is accounted for by its parts: at least 95 % in the median", async () => {
    const { email } = await registered(replica.url);
    await attempts(async () => {
      const shares: number[] = [];
      for (let count = 0; count < SIGN_INS; count += 1) {
        const trace = await posted("/v1/auth/login", { email, password: PASSWORD });
        shares.push(trace.accountedFor());
      }
      shares.sort((a, b) => a - b);
      expect(shares[(SIGN_INS - 1) / 2]).toBeGreaterThanOrEqual(0.95);
    });
  });
});

describe("an e-mail", () => {
  test("is delivered in a trace of its own, with a link to the request that caused it", async () => {
    const { email } = await registered(replica.url);
    const cause = await posted("/v1/auth/password/forgot", { email });
    await mail.mailsTo(email, /reset-password/);
    const linked = () =>
      collector.spans.find(({ links }) => links?.some(({ traceId }) => traceId === cause.root.traceId));
    await until("the span of the delivery arrives", async () => linked() !== undefined);
    expect(linked()).toMatchObject({ name: "mail password_reset", links: [{ spanId: cause.root.spanId }] });
    expect(linked()?.traceId).not.toBe(cause.root.traceId);
    expect(JSON.stringify(linked())).not.toContain(email);
  });
});
