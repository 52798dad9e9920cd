/** Each bound that refuses requests has a counter. test/flows/bounds.test.ts covers bounds inside the process. */
import { beforeAll, describe, expect, test } from "bun:test";
import type postgres from "postgres";
import { CALLER_BODIES_MAX } from "../../src/limits/body-limits.ts";
import { BOUND_NAMES, type Bound } from "../../src/limits/bounds.ts";
import { MFA_TOKEN_MISSES_MAX } from "../../src/limits/factor-limits.ts";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { race, whileShared } from "../support/deployment.ts";
import { directoryOf, scimClient } from "../support/directories.ts";
import { enrolled, passwordShown, wrongCode } from "../support/mfa.ts";
import { sendRaw } from "../support/raw.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, startRedis, type TestRedis } from "../support/services.ts";
import { verifyAddress } from "../support/states.ts";

const PER_ADDRESS = 9;
let replica: Replica;
let redis: TestRedis;
let at: { readonly one: Replica; readonly sql: postgres.Sql };

beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  // A separate Redis, because limits of addresses are exact.
  redis = await startRedis();
  replica = await startReplica({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    SERVICE_RATE_LIMITS: "on",
    SERVICE_RATE_LIMIT_SIGN_IN: `${PER_ADDRESS}/600`,
    SERVICE_RATE_LIMIT_REGISTER: `${PER_ADDRESS}/600`,
    SERVICE_RATE_LIMIT_INTEGRATIONS: `${PER_ADDRESS}/600`,
    SERVICE_RATE_LIMIT_OAUTH: `${PER_ADDRESS}/600`,
    SERVICE_RATE_LIMIT_PAGES: `${PER_ADDRESS}/600`,
    SERVICE_RATE_LIMIT_PUBLIC_READS: `${PER_ADDRESS}/600`,
    SERVICE_RATE_LIMIT_CALLER: "20/600",
    SERVICE_RATE_LIMIT_SCIM: `${PER_ADDRESS}/600`,
    SERVICE_RATE_LIMIT_PASSWORD_PAIR: "2/600",
    SERVICE_RATE_LIMIT_MAIL: "1/600",
    SERVICE_RATE_LIMIT_INVITER: "6/600",
    SERVICE_HASH_QUEUE: "1",
    SERVICE_HASH_WORKERS: "1",
    SERVICE_TRUSTED_PROXIES: "127.0.0.1",
  });
  at = { one: replica, sql: openSql(databaseUrl) };
});

async function counts(): Promise<ReadonlyMap<string, number>> {
  const { text } = await new Client(replica.url).get("/metrics");
  const series = text.matchAll(/^service_bound_refusals_total\{service_bound="(\w+)"[^}]*\} (\d+)$/gm);
  return new Map([...series].map(([, name = "", count]) => [name, Number(count)]));
}

/** A replica that loses Redis counts from zero, and a shared bound then refuses no request. */
const shared = (work: () => Promise<void>) => whileShared([replica], work);

async function countedDuring(work: () => Promise<unknown>) {
  const before = await counts();
  await work();
  return { before, after: await counts() };
}

let addresses = 0;
function newAddress(): { headers: Record<string, string> } {
  addresses += 1;
  return { headers: { "x-forwarded-for": `198.51.100.${addresses}` } };
}

const post = (path: string, body: unknown, from = newAddress()) => new Client(replica.url).post(path, body, from);

/** Sends more requests of an address than a limit of addresses allows. Refused input counts as well. */
async function tooMany(method: string, path: string): Promise<void> {
  const from = newAddress();
  const body = method === "POST" ? {} : undefined;
  await race(() => new Client(replica.url).request(method, path, { body, ...from }), PER_ADDRESS + 1);
}

/** Sends browser requests for pages, which are not in the OpenAPI document. */
async function visits(method: string, path: string, count = PER_ADDRESS + 1): Promise<number[]> {
  const headers = { ...newAddress().headers, accept: "text/html", "sec-fetch-site": "same-origin" };
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const parts = method === "POST" ? { raw: "", headers: { ...headers, ...type } } : { headers };
  const responses = await race(
    () => new Client(replica.url).request(method, path, { documented: false, ...parts }),
    count,
  );
  return responses.map(({ status }) => status);
}

/** An action per bound that exceeds the bound once. */
const EXCEEDED: Partial<Record<Bound, () => Promise<unknown>>> = {
  body_size: () => post("/v1/auth/login", { email: "x".repeat(70_000), password: PASSWORD }),
  limit_sign_in: () => tooMany("POST", "/v1/auth/login"),
  limit_register: () => tooMany("POST", "/v1/auth/register"),
  limit_integrations: () => tooMany("GET", "/v1/admin/integrations"),
  limit_oauth: () => tooMany("POST", "/oauth2/token"),
  limit_pages: () => visits("POST", "/v1/auth/continue"),
  limit_public_reads: () => visits("GET", "/v1/audit-log/tile/0/000"),
  async limit_scim() {
    const { key } = await directoryOf(at);
    const scim = scimClient(replica.url, key);
    await race(() => scim("GET", "/Users"), PER_ADDRESS + 1);
  },
  async limit_caller() {
    const { client } = await registered(replica.url);
    await race(() => client.patch("/v1/users/me", { display_name: "Ada" }), 21);
  },
  async limit_mail() {
    const email = newEmail();
    for (const path of ["/v1/auth/password/forgot", "/v1/auth/password/forgot"]) await post(path, { email });
  },
  async unverified_invitations() {
    const { client, organizationId } = await registered(replica.url);
    await invite(client, organizationId, 6);
  },
  async limit_invitations() {
    const { client, organizationId, userId } = await registered(replica.url);
    await verifyAddress(at.sql, userId);
    await invite(client, organizationId, 7);
  },
  async password_guesses() {
    const { email } = await registered(replica.url);
    const from = newAddress();
    for (let count = 0; count < 3; count += 1) await post("/v1/auth/login", { email, password: "wrong" }, from);
  },
  second_factor_misses: () => guessSecondFactors(),
  async email_code_misses() {
    const { email } = await registered(replica.url);
    await post("/v1/auth/email-otp/request", { email });
    for (let count = 0; count < 6; count += 1) await post("/v1/auth/email-otp/verify", { email, code: "000000" });
  },
  async body_slots() {
    const { accessToken } = await registered(replica.url);
    const head = [
      "POST /v1/users/me/avatar HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${accessToken}`,
      "Content-Type: multipart/form-data; boundary=b",
      "Content-Length: 1000000",
    ].join("\r\n");
    // Incomplete bodies occupy the slots until the connections end.
    await race(() => sendRaw(replica.url, `${head}\r\n\r\n--b`, { waitMs: 1_000 }), CALLER_BODIES_MAX + 1);
  },
  hash_queue: () =>
    race(() => post("/v1/auth/login", { email: newEmail(), password: "a password that is hashed" }), 30),
};

/** Presents one wrong code more than an mfa_token allows. `beforeGuess` receives the number of guesses so far. */
async function guessSecondFactors(beforeGuess: (guesses: number) => Promise<unknown> = async () => undefined) {
  const { email, secret } = await enrolled(at);
  const mfa_token = await passwordShown(replica.url, email);
  for (let guesses = 0; guesses <= MFA_TOKEN_MISSES_MAX; guesses += 1) {
    await beforeGuess(guesses);
    await post("/v1/auth/mfa/challenge", { mfa_token, code: wrongCode(secret) });
  }
}

async function invite(client: Client, organizationId: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1)
    await client.post(`/v1/orgs/${organizationId}/invitations`, { email: newEmail(), role: "member" });
}

describe("service_bound_refusals_total", () => {
  test("has a series at zero for every bound from the start, so that the first refusal is an increase", async () => {
    expect([...(await counts()).keys()].sort()).toEqual([...BOUND_NAMES].sort());
  });

  test.each(Object.entries(EXCEEDED))("counts %s, and nothing else", (bound, exceed) =>
    shared(async () => {
      const { before, after } = await countedDuring(exceed);
      const grown = [...after].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name);
      expect(grown).toEqual([bound]);
      if (bound !== "hash_queue") expect((after.get(bound) ?? 0) - (before.get(bound) ?? 0)).toBe(1);
    }),
  );

  test("Guesses before and after the loss of Redis add up to no refusal, so that the test is repeated.", async () => {
    const refusals: number[] = [];
    await shared(async () => {
      const isFirst = refusals.length === 0;
      const { before, after } = await countedDuring(() =>
        guessSecondFactors(async (guesses) => isFirst && guesses === 3 && (await redis.kill())),
      );
      if (isFirst) await redis.restart();
      refusals.push((after.get("second_factor_misses") ?? 0) - (before.get("second_factor_misses") ?? 0));
      expect(refusals.at(-1)).toBe(1);
    });
    expect(refusals).toEqual([0, 1]);
  });

  test.each([
    "/v1/audit-log/checkpoint",
    "/v1/audit-log/tile/0/000",
    "/avatars/x.webp",
    "/oauth2/interaction?signed_out=1",
    "/accept-invitation?signed_out=1",
  ])("GET %s, which anybody may ask, is limited by address and not by caller", (path) =>
    shared(async () => {
      const statuses = await visits("GET", path);
      expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    }),
  );

  test("GET /oauth2/logout, which may end a session, is limited by address", () =>
    shared(async () => {
      const before = (await counts()).get("limit_oauth") ?? 0;
      const from = newAddress();
      const ask = () => new Client(replica.url).get("/oauth2/logout", { ...from, documented: false });
      const statuses = (await race(ask, PER_ADDRESS + 1)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 429)).toHaveLength(1);
      expect((await counts()).get("limit_oauth")).toBe(before + 1);
    }));

  test("counts a body that is announced as too large without reading it", async () => {
    const before = (await counts()).get("body_size") ?? 0;
    const head = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 900000000\r\n\r\n{";
    await sendRaw(replica.url, `POST /v1/auth/login HTTP/1.1\r\nX-Forwarded-For: 198.51.100.250\r\n${head}`);
    expect((await counts()).get("body_size")).toBe(before + 1);
  });
});
