/** A PostgreSQL slower than the uniform delay: the response time must not reveal the number of statements. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type postgres from "postgres";
import { TcpProxy } from "../faults/tcp-proxy.ts";
import { Client, newEmail, registered } from "../support/client.ts";
import { eventually } from "../support/deployment.ts";
import { MailProvider } from "../support/mail.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { spreadBeyondNoise } from "../support/timing.ts";
import { attempts } from "../support/waiting.ts";

const TRIES = 12;
/** The number of concurrent attempts, which only wait for the database. */
const SIDE_BY_SIDE = 3;
/** The delay in each direction: a statement takes twice this time, more than the uniform delay of 40 ms. */
const DELAY_MS = 30;
const CONNECTIONS = 4;
const LINK = /reset-password\?token=/;
const addresses: Record<string, string> = {};
let replica: Replica;
let proxy: TcpProxy;
let sql: postgres.Sql;
const mail = new MailProvider();

beforeAll(async () => {
  const url = new URL(await freshDatabase());
  sql = openSql(url.href);
  proxy = await TcpProxy.to(Number(url.port));
  url.port = String(proxy.port);
  replica = await startReplica({
    DATABASE_URL: url.href,
    SERVICE_DATABASE_POOL: String(CONNECTIONS),
    SERVICE_EMAIL_API_URL: mail.url,
    SERVICE_EMAIL_API_KEY: "re_test",
  });
  for (const kind of ["known", "disabled"]) addresses[kind] = (await registered(replica.url)).email;
  await sql`update users set disabled_at = now() where email = ${addresses.disabled ?? ""}`;
  addresses.unknown = newEmail();
});
afterAll(() => proxy.stop());

/**
 * Prepares the statements on each connection: the first execution takes an additional round trip, which chance could
 * assign to a single kind.
 */
async function prepareStatements(path: string, fields: object): Promise<void> {
  const { email } = await registered(replica.url);
  const ask = () => new Client(replica.url).post(path, { email, ...fields });
  for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 2 * CONNECTIONS }, ask));
}

/** The kinds of address alternate. */
async function spread(path: string, fields: object): Promise<number> {
  const times: Record<string, number[]> = {};
  const takeTurns = async () => {
    for (let turn = 0; turn < TRIES / SIDE_BY_SIDE; turn += 1) {
      for (const [kind, email] of Object.entries(addresses)) {
        const startedAt = performance.now();
        await new Client(replica.url).post(path, { email, ...fields });
        times[kind] = [...(times[kind] ?? []), performance.now() - startedAt];
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, takeTurns));
  return spreadBeyondNoise(times);
}

describe("with a database slower than the uniform delay, responses for all kinds of accounts take equally long", () => {
  afterEach(() => {
    proxy.delayMs = 0;
  });

  test.each<[string, object]>([
    ["/v1/auth/password/forgot", {}],
    ["/v1/auth/email-otp/request", {}],
    ["/v1/auth/email-otp/verify", { code: "000000" }],
  ])("POST %s: medians within 15 %%", async (path, fields) => {
    await prepareStatements(path, fields);
    proxy.delayMs = DELAY_MS;
    await attempts(async () => expect(await spread(path, fields)).toBeLessThan(1.15));
  });
});

describe("while an email cannot be written", () => {
  test("the request gets the usual response, and the email is sent once sending is possible", async () => {
    const { email } = await registered(replica.url);
    await sql.begin(async (transaction) => {
      await transaction`lock table outbox in exclusive mode`;
      expect((await new Client(replica.url).post("/v1/auth/password/forgot", { email })).status).toBe(204);
      expect(mail.delivered.filter(({ to, text }) => to.includes(email) && LINK.test(text))).toHaveLength(0);
    });
    expect(await mail.mailsTo(email, LINK)).toHaveLength(1);
  });

  test("a stopping replica writes the email first", async () => {
    const url = await freshDatabase();
    const other = await startReplica({ DATABASE_URL: url });
    const { email } = await registered(other.url);
    const own = openSql(url);
    let stopped: Promise<number> | undefined;
    await own.begin(async (transaction) => {
      await transaction`lock table mailed_tokens in exclusive mode`;
      await new Client(other.url).post("/v1/auth/password/forgot", { email });
      stopped = other.stop();
      await eventually("draining", 5_000, async () => (await new Client(other.url).get("/readyz")).status === 503);
    });
    expect(await stopped).toBe(0);
    const rows = await own`select 1 from mailed_tokens where purpose = 'password_reset'`;
    expect(rows).toHaveLength(1);
  });
});
