import { afterAll, beforeAll, expect, test } from "bun:test";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { codeOf, enrolled, passwordShown } from "../support/mfa.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, startRedisCluster } from "../support/services.ts";
import { attempts, eventually, until } from "../support/waiting.ts";

let one: Replica;
let other: Replica;
let sql: ReturnType<typeof openSql>;

beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  const settings = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: await startRedisCluster(),
    SERVICE_RATE_LIMITS: "on",
    SERVICE_RATE_LIMIT_PASSWORD_PAIR: "3/60",
    SERVICE_RATE_LIMIT_REGISTER: "100/60",
  };
  [one, other] = await Promise.all([startReplica(settings), startReplica(settings)]);
  sql = openSql(databaseUrl);
});
afterAll(async () => {
  await Promise.all([one.kill(), other.kill()]);
});

/** Returns the log lines of the replicas about Redis with the failed command and the reason. */
const complaints = () =>
  [one, other].flatMap((replica) =>
    replica
      .output()
      .split("\n")
      .filter((line) => /Redis is away|stream cannot be followed/.test(line)),
  );

async function bothShare(): Promise<boolean> {
  const responses = await Promise.all([one, other].map(({ url }) => new Client(url).get("/readyz")));
  return responses.every(({ body }) => body.status === "ok");
}

async function countsAndTells(): Promise<void> {
  await until("both replicas share Redis", bothShare);
  const before = complaints().length;
  const person = await enrolled({ one, sql });
  const mfaToken = await passwordShown(one.url, person.email);
  const factorState = await new Client(one.url).post("/v1/auth/mfa/challenge", {
    mfa_token: mfaToken,
    code: codeOf(person.secret),
  });
  expect(factorState.status).toBe(200);
  expect(factorState.headers.get("ratelimit-policy")).toContain('"sign_in"');
  const again = await new Client(other.url).post("/v1/auth/mfa/challenge", {
    mfa_token: mfaToken,
    code: codeOf(person.secret, 1),
  });
  expect(again.status).toBe(401);
  const { email, client } = await registered(one.url);
  await new Client(one.url).post("/v1/auth/email-otp/request", { email });
  for (const replica of [one, other, one]) await signedIn(replica.url, email, "a wrong password");
  expect((await signedIn(other.url, email, PASSWORD)).answer.status).toBe(429);
  const elsewhere = client.at(other.url);
  expect((await elsewhere.get("/v1/auth/session")).status).toBe(200);
  await client.post("/v1/auth/logout");
  await eventually("the sign-out is known", 1000, async () => (await elsewhere.get("/v1/auth/session")).status === 401);
  expect(await bothShare()).toBe(true);
  expect(complaints()).toHaveLength(before);
}

test("a Redis cluster of three nodes serves all that is counted or told; no command spans two slots", async () => {
  // A replica that got no core for a quarter of a second stops using Redis, as designed, until Redis responds again.
  await attempts(countsAndTells);
  for (const replica of [one, other]) expect(replica.output()).not.toContain("CROSSSLOT");
});
