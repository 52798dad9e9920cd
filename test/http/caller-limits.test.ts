import { beforeAll, describe, expect } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, ownDeployment, race, testWhileShared } from "../support/deployment.ts";
import { operationsOf } from "../support/fuzz.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import type { TestRedis } from "../support/services.ts";

const LIMIT = 30;
let at: Deployment & { redis: TestRedis };
/** A replica on the same database and Redis, with a limit of a single request. */
let strict: Replica;
beforeAll(async () => {
  const wide = {
    SERVICE_RATE_LIMITS: "on",
    SERVICE_RATE_LIMIT_REGISTER: "1000/60",
    SERVICE_RATE_LIMIT_SIGN_IN: "1000/60",
    SERVICE_RATE_LIMIT_INTEGRATIONS: "1000/60",
  };
  at = await ownDeployment({ ...wide, SERVICE_RATE_LIMIT_CALLER: `${LIMIT}/3600` });
  strict = await startReplica({
    ...wide,
    DATABASE_URL: at.databaseUrl,
    REDIS_URL: at.redis.url,
    SERVICE_RATE_LIMIT_CALLER: "1/3600",
  });
});

const test = testWhileShared(() => [at.one, at.other, strict]);
const rename = (client: Client) => client.patch("/v1/users/me", { display_name: "Ada" });
const UUID = "019a0000-0000-7000-8000-000000000000";

describe("the limit of a user", () => {
  test("holds over both replicas and all sessions of the user, and for no one else", async () => {
    const { client, email } = await registered(at.one.url);
    const other = (await signedIn(at.other.url, email)).client;
    const responses = await race((index) => rename(index % 2 ? client : other), LIMIT + 20);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    expect(refused[0]?.body.error).toMatchObject({ code: "rate_limited", type: "rate_limited" });
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeWithin(3_000, 3_601);
    expect((await rename((await registered(at.one.url)).client)).status).toBe(200);
  });

  test("counts no session check and no other read", async () => {
    const { client } = await registered(strict.url);
    expect((await rename(client)).status).toBe(200);
    expect((await rename(client)).status).toBe(429);
    for (const path of ["/v1/auth/session", "/v1/users/me", "/v1/auth/sessions", "/v1/feature-flags"]) {
      const response = await client.get(path);
      expect([response.status, response.headers.get("ratelimit")]).toEqual([200, null]);
    }
  });

  test("counts every signed-in operation but GET, and the audit export, before anything else about it", async () => {
    const { client } = await registered(strict.url);
    await rename(client);
    const { body: document } = await client.get("/openapi.json");
    const counted = operationsOf(document).filter(
      ({ method, description }) =>
        description.operationId === "exportAudit" ||
        // The check of permissions is a read, which an API sends with every request.
        (method !== "GET" &&
          description.operationId !== "checkPermissions" &&
          description.security.some((each: object) => "bearer" in each)),
    );
    expect(counted.length).toBeGreaterThan(30);
    for (const { method, path } of counted) {
      const target = path.replace(/\{\w+\}/g, UUID);
      // The request has neither CSRF header nor body: the limit is checked first.
      const { status, headers } = await client.request(method, target, { csrf: false });
      expect([method, path, status]).toEqual([method, path, 429]);
      expect(headers.get("ratelimit")).toMatch(/^"caller";r=0;t=\d+$/);
      expect(headers.get("ratelimit-policy")).toBe('"caller";q=1;w=3600');
    }
  });

  test("counts the single page with a write at GET: the authorization endpoint", async () => {
    const { client } = await registered(strict.url);
    await rename(client);
    const { status, headers } = await client.get("/oauth2/authorize", { documented: false });
    expect([status, headers.get("ratelimit")]).toEqual([429, expect.stringMatching(/^"caller";r=0;t=\d+$/)]);
    const stranger = await new Client(strict.url).get("/oauth2/authorize", { documented: false });
    expect(stranger.status).toBe(400);
  });

  test("comes after the caller: an anonymous visitor gets 401, and counts for no user", async () => {
    const response = await new Client(strict.url).patch("/v1/users/me", { display_name: "Ada" });
    expect([response.status, response.headers.get("ratelimit")]).toEqual([401, null]);
  });

  test("is off together with the other limits", async () => {
    const replica = await startReplica({ DATABASE_URL: at.databaseUrl, SERVICE_RATE_LIMIT_CALLER: "1/3600" });
    const { client } = await registered(replica.url);
    for (let index = 0; index < 3; index += 1) expect((await rename(client)).status).toBe(200);
    await replica.kill();
  });
});

describe("a refresh counts for the user of its token", () => {
  test("and a refused refresh leaves the token unchanged", async () => {
    const { client, userId } = await registered(strict.url);
    expect((await client.post("/v1/auth/refresh")).status).toBe(200);
    const before = client.cookie("service_rt");
    const refused = await client.post("/v1/auth/refresh");
    expect([refused.status, refused.setCookies]).toEqual([429, []]);
    expect(refused.headers.get("ratelimit")).toMatch(/^"caller";r=0;t=\d+$/);
    // The rotation lies before the ten seconds in which the previous token would be honoured.
    await at.sql`update sessions set rotated_at = rotated_at - interval '1 minute' where user_id = ${userId}`;
    expect(client.cookie("service_rt")).toBe(String(before));
    const again = await client.at(await unlimited()).post("/v1/auth/refresh");
    expect(again.status).toBe(200);
  });

  test("over both replicas: of many at once no more than the limit get tokens", async () => {
    const { client } = await registered(at.one.url);
    const other = client.at(at.other.url);
    const responses = await race((index) => (index % 2 ? client : other).post("/v1/auth/refresh"), LIMIT + 20);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  });

  test("and a forged token counts for no user", async () => {
    const { client } = await registered(strict.url);
    const [header = "", claims = ""] = String(client.cookie("service_rt")).split(".");
    const forger = new Client(strict.url);
    forger.setCookie("service_rt", `${header}.${claims}.AAAA`, "/v1");
    expect((await forger.post("/v1/auth/refresh")).status).toBe(401);
    expect((await rename(client)).status).toBe(200);
  });
});

/** Starts a replica of the same deployment without limits. */
async function unlimited(): Promise<string> {
  const replica = await startReplica({ DATABASE_URL: at.databaseUrl, REDIS_URL: at.redis.url });
  return replica.url;
}

describe("RateLimit and RateLimit-Policy", () => {
  test("list every limit that counted an accepted request", async () => {
    const { client } = await registered(at.one.url);
    const { status, headers } = await client.put("/v1/admin/integrations/oauth_idp_a", { enabled: false });
    expect(status).toBe(403);
    expect(headers.get("ratelimit")).toMatch(/^"integrations";r=\d+;t=\d+, "caller";r=29;t=\d+$/);
    expect(headers.get("ratelimit-policy")).toBe(`"integrations";q=1000;w=60, "caller";q=${LIMIT};w=3600`);
  });

  test("belong to the refusing limit alone", async () => {
    const { client } = await registered(strict.url);
    await rename(client);
    const { status, headers } = await client.put("/v1/admin/integrations/oauth_idp_a", { enabled: false });
    expect([status, headers.get("ratelimit-policy")]).toEqual([429, '"caller";q=1;w=3600']);
  });

  test("are absent where wrong passwords refuse and not the number of requests", async () => {
    const email = newEmail();
    const login = () => new Client(at.one.url).post("/v1/auth/login", { email, password: PASSWORD });
    for (let index = 0; index < 10; index += 1) {
      const { status, headers } = await login();
      expect([status, headers.get("ratelimit-policy")]).toEqual([401, '"sign_in";q=1000;w=60']);
    }
    const { status, headers } = await login();
    expect([status, headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([429, null, null]);
    expect(Number(headers.get("retry-after"))).toBeWithin(800, 901);
  });
});
