import { beforeAll, describe, expect, test } from "bun:test";
import { Redis } from "ioredis";
import type postgres from "postgres";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { race, whileShared } from "../support/deployment.ts";
import { authorizePath, CALLBACK, makePkce, registerClient, type TestClient } from "../support/oauth.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, startRedis, type TestRedis } from "../support/services.ts";
import { until } from "../support/waiting.ts";

const WAITING_PER_ADDRESS = 5;
let one: Replica;
let other: Replica;
let redis: TestRedis;
let sql: postgres.Sql;

beforeAll(async () => {
  redis = await startRedis();
  const databaseUrl = await freshDatabase();
  sql = openSql(databaseUrl);
  const settings = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    SERVICE_RATE_LIMITS: "on",
    SERVICE_TRUSTED_PROXIES: "127.0.0.1",
    SERVICE_RATE_LIMIT_REGISTER: "1000/60",
    SERVICE_RATE_LIMIT_OAUTH_WAITING: `${WAITING_PER_ADDRESS}/600`,
  };
  [one, other] = await Promise.all([startReplica(settings), startReplica(settings)]);
});

let addresses = 0;
/** Returns a client address that no other test uses. */
const newAddress = () => {
  addresses += 1;
  return `203.0.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
};

function login(url: string, email: string, password: string, address: string) {
  const headers = { "x-forwarded-for": address };
  return new Client(url).post("/v1/auth/login", { email, password }, { headers });
}

/** Counts over the two replicas require the shared Redis. */
const shared = (work: () => Promise<void>) => whileShared([one, other], work);

describe("sign-in, per client address", () => {
  test("allows 60 a minute over both replicas, then 429 with Retry-After, for that address alone (G14, G15)", () =>
    shared(async () => {
      const address = newAddress();
      const responses = await race(
        (index) => login(index % 2 ? one.url : other.url, newEmail(), PASSWORD, address),
        70,
      );
      expect(responses.filter(({ status }) => status === 401)).toHaveLength(60);
      const refused = responses.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(10);
      expect(refused[0]?.body.error).toMatchObject({ code: "rate_limited", type: "rate_limited" });
      expect(Number(refused[0]?.headers.get("retry-after"))).toBeWithin(1, 61);
      expect((await login(one.url, newEmail(), PASSWORD, newAddress())).status).toBe(401);
    }));

  test("refuses requests beyond the limit without further queries of Redis or PostgreSQL", () =>
    shared(async () => {
      const address = newAddress();
      const responses = await race(() => login(one.url, newEmail(), PASSWORD, address), 61);
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(1);
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
        const response = await new Client(one.url).post("/v1/auth/login", undefined, { raw, headers });
        return [response.status, /r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]];
      };
      expect(await leftAfter("{")).toEqual([400, "59"]);
      expect(await leftAfter('{"email":"nobody","password":"x"}')).toEqual([400, "58"]);
    }));

  test("counts challenges with neither code or both", () =>
    shared(async () => {
      const headers = { "x-forwarded-for": newAddress() };
      const leftAfter = async (codes: object) => {
        const response = await new Client(one.url).post(
          "/v1/auth/mfa/challenge",
          { mfa_token: "x", ...codes },
          { headers },
        );
        return [response.status, /r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]];
      };
      expect(await leftAfter({})).toEqual([400, "59"]);
      expect(await leftAfter({ code: "123456", recovery_code: "x" })).toEqual([400, "58"]);
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
    const responses = [];
    for (let index = 0; index < 4; index += 1)
      responses.push(await login(replica.url, newEmail(), PASSWORD, newAddress()));
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    await replica.kill();
  });
});

describe("wrong passwords, per account", () => {
  test("compares at most 10 of 40 parallel guesses from one address, over both replicas, then 429 even if right", () =>
    shared(async () => {
      const { email } = await registered(one.url);
      const address = newAddress();
      const responses = await race(
        (index) => login(index % 2 ? one.url : other.url, email, `wrong ${index} password`, address),
        40,
      );
      expect(responses.filter(({ status }) => status === 401)).toHaveLength(10);
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(30);
      expect((await login(one.url, email, PASSWORD, address)).status).toBe(429);
    }));

  test("locks out no further address, and no spelling evades the lock", () =>
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
      const responses = await race((index) => login(index % 2 ? one.url : other.url, email, PASSWORD, address), 30);
      expect(responses.map(({ status }) => status)).toEqual(Array(30).fill(200));
    }));
});

describe("authorization requests that wait, per client address", () => {
  const { challenge } = makePkce();
  let application: TestClient;
  beforeAll(async () => {
    application = await registerClient({}, (await steppedUpAdmin({ one, sql }, "owner")).client);
    await until("the other replica knows the application", async () => {
      return (await begin(new Client(other.url), newAddress())).status === 303;
    });
  });

  const begin = (browser: Client, address: string, more: Record<string, string> = {}) => {
    const headers = { accept: "text/html", "x-forwarded-for": address };
    return browser.get(authorizePath(application, challenge, more), { headers, documented: false });
  };
  const refusals = async () => {
    const { text } = await new Client(one.url).get("/metrics");
    return Number(/service_bound="limit_oauth_waiting"[^}]*\} (\d+)/.exec(text)?.[1]);
  };

  test("beyond the limit no request is kept: 429 as a page, an error if silent, for this address alone (G77)", () =>
    shared(async () => {
      const [address, state] = [newAddress(), crypto.randomUUID()];
      const responses = await race(
        (index) => begin(new Client(index % 2 ? one.url : other.url), address, { state }),
        8,
      );
      const kept = responses.filter(({ status }) => status === 303);
      expect(kept).toHaveLength(WAITING_PER_ADDRESS);
      expect(kept[0]?.headers.get("location")).toStartWith("/oauth2/interaction?request=");
      const refused = responses.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(3);
      expect(refused[0]?.text).toContain("<h1>");
      expect(refused[0]?.headers.get("ratelimit")).toMatch(/^"oauth_waiting";r=0;t=\d+$/);
      expect(Number(refused[0]?.headers.get("retry-after"))).toBeWithin(1, 601);
      const before = await refusals();
      const silent = await begin(new Client(one.url), address, { state, prompt: "none" });
      const { origin, pathname, searchParams } = new URL(silent.headers.get("location") ?? "");
      expect([silent.status, origin + pathname, searchParams.get("error"), searchParams.get("state")]).toEqual([
        303,
        CALLBACK,
        "temporarily_unavailable",
        state,
      ]);
      expect(await refusals()).toBe(before + 1);
      const rows = await sql`select 1 from oauth_requests where parameters ->> 'state' = ${state}`;
      expect(rows).toHaveLength(WAITING_PER_ADDRESS);
      const { status, headers } = await begin(new Client(one.url), newAddress());
      expect([status, headers.get("ratelimit-policy")]).toEqual([
        303,
        `"oauth";q=6000;w=60, "oauth_waiting";q=${WAITING_PER_ADDRESS};w=600`,
      ]);
    }));

  test("a request that ends at once with a code or an error does not count", () =>
    shared(async () => {
      const address = newAddress();
      const { client: signedIn } = await registered(one.url);
      const answered = [
        ...(await race(() => begin(signedIn, address), 6)),
        ...(await race(() => begin(signedIn, address, { prompt: "login none" }), 6)),
        ...(await race(() => begin(new Client(one.url), address, { scope: "unknown" }), 6)),
      ].map(({ headers }) => new URL(headers.get("location") ?? "").searchParams);
      const outcomes = answered.map((response) => response.get("error") ?? (response.has("code") ? "code" : "none"));
      expect(outcomes).toEqual([
        ...Array(6).fill("code"),
        ...Array(6).fill("invalid_request"),
        ...Array(6).fill("invalid_scope"),
      ]);
      const { headers } = await begin(new Client(one.url), address);
      expect(headers.get("ratelimit")).toMatch(/"oauth_waiting";r=4;t=\d+$/);
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
