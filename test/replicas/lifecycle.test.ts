import { describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { eventually, ownDeployment, race } from "../support/deployment.ts";
import { runService, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";

describe("two replicas that start at once", () => {
  test("on an empty database: both migrate safely, and share one key ring (promise 30)", async () => {
    const databaseUrl = await freshDatabase("empty");
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: await redisUrl() };
    const migrations = await race(() => runService(["migrate"], env), 3);
    expect(migrations.map(({ code }) => code)).toEqual([0, 0, 0]);
    const [one, other] = await Promise.all([startReplica(env), startReplica(env)]);
    const keys = await Promise.all(
      [one, other].map(async ({ url }) => (await new Client(url).get("/.well-known/jwks.json")).body),
    );
    expect(keys[0]).toEqual(keys[1]);
    expect(keys[0].keys).toHaveLength(2);
    const sql = openSql(databaseUrl);
    expect(await sql`select state from signing_keys order by state`).toMatchObject([
      { state: "active" },
      { state: "next" },
    ]);
    const { accessToken } = await registered(one.url);
    expect((await new Client(other.url).get("/v1/auth/session", { bearer: accessToken })).status).toBe(200);
    await Promise.all([one.kill(), other.kill()]);
  });

  test("with different root secrets: neither opens, nor harms, the ring of the other", async () => {
    const env = { DATABASE_URL: await freshDatabase() };
    const first = await startReplica(env);
    const { accessToken } = await registered(first.url);
    const second = await startReplica({ ...env, SERVICE_JWT_SECRET: "another root secret, as long as it must be" });
    expect((await new Client(second.url).get("/v1/auth/session", { bearer: accessToken })).status).toBe(401);
    expect((await new Client(first.url).get("/v1/auth/session", { bearer: accessToken })).status).toBe(200);
    await Promise.all([first.kill(), second.kill()]);
  });
});

describe("a replica that is up before its database", () => {
  test("is alive and not ready until the migrations are applied, then serves without a restart", async () => {
    const databaseUrl = await freshDatabase("empty");
    const env = { DATABASE_URL: databaseUrl };
    const replica = await startReplica(env);
    const client = new Client(replica.url);
    expect((await client.get("/healthz")).status).toBe(200);
    expect((await client.get("/readyz")).body).toMatchObject({
      status: "unavailable",
      checks: { database: { status: "ok" }, migrations: { status: "unavailable" } },
    });
    expect((await client.post("/v1/auth/login", { email: newEmail(), password: PASSWORD })).status).toBe(500);
    expect((await runService(["migrate"], env)).code).toBe(0);
    await eventually("it is ready", 5000, async () => (await client.get("/readyz")).status === 200);
    expect((await registered(replica.url)).answer.status).toBe(201);
    await replica.kill();
  });
});

describe("key rotation", () => {
  test("while 16 clients sign in and refresh on two replicas: no failed request (promise 23)", async () => {
    const { one, other, databaseUrl } = await ownDeployment();
    const { email, accessToken } = await registered(one.url);
    let rotating = true;
    const statuses: number[] = [];
    const clients = race(async (index) => {
      for (let turn = 0; rotating; turn += 1) {
        const [here, there] = (index + turn) % 2 ? [one.url, other.url] : [other.url, one.url];
        const { client, answer } = await signedIn(here, email);
        const elsewhere = client.at(there);
        statuses.push(
          answer.status,
          (await elsewhere.get("/v1/auth/session")).status,
          (await elsewhere.post("/v1/auth/refresh")).status,
        );
      }
    }, 16);
    const kids = new Set<string>();
    for (let rotation = 0; rotation < 3; rotation += 1) {
      const { code, output } = await runService(["keys", "rotate"], { DATABASE_URL: databaseUrl });
      expect(code).toBe(0);
      kids.add(/active\s+(\S+)/.exec(output)?.[1] ?? "");
    }
    rotating = false;
    await clients;
    expect(kids.size).toBe(3);
    expect(statuses.length).toBeGreaterThan(100);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect((await new Client(other.url).get("/v1/auth/session", { bearer: accessToken })).status).toBe(200);
    await eventually("the replicas publish all three kinds", 8000, async () => {
      return (await new Client(one.url).get("/.well-known/jwks.json")).body.keys.length === 5;
    });
  });
});

describe("SIGTERM", () => {
  test("lets requests under way finish, takes no new ones, and exits 0 (promise 25)", async () => {
    const replica = await startReplica({
      DATABASE_URL: await freshDatabase(),
      SERVICE_ARGON2_MEMORY_KIB: "65536",
      SERVICE_ARGON2_TIME: "4",
    });
    const { email } = await registered(replica.url);
    const signIns = race(() => signedIn(replica.url, email), 8);
    await Bun.sleep(100);
    const stopped = replica.stop();
    expect((await signIns).map(({ answer }) => answer.status)).toEqual(Array(8).fill(200));
    expect(await stopped).toBe(0);
    expect(await new Client(replica.url).get("/healthz").catch(() => "refused")).toBe("refused");
  });

  test("is obeyed at once by an idle replica, keep-alive connections or not", async () => {
    const replica = await startReplica({ DATABASE_URL: await freshDatabase() });
    await new Client(replica.url).get("/healthz");
    const startedAt = performance.now();
    expect(await replica.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  test("again, more than a second later, ends a drain that takes too long: 128 and the signal's number", async () => {
    const replica = await startReplica({ DATABASE_URL: await freshDatabase() });
    const socket = await unfinishedRequest(replica.url);
    await new Client(replica.url).get("/healthz");
    await eventually("it ends", 8000, async () => {
      replica.signal("SIGTERM");
      return await Promise.race([replica.exited.then(() => true), Bun.sleep(50).then(() => false)]);
    });
    expect(await replica.exited).toBe(143);
    socket.end();
  });
});

/** A request whose body never arrives whole: a drain waits for it as long as bodies may take. */
async function unfinishedRequest(url: string) {
  const { hostname, port } = new URL(url);
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data: () => undefined } });
  socket.write(
    `POST /v1/auth/login HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`,
  );
  return socket;
}

describe("Postgres away", () => {
  test("refresh and session answer 500 in the envelope, never 401; nothing of the cause is told; it recovers", async () => {
    const databaseUrl = await freshDatabase();
    const replica = await startReplica({ DATABASE_URL: databaseUrl, REDIS_URL: await redisUrl() });
    const { client } = await registered(replica.url);
    const sql = openSql(databaseUrl.replace(/\/[^/]*$/, "/postgres"));
    const name = databaseUrl.split("/").at(-1) ?? "";
    await sql.unsafe(`alter database ${name} allow_connections false`);
    const cut = () => sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    await cut();
    await eventually(
      "the session cannot be told",
      4000,
      async () => (await client.get("/v1/auth/session")).status === 500,
    );
    const refreshed = await client.post("/v1/auth/refresh");
    expect(refreshed.body).toEqual({
      error: { code: "internal_error", type: "internal_error", message: "Something went wrong. Try again later." },
    });
    expect(refreshed.setCookies).toEqual([]);
    expect((await new Client(replica.url).get("/readyz")).status).toBe(503);
    expect((await new Client(replica.url).get("/healthz")).status).toBe(200);
    expect((await new Client(replica.url).get("/.well-known/jwks.json")).status).toBe(200);
    expect((await new Client(replica.url).get("/.well-known/service-revocations.json")).status).toBe(200);
    await sql.unsafe(`alter database ${name} allow_connections true`);
    await eventually("it is back", 8000, async () => (await client.post("/v1/auth/refresh")).status === 200);
    await replica.kill();
  });
});

describe("embedded mode", () => {
  test("serves with nothing but a data directory, keeps accounts and sessions over kill -9, and holds the directory alone", async () => {
    const directory = (await import("node:fs")).mkdtempSync(`${(await import("node:os")).tmpdir()}/identity-embedded-`);
    const env = { SERVICE_DATA_DIRECTORY: directory, SERVICE_JWT_SECRET: "", SERVICE_PUBLIC_BASE_URL: "" };
    const first = await startReplica(env);
    const { email, accessToken } = await registered(first.url);
    const second = await startReplica(env).catch((error: Error) => error.message);
    expect(String(second)).toContain(`in use by process ${first.pid}`);
    await first.kill();
    const again = await startReplica(env);
    expect((await signedIn(again.url, email)).answer.status).toBe(200);
    expect((await new Client(again.url).get("/v1/auth/session", { bearer: accessToken })).status).toBe(200);
    const command = await runService(["admin", "grant", email, "admin"], env);
    expect([command.code, command.output]).toEqual([0, `${email}: platform role is now admin\n`]);
    expect(await again.stop()).toBe(0);
    (await import("node:fs")).rmSync(directory, { recursive: true, force: true });
  });
});

describe("hash workers", () => {
  test("a wave of guesses from one address does not starve the others (fair between addresses)", async () => {
    const replica = await startReplica({
      DATABASE_URL: await freshDatabase(),
      SERVICE_HASH_WORKERS: "1",
      SERVICE_HASH_QUEUE: "8",
      SERVICE_ARGON2_MEMORY_KIB: "65536",
      SERVICE_TRUSTED_PROXIES: "127.0.0.0/8",
    });
    const { email } = await registered(replica.url);
    const from = (address: string, password: string) =>
      new Client(replica.url).post("/v1/auth/login", { email, password }, { headers: { "x-forwarded-for": address } });
    const wave = race(() => from("203.0.113.7", "a wrong password"), 40);
    await Bun.sleep(50);
    const others = await race((index) => from(`198.51.100.${index}`, PASSWORD), 4);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const refused = (await wave).filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(28);
    for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    await replica.kill();
  });

  test("a full queue answers 429 with Retry-After, and session checks go on", async () => {
    const replica = await startReplica({
      DATABASE_URL: await freshDatabase(),
      SERVICE_HASH_WORKERS: "1",
      SERVICE_HASH_QUEUE: "2",
      SERVICE_ARGON2_MEMORY_KIB: "65536",
    });
    const { client } = await registered(replica.url);
    const storm = race(
      () => new Client(replica.url).post("/v1/auth/login", { email: newEmail(), password: PASSWORD }),
      30,
    );
    expect((await client.get("/v1/auth/session")).status).toBe(200);
    const answers = await storm;
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
    await replica.kill();
  });
});
