/** Version 0.1.0, which does not verify Ed25519, beside this version (docs/decisions/0010). */
import { beforeAll, describe, expect, test } from "bun:test";
import { OLDER_REPLICA_GRACE_MS } from "../../src/base/compatibility-0-1.ts";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { headerOf } from "../support/forge.ts";
import { codeOf, enrolled, forgetUsedStep } from "../support/mfa.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { startReplicaOf010 } from "../support/version-0.1.0.ts";
import { eventually } from "../support/waiting.ts";

/** Responses of 0.1.0 are not validated: the OpenAPI document of 0.1.0 differs. */
const UNDOCUMENTED = { documented: false } as const;

let older: Replica;
let newer: Replica;
let email: string;
let person: Awaited<ReturnType<typeof enrolled>>;
let sql: ReturnType<typeof openSql>;
/** A session from the time when the two versions ran. */
let before: Client;

beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: await redisUrl() };
  sql = openSql(databaseUrl);
  older = await startReplicaOf010(env);
  newer = await startReplica(env);
  email = (await registered(newer.url)).email;
  person = await enrolled({ one: newer, sql });
});

const algorithmOf = (token: unknown) => headerOf(String(token)).alg;
const login = (url: string, address: string) => {
  const client = new Client(url);
  return { client, answer: client.post("/v1/auth/login", { email: address, password: PASSWORD }, UNDOCUMENTED) };
};

describe("while a replica of version 0.1.0 is connected", () => {
  test.each(["newer", "older"] as const)("a sign-in on the %s version is refreshed on both", async (version) => {
    const [here, there] = version === "newer" ? [newer.url, older.url] : [older.url, newer.url];
    const { client, answer } = login(here, email);
    expect((await answer).status).toBe(200);
    expect(algorithmOf(client.cookie("service_rt"))).toBe("RS256");
    for (const url of [there, here, there])
      expect((await client.at(url).post("/v1/auth/refresh", undefined, UNDOCUMENTED)).status).toBe(200);
    expect(algorithmOf(client.cookie("service_rt"))).toBe("RS256");
    before = client;
  });

  test.each(["newer", "older"] as const)("a challenge of the %s version is completed on the other", async (version) => {
    const [here, there] = version === "newer" ? [newer.url, older.url] : [older.url, newer.url];
    const mfa_token = (await login(here, person.email).answer).body.mfa_token;
    expect(algorithmOf(mfa_token)).toBe("RS256");
    await forgetUsedStep(sql, person.userId);
    const body = { mfa_token, code: codeOf(person.secret) };
    expect((await new Client(there).post("/v1/auth/mfa/challenge", body, UNDOCUMENTED)).status).toBe(200);
  });
});

describe("after the last replica of version 0.1.0 has ended", () => {
  test("refresh and MFA tokens are Ed25519, and those of RS256 stay valid", async () => {
    const half = (await login(newer.url, person.email).answer).body.mfa_token;
    expect(await older.stop()).toBe(0);
    await eventually("Ed25519", 2 * OLDER_REPLICA_GRACE_MS, async () => {
      return algorithmOf((await signedIn(newer.url, email)).client.cookie("service_rt")) === "Ed25519";
    });
    const client = before.at(newer.url);
    expect(algorithmOf(client.cookie("service_rt"))).toBe("RS256");
    for (let round = 0; round < 2; round += 1) {
      expect((await client.post("/v1/auth/refresh")).status).toBe(200);
      expect(algorithmOf(client.cookie("service_rt"))).toBe("Ed25519");
    }
    await forgetUsedStep(sql, person.userId);
    const body = { mfa_token: half, code: codeOf(person.secret) };
    expect((await new Client(newer.url).post("/v1/auth/mfa/challenge", body)).status).toBe(200);
    expect(algorithmOf((await signedIn(newer.url, person.email)).answer.body.mfa_token)).toBe("Ed25519");
  }, 60_000);
});
