/**
 * `npm run test:image` builds the image twice, compares the digests, and runs containers with podman under the
 * restrictions of ops/compose.yaml (G243, G244). Needs Linux and root; downloads Debian packages and npm packages.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { freePort } from "../../db/embedded.ts";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { TEST_SECRET } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { until } from "../support/waiting.ts";
import {
  type Container,
  MEMORY_MIB,
  packageSizes,
  requireEngine,
  Storage,
  snapshotSources,
  TMP_MIB,
} from "./engine.ts";

/** Ends a hanging build; a slow machine does not reach the deadline. */
const BUILD_DEADLINE_MS = 3_600_000;
const CONTAINER_DEADLINE_MS = 600_000;
const IMAGES = { bun: "identity-service", deno: "identity-service:deno" } as const;
/** The largest image on Bun: Debian's slim image has 80 MB, Bun 105 MB. */
const IMAGE_MAX_MB = 300;
const CONCURRENT_SIGN_INS = 48;
const DOCUMENT = join(import.meta.dir, "../../ops/README.md");

requireEngine();
const storage = new Storage();
const sources = snapshotSources();
const digests: Record<string, string> = {};

beforeAll(() => {
  for (const target of ["bun", "deno"] as const) digests[target] = storage.build(target, sources);
}, BUILD_DEADLINE_MS);

afterAll(() => {
  storage.remove();
  rmSync(sources.folder, { recursive: true, force: true });
}, CONTAINER_DEADLINE_MS);

describe("the build (G243)", () => {
  test(
    "Second builds, with base images made again, have the digests of the first builds, on Bun and on Deno.",
    () => {
      const second = new Storage();
      try {
        for (const target of ["bun", "deno"] as const) {
          expect(digests[target]).toStartWith("sha256:");
          expect(second.build(target, sources)).toBe(digests[target] ?? "");
        }
      } finally {
        second.remove();
      }
    },
    BUILD_DEADLINE_MS,
  );

  test("The image has user, signal, health check and size as documented.", () => {
    const { Config, Healthcheck, Size } = storage.inspect(IMAGES.bun);
    expect(Config).toMatchObject({ User: "65532:65532", StopSignal: "SIGTERM", WorkingDir: "/app" });
    expect(Healthcheck.Test.slice(0, 2)).toEqual(["CMD", "bash"]);
    expect(Size).toBeLessThan(IMAGE_MAX_MB * 1_000_000);
  });

  test("The image has libcrypto.so.3, and no program of npm, development package, secret or history.", () => {
    const root = storage.mount(IMAGES.bun);
    const libraries = readdirSync(join(root, "usr/lib"), { recursive: true, encoding: "utf8" });
    expect(libraries.some((file) => file.endsWith("/libcrypto.so.3"))).toBe(true);
    const absent = ["usr/local/bin/npm", "usr/local/bin/node", "app/.git", "app/.env", "app/test"];
    expect(absent.filter((file) => existsSync(join(root, file)))).toEqual([]);
    expect(readdirSync(join(root, "app/node_modules")).filter((name) => /^(typescript|playwright)/.test(name))).toEqual(
      [],
    );
  });

  test("The ten largest packages are the documented packages.", () => {
    const packages = join(storage.mount(IMAGES.bun), "app/node_modules");
    const bySize = [...packageSizes(packages)].sort(([, a], [, b]) => b - a);
    const largest = bySize.slice(0, 10).map(([name]) => name);
    const table = /<!-- packages -->([\s\S]*)<!-- \/packages -->/.exec(readFileSync(DOCUMENT, "utf8"))?.[1] ?? "";
    const documented = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => String(name));
    expect(documented.sort()).toEqual(largest.sort());
  });
});

describe.each(["bun", "deno"] as const)("a container on %s (G244)", (runtime) => {
  const image = IMAGES[runtime];
  let url: string;
  let env: Record<string, string>;
  let sql: postgres.Sql;
  let service: Container;

  const start = (name: string, args: readonly string[]) => storage.start(image, `${runtime}-${name}`, args, env);
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const databaseUrl = await freshDatabase("empty");
    env = {
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      REDIS_URL: await redisUrl(),
      SERVICE_JWT_SECRET: TEST_SECRET,
      SERVICE_PUBLIC_BASE_URL: url,
      SERVICE_HASH_WORKERS: "2",
      SERVICE_RATE_LIMITS: "off",
    };
    sql = openSql(databaseUrl);
  }, CONTAINER_DEADLINE_MS);

  test(
    "`migrate` brings an empty database up to date, and `doctor` finds OpenSSL.",
    async () => {
      expect(await start("migrate", ["migrate"]).finished).toMatchObject({
        code: 0,
        output: expect.stringMatching(/Applied \d+/),
      });
      const { output } = await start("doctor", ["doctor"]).finished;
      expect(output).toContain("by OpenSSL");
    },
    CONTAINER_DEADLINE_MS,
  );

  test(
    "`serve` becomes ready as user 65532, without a capability, on a read-only root.",
    async () => {
      service = start("serve", ["serve"]);
      await until("the container is ready", isReady).catch((error) => {
        throw new Error(`${error.message}\n${service.output}`);
      });
      const status = service.processStatus();
      for (const line of [/^Uid:\t65532\t65532\t/m, /^CapEff:\t0+$/m, /^CapBnd:\t0+$/m, /^NoNewPrivs:\t1$/m])
        expect(status).toMatch(line);
      expect(service.execute("sh", "-c", "echo x > /app/x").code).not.toBe(0);
      expect(service.execute("sh", "-c", "echo x > /tmp/x").code).toBe(0);
      expect(service.isHealthy()).toBe(true);
    },
    CONTAINER_DEADLINE_MS,
  );

  test(
    `Concurrent sign-ins and pages stay within ${MEMORY_MIB} MiB.`,
    async () => {
      const { email } = await registered(url);
      const page = await new Client(url).get("/sign-in", { documented: false });
      expect(page.status).toBe(200);
      const login = () => new Client(url).post("/v1/auth/login", { email, password: PASSWORD });
      const responses = await Promise.all(Array.from({ length: CONCURRENT_SIGN_INS }, login));
      const statuses = responses.map(({ status }) => status);
      // A replica at the limit of hashes, or of simultaneous guesses of an account, refuses with Retry-After.
      expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(CONCURRENT_SIGN_INS / 4);
      expect(await isReady()).toBe(true);
    },
    CONTAINER_DEADLINE_MS,
  );

  test(
    "A full /tmp ends no sign-in and no readiness.",
    async () => {
      service.execute("sh", "-c", `head -c ${TMP_MIB + 1}M /dev/zero > /tmp/full`);
      expect(service.execute("sh", "-c", "echo x > /tmp/y").code).not.toBe(0);
      const { email } = await registered(url);
      expect((await signedIn(url, email)).answer.status).toBe(200);
      expect(await isReady()).toBe(true);
      expect(service.execute("rm", "/tmp/full").code).toBe(0);
    },
    CONTAINER_DEADLINE_MS,
  );

  test(
    "SIGTERM drains: the process ends with 0, and a session of before is valid in the next container.",
    async () => {
      const { client } = await registered(url);
      expect(await service.stop()).toMatchObject({ code: 0 });
      service = start("next", ["serve"]);
      await until("the next container is ready", isReady);
      expect((await client.get("/v1/auth/session")).status).toBe(200);
      expect((await service.stop()).code).toBe(0);
      const [{ count }] = (await sql`select count(*)::int as count from users`) as unknown as [{ count: number }];
      expect(count).toBeGreaterThan(2);
    },
    CONTAINER_DEADLINE_MS,
  );
});
