import { beforeAll, describe, expect, test } from "bun:test";
import { Client, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment, race, whileShared } from "../support/deployment.ts";
import { codeOf, enrolled, forgetUsedStep } from "../support/mfa.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { statementsWait } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const PATH = "/v1/auth/trusted-browsers";
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const AT_ONCE = 3;
const login = (client: Client, email: string) => client.post("/v1/auth/login", { email, password: PASSWORD });

/** Inserts trusted browsers of a user by SQL. */
async function browsersOf(userId: string, count: number): Promise<void> {
  await at.sql`
    insert into trusted_browsers (id, user_id, token_hash, created_at, expires_at)
    select gen_random_uuid(), ${userId}, decode(md5(n::text || ${userId}), 'hex'), now() - n * interval '1 minute',
           now() + interval '29 days'
    from generate_series(1, ${count}) n`;
}

async function liveBrowsers(userId: string): Promise<number> {
  const [live] = await at.sql`
    select count(*)::int as browsers from trusted_browsers where user_id = ${userId} and revoked_at is null`;
  return live?.browsers;
}

/** Sends several concurrent requests, all of which find the row of the user locked. */
async function whileUserIsLocked<T>(userId: string, ask: () => Promise<T>): Promise<T[]> {
  let answered: Promise<T[]> | undefined;
  await at.sql.begin(async (sql) => {
    await sql`select 1 from users where id = ${userId} for no key update`;
    answered = race(ask, AT_ONCE);
    await statementsWait(at.sql, AT_ONCE);
  });
  return (await answered) ?? [];
}

describe("POST /v1/auth/trusted-browsers", () => {
  describe("201", () => {
    test("returns the browser and sets the cookie of the contract: route prefix, HttpOnly, Lax, 30 days", async () => {
      const { client, userId } = await enrolled(at);
      const response = await client.post(PATH, { name: "  My laptop " }, { headers: { "user-agent": "Browser/1" } });
      expect(response.status).toBe(201);
      expect(response.setCookies).toHaveLength(1);
      expect(response.setCookies[0]).toMatch(
        /^service_trust=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/v1; HttpOnly; SameSite=Lax$/,
      );
      const { id, created_at, expires_at, ...rest } = response.body;
      expect(rest).toEqual({
        name: "My laptop",
        user_agent: "Browser/1",
        device: { browser: null, system: null },
        location: null,
        ip_address: "127.0.0.1",
        last_ip_address: "127.0.0.1",
        last_used_at: null,
        current: true,
      });
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(30 * 24 * 3600 * 1000);
      const rows = await at.sql`
        select resource_id from audit_logs where actor_id = ${userId} and action = 'auth.trusted_browser.created'`;
      expect(rows.map(({ resource_id }) => resource_id)).toEqual([id]);
    });

    test("skips the challenge of its user on every replica, at aal1: step-up is still asked for", async () => {
      const { client, email } = await enrolled(at);
      const created = await client.post(PATH);
      const response = await login(client.at(at.other.url), email);
      expect(response.body).toMatchObject({
        status: "success",
        user: { auth_method: "password", mfa_verified_at: null },
      });
      expect((await client.get("/v1/auth/session")).body.session).toMatchObject({ aal: "aal1" });
      const [item] = (await client.get(PATH)).body.items;
      expect(item).toMatchObject({ id: created.body.id, current: true, last_used_at: expect.any(String) });
    });

    test("skips the second factor for the own user alone, and not in a second browser", async () => {
      const [one, other] = [await enrolled(at), await enrolled(at)];
      await one.client.post(PATH);
      expect((await login(one.client, other.email)).body.status).toBe("mfa_required");
      expect((await login(new Client(at.one.url), one.email)).body.status).toBe("mfa_required");
    });

    test("replaces what the same browser was trusted with before, and keeps the newest 50", async () => {
      const { client, email, userId } = await enrolled(at);
      await client.post(PATH);
      const former = client.cookie("service_trust") ?? "";
      await client.post(PATH);
      expect((await client.get(PATH)).body.total).toBe(1);
      const copy = new Client(at.one.url);
      copy.setCookie("service_trust", former, "/v1");
      expect((await login(copy, email)).body.status).toBe("mfa_required");
      const bearer = client.cookie("service_at") ?? "";
      for (let made = 0; made < 52; made += 1) await new Client(at.one.url).post(PATH, {}, { bearer });
      expect(await liveBrowsers(userId)).toBe(50);
    });

    test("ends the entry of the same browser or the oldest beyond 50, and records which", async () => {
      const { client, accessToken, userId } = await registered(at.one.url);
      const replaced = (await client.post(PATH)).body.id;
      await browsersOf(userId, 49);
      const [oldest] = await at.sql`
        select id from trusted_browsers where user_id = ${userId} order by created_at, id limit 1`;
      const ended = async () => {
        const rows = await at.sql`
          select resource_id, metadata from audit_logs
          where actor_id = ${userId} and action = 'auth.trusted_browser.revoked' order by id`;
        return rows.map(({ resource_id, metadata }) => [resource_id, metadata.reason]);
      };
      expect((await client.post(PATH)).status).toBe(201);
      expect(await ended()).toEqual([[replaced, "replaced"]]);
      expect((await new Client(at.one.url).post(PATH, {}, { bearer: accessToken })).status).toBe(201);
      expect(await ended()).toEqual([
        [replaced, "replaced"],
        [oldest?.id, "replaced"],
      ]);
    });

    test("keeps 50 at most, also of parallel requests behind one lock", async () => {
      const { accessToken, userId } = await registered(at.one.url);
      await browsersOf(userId, 49);
      const responses = await whileUserIsLocked(userId, () =>
        new Client(at.one.url).post(PATH, {}, { bearer: accessToken }),
      );
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(await liveBrowsers(userId)).toBe(50);
    });

    test("stores the hash of the cookie alone (G22)", async () => {
      const { client, userId } = await registered(at.one.url);
      expect((await client.post(PATH)).status).toBe(201);
      const [row] = await at.sql`select token_hash from trusted_browsers where user_id = ${userId}`;
      expect(row?.token_hash).toHaveLength(32);
      expect(row?.token_hash.toString("base64url")).not.toBe(client.cookie("service_trust"));
    });
  });

  describe("400 invalid_input", () => {
    test.each([[""], ["x".repeat(121)], ["a\u0000b"], [7], [["x"]]])("refuses the name %p", async (name) => {
      const { client } = await registered(at.one.url);
      expect((await client.post(PATH, { name })).status).toBe(400);
      expect((await client.get(PATH)).body.total).toBe(0);
    });
  });

  describe("401 mfa_required", () => {
    test("needs an aal2 session of a user with a second factor", async () => {
      const { client, email, secret, userId } = await enrolled(at);
      await client.post(PATH);
      const weak = client.at(at.one.url);
      await login(weak, email);
      const refused = await weak.post(PATH);
      expect([refused.status, refused.body.error.code]).toEqual([401, "mfa_required"]);
      await forgetUsedStep(at.sql, userId);
      expect((await weak.post("/v1/auth/mfa/verify", { code: codeOf(secret) })).status).toBe(200);
      expect((await weak.post(PATH)).status).toBe(201);
    });
  });
});

describe("what ends trusted browsers (docs/contract.md, section 10)", () => {
  test("disabling and enabling the second factor", async () => {
    const { client, email } = await enrolled(at);
    await client.post(PATH);
    await client.post("/v1/auth/mfa/disable", { password: PASSWORD });
    expect((await client.get(PATH)).body.total).toBe(0);
    await client.post(PATH);
    const { secret } = (await client.post("/v1/auth/mfa/setup")).body;
    await client.post("/v1/auth/mfa/enable", { code: codeOf(secret) });
    expect((await client.get(PATH)).body.total).toBe(0);
    expect((await login(client, email)).body.status).toBe("mfa_required");
  });

  test("its 30 days", async () => {
    const { client, email, userId } = await enrolled(at);
    await client.post(PATH);
    await at.sql`update trusted_browsers set expires_at = now() - interval '1 second' where user_id = ${userId}`;
    expect((await login(client, email)).body.status).toBe("mfa_required");
    expect((await client.get(PATH)).body).toEqual({ items: [], total: 0, page: 1, page_size: 25 });
  });

  test("a forged cookie: ignored, not an error", async () => {
    const { client, email } = await enrolled(at);
    for (const value of ["", "x", "A".repeat(43), `${"A".repeat(42)}!`]) {
      client.setCookie("service_trust", value, "/v1");
      expect((await login(client, email)).body.status).toBe("mfa_required");
    }
  });
});

describe("GET /v1/auth/trusted-browsers", () => {
  describe("200", () => {
    test("lists the caller's, newest first, page by page, with the one that asks marked", async () => {
      const { client, accessToken } = await registered(at.one.url);
      for (const name of ["first", "second"]) {
        await new Client(at.one.url).post(PATH, { name }, { bearer: accessToken });
      }
      await client.post(PATH, { name: "mine" });
      const { body } = await client.get(`${PATH}?page_size=2`);
      expect(body).toMatchObject({ total: 3, page: 1, page_size: 2 });
      expect(body.items.map((item: { name: string; current: boolean }) => [item.name, item.current])).toEqual([
        ["mine", true],
        ["second", false],
      ]);
    });
  });
});

describe("DELETE /v1/auth/trusted-browsers/:id", () => {
  describe("204", () => {
    test("ends the trust at once, clears the cookie of the browser that asks, and is no error again", async () => {
      const { client, email, userId } = await enrolled(at);
      const { id } = (await client.post(PATH)).body;
      const copy = client.cookie("service_trust") ?? "";
      const response = await client.delete(`${PATH}/${id}`);
      expect(response.status).toBe(204);
      expect(response.setCookies[0]).toMatch(/^service_trust=; Max-Age=0; Path=\/v1;/);
      expect((await client.delete(`${PATH}/${id}`)).status).toBe(204);
      client.setCookie("service_trust", copy, "/v1");
      expect((await login(client.at(at.other.url), email)).body.status).toBe("mfa_required");
      const rows = await at.sql`
        select 1 from audit_logs where actor_id = ${userId} and action = 'auth.trusted_browser.revoked'`;
      expect(rows).toHaveLength(1);
    });

    test("leaves the cookie of a browser after the revocation of a further browser", async () => {
      const { client, accessToken } = await registered(at.one.url);
      const { id } = (await new Client(at.one.url).post(PATH, {}, { bearer: accessToken })).body;
      await client.post(PATH);
      expect((await client.delete(`${PATH}/${id}`)).setCookies).toEqual([]);
    });
  });

  describe("404 not_found", () => {
    test("returns equal responses for a foreign id, an unknown id and a malformed UUID (G16)", async () => {
      const [one, other] = [await registered(at.one.url), await registered(at.one.url)];
      const { id } = (await other.client.post(PATH)).body;
      for (const target of [id, UNKNOWN, "x"]) {
        const response = await one.client.delete(`${PATH}/${target}`);
        expect([response.status, response.body.error.code]).toEqual([404, "not_found"]);
      }
      expect((await other.client.get(PATH)).body.total).toBe(1);
    });
  });
});

describe("an account that is locked from many addresses (G15)", () => {
  test("stays open to a trusted browser of the user, and to no further browser", async () => {
    const databaseUrl = await freshDatabase();
    const one = await startReplica({
      DATABASE_URL: databaseUrl,
      REDIS_URL: await redisUrl(),
      SERVICE_RATE_LIMITS: "on",
      SERVICE_TRUSTED_PROXIES: "127.0.0.1",
      SERVICE_RATE_LIMIT_PASSWORD_ACCOUNT: "4/900",
    });
    const sql = openSql(databaseUrl);
    await whileShared([one], async () => {
      const { client, email, userId } = await enrolled({ one, sql });
      await client.post(PATH);
      const from = (address: string, by: Client, password: string) =>
        by.post("/v1/auth/login", { email, password }, { headers: { "x-forwarded-for": address } });
      for (let index = 0; index < 4; index += 1)
        await from(`198.51.100.${index}`, new Client(one.url), "a wrong guess");
      expect((await from("198.51.100.9", new Client(one.url), PASSWORD)).status).toBe(429);
      expect((await from("198.51.100.9", client, PASSWORD)).body.user.user_id).toBe(userId);
      for (let index = 0; index < 10; index += 1) await from("198.51.100.10", client, "a wrong guess");
      expect((await from("198.51.100.10", client, PASSWORD)).status).toBe(429);
    });
    await one.kill();
  });
});
