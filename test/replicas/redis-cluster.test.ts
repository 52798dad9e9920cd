import { expect, test } from "bun:test";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { codeOf, enrolled, passwordShown } from "../support/mfa.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, startRedisCluster } from "../support/services.ts";

test("on a Redis cluster of three nodes everything that is counted and told works; no command reaches over two slots", async () => {
  const databaseUrl = await freshDatabase();
  const settings = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: await startRedisCluster(),
    SERVICE_RATE_LIMITS: "on",
    SERVICE_RATE_LIMIT_PASSWORD_PAIR: "3/60",
  };
  const [one, other] = await Promise.all([startReplica(settings), startReplica(settings)]);
  const sql = openSql(databaseUrl);
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
  expect((await client.at(other.url).get("/v1/auth/session")).status).toBe(200);
  await client.post("/v1/auth/logout");
  expect((await client.at(other.url).get("/v1/auth/session")).status).toBe(401);
  for (const replica of [one, other]) {
    expect((await new Client(replica.url).get("/readyz")).body).toMatchObject({ status: "ok" });
    expect(replica.output()).not.toMatch(/Redis is away|CROSSSLOT|stream cannot be followed/);
  }
  await Promise.all([one.kill(), other.kill()]);
});
