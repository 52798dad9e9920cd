import { beforeAll, describe, expect, test } from "bun:test";
import { Redis } from "ioredis";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { race, whileShared } from "../support/deployment.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, startRedis, type TestRedis } from "../support/services.ts";

let one: Replica;
let other: Replica;
let redis: TestRedis;

beforeAll(async () => {
  redis = await startRedis();
  const settings = {
    DATABASE_URL: await freshDatabase(),
    REDIS_URL: redis.url,
    SERVICE_RATE_LIMITS: "on",
    SERVICE_TRUSTED_PROXIES: "127.0.0.1",
    SERVICE_RATE_LIMIT_REGISTER: "1000/60",
  };
  [one, other] = await Promise.all([startReplica(settings), startReplica(settings)]);
});

let addresses = 0;
/** A client address that no other test uses. */
const newAddress = () => {
  addresses += 1;
  return `203.0.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
};

function login(url: string, email: string, password: string, address: string) {
  const headers = { "x-forwarded-for": address };
  return new Client(url).post("/v1/auth/login", { email, password }, { headers });
}

/** What counts over both replicas needs the Redis that they share. */
const shared = (work: () => Promise<void>) => whileShared([one, other], work);

describe("sign-in, per client address", () => {
  test("allows 60 a minute over both replicas, then 429 with Retry-After, for that address alone (G14, G15)", () =>
    shared(async () => {
      const address = newAddress();
      const answers = await race((index) => login(index % 2 ? one.url : other.url, newEmail(), PASSWORD, address), 70);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(60);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(10);
      expect(refused[0]?.body.error).toMatchObject({ code: "rate_limited", type: "rate_limited" });
      expect(Number(refused[0]?.headers.get("retry-after"))).toBeWithin(1, 61);
      expect((await login(one.url, newEmail(), PASSWORD, newAddress())).status).toBe(401);
    }));

  test("refuses what is beyond it without asking Redis or PostgreSQL again", () =>
    shared(async () => {
      const address = newAddress();
      const answers = await race(() => login(one.url, newEmail(), PASSWORD, address), 61);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
      const store = new Redis(redis.url);
      const key = `service:limit:sign_in:${address}`;
      expect(await store.get(key)).toBe("61");
      const again = await race(() => login(one.url, newEmail(), PASSWORD, address), 20);
      expect(again.map(({ status }) => status)).toEqual(Array(20).fill(429));
      expect(again[0]?.headers.get("ratelimit")).toMatch(/^"sign_in";r=0;t=\d+$/);
      expect(Number(again[0]?.headers.get("retry-after"))).toBeWithin(1, 61);
      expect(await store.get(key)).toBe("61");
      store.disconnect();
    }));

  test("counts requests that name no account: malformed bodies and addresses", () =>
    shared(async () => {
      const headers = { "x-forwarded-for": newAddress(), "content-type": "application/json" };
      const leftAfter = async (raw: string) => {
        const answer = await new Client(one.url).post("/v1/auth/login", undefined, { raw, headers });
        return [answer.status, /r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1]];
      };
      expect(await leftAfter("{")).toEqual([400, "59"]);
      expect(await leftAfter('{"email":"nobody","password":"x"}')).toEqual([400, "58"]);
    }));

  test("says how much is left in RateLimit and RateLimit-Policy", () =>
    shared(async () => {
      const { headers } = await login(one.url, newEmail(), PASSWORD, newAddress());
      expect(headers.get("ratelimit-policy")).toBe('"sign_in";q=60;w=60');
      expect(headers.get("ratelimit")).toMatch(/^"sign_in";r=59;t=(59|60)$/);
    }));

  test("counts the right-most address that no trusted proxy wrote (G14)", () =>
    shared(async () => {
      const address = newAddress();
      const leftOf = async (forwarded: string) => {
        const { headers } = await login(one.url, newEmail(), PASSWORD, forwarded);
        return /r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
      };
      expect(await leftOf(`8.8.8.8, ${address}`)).toBe("59");
      expect(await leftOf(`9.9.9.9, ${address}, 127.0.0.1`)).toBe("58");
      expect(await leftOf(`::ffff:${address}`)).toBe("57");
    }));

  test("counts IPv6 by /64 (G14)", () =>
    shared(async () => {
      addresses += 1;
      const prefix = `2001:db8:${addresses.toString(16)}`;
      const leftOf = async (address: string) =>
        /r=(\d+)/.exec((await login(one.url, newEmail(), PASSWORD, address)).headers.get("ratelimit") ?? "")?.[1];
      expect(await leftOf(`${prefix}:2::1`)).toBe("59");
      expect(await leftOf(`${prefix}:2:ffff::9`)).toBe("58");
      expect(await leftOf(`${prefix}:3::1`)).toBe("59");
    }));

  test("gives X-Forwarded-For of an untrusted peer no weight (G14)", async () => {
    const replica = await startReplica({
      DATABASE_URL: await freshDatabase(),
      SERVICE_RATE_LIMITS: "on",
      SERVICE_RATE_LIMIT_SIGN_IN: "3/60",
    });
    const answers = [];
    for (let index = 0; index < 4; index += 1)
      answers.push(await login(replica.url, newEmail(), PASSWORD, newAddress()));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    await replica.kill();
  });
});

describe("wrong passwords, per account", () => {
  test("compares at most 10 of 40 parallel guesses from one address, over both replicas, then 429 even if right", () =>
    shared(async () => {
      const { email } = await registered(one.url);
      const address = newAddress();
      const answers = await race(
        (index) => login(index % 2 ? one.url : other.url, email, `wrong ${index} password`, address),
        40,
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
      expect((await login(one.url, email, PASSWORD, address)).status).toBe(429);
    }));

  test("locks out no other address, and no other spelling gets round it", () =>
    shared(async () => {
      const { email } = await registered(one.url);
      const address = newAddress();
      for (let index = 0; index < 10; index += 1) await login(one.url, email, "wrong password", address);
      expect((await login(one.url, ` ${email.toUpperCase()}`, PASSWORD, address)).status).toBe(429);
      expect((await login(one.url, email, PASSWORD, newAddress())).status).toBe(200);
    }));

  test("allows 100 from all addresses together", () =>
    shared(async () => {
      const { email } = await registered(one.url);
      const statuses: number[] = [];
      for (let batch = 0; batch < 11; batch += 1) {
        const address = newAddress();
        for (let index = 0; index < 10; index += 1)
          statuses.push((await login(one.url, email, "wrong password", address)).status);
      }
      expect(statuses.filter((status) => status === 401)).toHaveLength(100);
      expect(statuses.slice(100).every((status) => status === 429)).toBe(true);
    }));

  test("counts unknown addresses alike (G13)", () =>
    shared(async () => {
      const [email, address] = [newEmail(), newAddress()];
      const statuses: number[] = [];
      for (let index = 0; index < 12; index += 1)
        statuses.push((await login(one.url, email, PASSWORD, address)).status);
      expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    }));

  test("does not hinder 30 right sign-ins at once, which count as no failures", () =>
    shared(async () => {
      const { email } = await registered(one.url);
      const address = newAddress();
      const answers = await race((index) => login(index % 2 ? one.url : other.url, email, PASSWORD, address), 30);
      expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    }));
});

describe("without Redis", () => {
  test("limits hold per replica, and sign-in goes on (G15)", async () => {
    await redis.kill();
    const { email } = await registered(one.url);
    const address = newAddress();
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1)
      statuses.push((await login(one.url, email, "wrong password", address)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await login(one.url, email, PASSWORD, newAddress())).status).toBe(200);
  });
});
