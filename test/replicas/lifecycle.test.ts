import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { freePort } from "../../db/embedded.ts";
import { type Answer, Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { ownDeployment, race } from "../support/deployment.ts";
import { directoryOf, userBody } from "../support/directories.ts";
import { hashMemoryKib } from "../support/hash-cost.ts";
import { sendForm } from "../support/oauth.ts";
import { runService, startReplica, startService } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { stopwatch, until } from "../support/waiting.ts";

describe("two replicas that start at once", () => {
  test("on an empty database: both migrate safely, and share one key ring (G30)", async () => {
    const databaseUrl = await freshDatabase("empty");
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: await redisUrl() };
    const migrations = await race(() => runService(["migrate"], env), 3);
    expect(migrations.map(({ code }) => code)).toEqual([0, 0, 0]);
    const [one, other] = await Promise.all([startReplica(env), startReplica(env)]);
    const keys = await Promise.all(
      [one, other].map(async ({ url }) => (await new Client(url).get("/.well-known/jwks.json")).body),
    );
    expect(keys[0]).toEqual(keys[1]);
    expect(keys[0].keys.filter(({ alg }: { alg: string }) => alg === "RS256")).toHaveLength(2);
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

describe("a replica before the start of the database", () => {
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
    await until("it is ready", async () => (await client.get("/readyz")).status === 200);
    expect((await registered(replica.url)).answer.status).toBe(201);
    await replica.kill();
  });
});

describe("key rotation", () => {
  test("while 16 clients sign in and refresh on two replicas: no failed request (G23)", async () => {
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
    await until("the replicas publish all three kinds", async () => {
      const { keys } = (await new Client(one.url).get("/.well-known/jwks.json")).body;
      return keys.filter(({ alg }: { alg: string }) => alg === "RS256").length === 5;
    });
  });
});

/** Sends a sign-in without the last byte of the body; `finish` sends the byte and returns the status. */
async function unfinishedSignIn(url: string, email: string) {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ email, password: PASSWORD });
  const answered = Promise.withResolvers<number>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => answered.resolve(Number(/^HTTP\/1\.1 (\d{3}) /.exec(bytes.toString())?.[1])),
      close: () => answered.resolve(0),
    },
  });
  const headers = ["host: a", "content-type: application/json", `content-length: ${Buffer.byteLength(body)}`];
  socket.write(`POST /v1/auth/login HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body.slice(0, -1)}`);
  return {
    async finish() {
      socket.write(body.slice(-1));
      return await answered.promise;
    },
  };
}

const isRefused = (url: string) =>
  new Client(url).get("/healthz").then(
    () => false,
    () => true,
  );

describe("the signer", () => {
  test.each([
    ["by OpenSSL", {}, "openssl"],
    ["by the runtime where the library is absent", { SERVICE_LIBCRYPTO: "/nowhere/libcrypto.so.3" }, "runtime"],
    ["by the runtime where the operator says so", { SERVICE_SIGNER: "runtime" }, "runtime"],
  ])("signs %s, and metric and log tell", async (_, env, implementation) => {
    const replica = await startReplica({ DATABASE_URL: await freshDatabase(), ...env });
    expect((await registered(replica.url)).answer.status).toBe(201);
    const metrics = (await new Client(replica.url).get("/metrics")).text;
    expect(metrics).toMatch(new RegExp(`^service_signer\\{[^}]*implementation="${implementation}"[^}]*\\} 1$`, "m"));
    const lines = replica.output().split("signatures: OpenSSL is not used").length - 1;
    expect(lines).toBe("SERVICE_LIBCRYPTO" in env ? 1 : 0);
    await replica.stop();
  });
});

describe("SIGTERM", () => {
  test("lets requests under way finish, takes no new ones, and exits 0", async () => {
    const replica = await startReplica({ DATABASE_URL: await freshDatabase() });
    const { email } = await registered(replica.url);
    const signIns = await race(() => unfinishedSignIn(replica.url, email), 8);
    const stopped = replica.stop();
    await until("it takes no new ones", () => isRefused(replica.url));
    expect(await Promise.all(signIns.map((signIn) => signIn.finish()))).toEqual(Array(8).fill(200));
    expect(await stopped).toBe(0);
  });

  test("during the start is obeyed once it has started: in a container it would get lost", async () => {
    const asked = Promise.withResolvers<void>();
    const redis = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { open: () => asked.resolve(), data() {} } });
    const env = { PORT: "0", DATABASE_URL: await freshDatabase(), REDIS_URL: `redis://127.0.0.1:${redis.port}` };
    const replica = startService(["serve"], env);
    await asked.promise;
    expect(await replica.stop()).toBe(0);
    redis.stop(true);
  });

  test("is obeyed at once by an idle replica, keep-alive connections or not", async () => {
    const replica = await startReplica({ DATABASE_URL: await freshDatabase() });
    await new Client(replica.url).get("/healthz");
    const elapsed = stopwatch();
    expect(await replica.stop()).toBe(0);
    expect(elapsed()).toBeLessThan(3000);
  });

  test("ends a replica with 0 while the collector of traces and metrics is unavailable", async () => {
    const collector = `http://127.0.0.1:${await freePort()}`;
    const replica = await startReplica({ DATABASE_URL: await freshDatabase(), OTEL_EXPORTER_OTLP_ENDPOINT: collector });
    expect((await new Client(replica.url).get("/readyz")).status).toBe(200);
    expect((await registered(replica.url)).answer.status).toBe(201);
    expect(await replica.stop()).toBe(0);
  });

  test("again, more than a second later, ends a drain that takes too long: 128 and the signal's number", async () => {
    const replica = await startReplica({ DATABASE_URL: await freshDatabase() });
    await unfinishedSignIn(replica.url, newEmail());
    await new Client(replica.url).get("/healthz");
    await until("it ends", async () => {
      replica.signal("SIGTERM");
      return await Promise.race([replica.exited.then(() => true), Bun.sleep(50).then(() => false)]);
    });
    expect(await replica.exited).toBe(143);
  });
});

describe("Postgres away", () => {
  function expectUnavailable({ status, headers, body }: Pick<Answer, "status" | "headers" | "body">, part: object) {
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(body).toMatchObject(part);
  }

  test("refresh and session: 500 in the envelope, never 401; others 503; the replica recovers (G276)", async () => {
    const databaseUrl = await freshDatabase();
    const replica = await startReplica({ DATABASE_URL: databaseUrl, REDIS_URL: await redisUrl() });
    const own = openSql(databaseUrl);
    const { client, place, scim } = await directoryOf({ one: replica, sql: own });
    await own.begin(async (transaction) => {
      await transaction`lock table directory_users in exclusive mode`;
      const created = scim("POST", "/Users", userBody("ada"));
      // As the time-out of statements, without the wait.
      await until("the statement is cancelled", async () => {
        const rows = await transaction`
          select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return rows.length > 0;
      });
      expectUnavailable(await created, { status: "503" });
    });
    expect((await scim("POST", "/Users", userBody("ada"))).status).toBe(201);
    await own.end();
    const sql = openSql(databaseUrl.replace(/\/[^/]*$/, "/postgres"));
    const name = databaseUrl.split("/").at(-1) ?? "";
    await sql.unsafe(`alter database ${name} allow_connections false`);
    const cut = () => sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    await cut();
    await until("the session cannot be told", async () => (await client.get("/v1/auth/session")).status === 500);
    const refreshed = await client.post("/v1/auth/refresh");
    expect(refreshed.body).toEqual({
      error: { code: "internal_error", type: "internal_error", message: "Something went wrong. Try again later." },
    });
    expect(refreshed.setCookies).toEqual([]);
    expectUnavailable(await scim("GET", "/Users"), { status: "503" });
    expectUnavailable(await client.get(place), { error: { ...refreshed.body.error } });
    const token = { grant_type: "client_credentials", client_id: crypto.randomUUID(), client_secret: "unknown" };
    expectUnavailable(await sendForm(replica.url, "/oauth2/token", token), { error: "temporarily_unavailable" });
    const page = await client.get("/account", { headers: { accept: "text/html" }, documented: false });
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await new Client(replica.url).get("/readyz")).status).toBe(503);
    expect((await new Client(replica.url).get("/healthz")).status).toBe(200);
    expect((await new Client(replica.url).get("/.well-known/jwks.json")).status).toBe(200);
    expect((await new Client(replica.url).get("/.well-known/service-revocations.json")).status).toBe(200);
    await sql.unsafe(`alter database ${name} allow_connections true`);
    await until("it is back", async () => (await client.post("/v1/auth/refresh")).status === 200);
    await replica.kill();
  });
});

describe("embedded mode", () => {
  test("needs one directory, held alone, and keeps accounts, sessions and keys over kill -9", async () => {
    const directory = (await import("node:fs")).mkdtempSync(`${(await import("node:os")).tmpdir()}/identity-embedded-`);
    const env = { SERVICE_DATA_DIRECTORY: directory, SERVICE_JWT_SECRET: "", SERVICE_PUBLIC_BASE_URL: "" };
    const first = await startReplica(env);
    const { email, accessToken } = await registered(first.url);
    const second = await startReplica(env).catch((error: Error) => error.message);
    expect(String(second)).toContain(`in use by process ${first.pid}`);
    await first.kill();
    const configKey = await readFile(`${directory}/config-key`, "utf8");
    const again = await startReplica(env);
    expect((await signedIn(again.url, email)).answer.status).toBe(200);
    expect((await new Client(again.url).get("/v1/auth/session", { bearer: accessToken })).status).toBe(200);
    const command = await runService(["admin", "grant", email, "admin"], env);
    expect([command.code, command.output]).toEqual([0, `${email}: platform role is now admin\n`]);
    // The generated key seals secrets of providers.
    expect((await runService(["config", "rotate"], env)).code).toBe(0);
    expect(Buffer.from(await readFile(`${directory}/config-key`, "utf8"), "base64")).toHaveLength(32);
    expect(await readFile(`${directory}/config-key`, "utf8")).toBe(configKey);
    expect(await again.stop()).toBe(0);
    (await import("node:fs")).rmSync(directory, { recursive: true, force: true });
  });
});

/** Starts a replica with a single hash worker and slow hashes. */
async function slowReplica(env: Record<string, string>) {
  const memory = await hashMemoryKib(60);
  const settings = { SERVICE_HASH_WORKERS: "1", SERVICE_ARGON2_MEMORY_KIB: String(memory), ...env };
  return await startReplica({ DATABASE_URL: await freshDatabase(), ...settings });
}

describe("hash workers", () => {
  test("a wave of guesses from one address does not starve further addresses", async () => {
    const replica = await slowReplica({ SERVICE_HASH_QUEUE: "8", SERVICE_TRUSTED_PROXIES: "127.0.0.0/8" });
    const { email } = await registered(replica.url);
    const from = (address: string, password: string) =>
      new Client(replica.url).post("/v1/auth/login", { email, password }, { headers: { "x-forwarded-for": address } });
    const wave = Array.from({ length: 40 }, () => from("203.0.113.7", "a wrong password"));
    // The first refusal proves that the queue is full.
    await Promise.any(wave.map((guess) => guess.then(({ status }) => status === 429 || Promise.reject())));
    const others = await race((index) => from(`198.51.100.${index}`, PASSWORD), 4);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const refused = (await Promise.all(wave)).filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(20);
    for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    await replica.kill();
  });

  test("a full queue answers 429 with Retry-After, and session checks go on", async () => {
    const replica = await slowReplica({ SERVICE_HASH_QUEUE: "2" });
    const { client } = await registered(replica.url);
    const storm = race(
      () => new Client(replica.url).post("/v1/auth/login", { email: newEmail(), password: PASSWORD }),
      30,
    );
    expect((await client.get("/v1/auth/session")).status).toBe(200);
    const responses = await storm;
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(responses.every(({ status }) => status === 401 || status === 429)).toBe(true);
    await replica.kill();
  });
});
