import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registered } from "../support/client.ts";
import { runService, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, startRedis, startRedisCluster } from "../support/services.ts";
import { storeConnection } from "../support/sso-connections.ts";
import { verifyAddress } from "../support/states.ts";

describe("the command line", () => {
  test.each([
    [["--help"], "serve"],
    [["keys", "--help"], "rotate"],
    [["admin", "grant", "--help"], "EMAIL"],
    [["doctor", "--help"], "json"],
    [["migrate", "--help"], "migrat"],
  ])("%p prints its usage and exits 0", async (args, expected) => {
    const { code, output } = await runService(args, {});
    expect(code).toBe(0);
    expect(output).toContain(expected);
  });

  test.each([[[]], [["nonsense"]], [["admin", "grant"]], [["admin", "grant", "a@example.test", "emperor"]]])(
    "%p is a usage error: exit code 2",
    async (args) => {
      expect((await runService(args, { DATABASE_URL: "postgres://127.0.0.1:1/x" })).code).toBe(2);
    },
  );
});

describe("serve", () => {
  test("names every fault of the configuration in one message, without a secret, and exits 1", async () => {
    const { code, output } = await runService(["serve"], {
      DATABASE_URL: "mysql://x",
      SERVICE_JWT_SECRET: "too short a secret",
      SERVICE_PUBLIC_BASE_URL: "https://x.example/path",
      PORT: "99999",
      SERVICE_RATE_LIMIT_NONSENSE: "1/1",
    });
    expect(code).toBe(1);
    for (const name of [
      "DATABASE_URL",
      "SERVICE_JWT_SECRET",
      "SERVICE_PUBLIC_BASE_URL",
      "PORT",
      "SERVICE_RATE_LIMIT_NONSENSE",
    ]) {
      expect(output).toContain(`- ${name}:`);
    }
    expect(output).not.toContain("too short a secret");
  });
});

describe("doctor", () => {
  test("exits 0 on a sound deployment, one line per check, with the action for each warning", async () => {
    const env = { DATABASE_URL: await freshDatabase(), SERVICE_GEOIP_FILE: "/nowhere/city.mmdb" };
    const { code, output } = await runService(["doctor"], env);
    expect(code).toBe(0);
    expect(output).toMatch(/^warning\s+SERVICE_GEOIP_FILE: no such file\n\s+-> name an MMDB file/m);
    expect(output).toMatch(/^ok\s+database: reachable$/m);
    expect(output).toMatch(/^ok\s+migrations: applied$/m);
    expect(output).toMatch(/^warning\s+platform owner: .*\n\s+-> npm run service -- admin grant/m);
    expect(output).toMatch(/^warning\s+audit checkpoints: .*\n\s+-> set SERVICE_AUDIT_CHECKPOINT_DIR/m);
    expect(output).not.toContain("\u001b[");
    // Each finding appears once, although the start warns of the same finding.
    expect(output.match(/REDIS_URL|no (?:email )?provider/g)).toEqual(["REDIS_URL", "no provider"]);
  });

  test("says by which implementation tokens are signed, and why the runtime signs where OpenSSL does not", async () => {
    const databaseUrl = await freshDatabase();
    const examine = async (env: Record<string, string>) => {
      const { output } = await runService(["doctor", "--json"], { DATABASE_URL: databaseUrl, ...env });
      return JSON.parse(output).checks.find(({ check }: { check: string }) => check === "signatures");
    };
    expect(await examine({})).toMatchObject({ level: "ok", detail: expect.stringContaining("by OpenSSL (") });
    expect(await examine({ SERVICE_SIGNER: "runtime" })).toMatchObject({
      level: "ok",
      detail: "by the runtime (SERVICE_SIGNER)",
    });
    expect(await examine({ SERVICE_LIBCRYPTO: "/nowhere/libcrypto.so.3" })).toMatchObject({
      level: "warning",
      detail: expect.stringMatching(/^by the runtime, at half the rate: ./),
      remedy: expect.stringContaining("SERVICE_LIBCRYPTO"),
    });
  });

  test("lists the applications that an administrator has relaxed, by kind (G404, G432)", async () => {
    const databaseUrl = await freshDatabase();
    const examine = async () => {
      const { output } = await runService(["doctor", "--json"], { DATABASE_URL: databaseUrl });
      const checks: { check: string; level: string; detail: string }[] = JSON.parse(output).checks;
      const names = ["authorization codes", "refresh tokens", "redirect URIs"];
      return names.map((name) => checks.find(({ check }) => check === name));
    };
    expect(await examine()).toMatchObject([{ level: "ok" }, { level: "ok" }, { level: "ok" }]);
    const members = { name: "MinIO", preset: "web", redirect_uris: ["https://minio.example.test/oauth_callback"] };
    const clients = [
      { ...members, require_pkce: false, require_nonce_or_pkce: false },
      { ...members, name: "Wiki", refresh_repeat_seconds: 10 },
      { ...members, name: "Phone", refresh_repeat_seconds: 11 },
      { ...members, name: "Local", redirect_uris: ["http://localhost:3000/", "http://127.0.0.1/a", "http://[::1]:80"] },
      { ...members, name: "Home", redirect_uris: ["https://home.example.test/", "http://192.168.1.10:8123/auth"] },
    ];
    const file = join(tmpdir(), `clients-${crypto.randomUUID()}.json`);
    await Bun.write(file, JSON.stringify({ clients }));
    const env = { DATABASE_URL: databaseUrl, SERVICE_OAUTH_PRIVATE_HTTP: "on" };
    expect((await runService(["clients", "apply", file], env)).code).toBe(0);
    const warning = (detail: RegExp) => ({ level: "warning", detail: expect.stringMatching(detail) });
    expect(await examine()).toMatchObject([
      warning(/^not bound to the browser for MinIO \([0-9a-f-]{36}\)$/),
      warning(/^repeated for longer than 10 seconds for Phone \([0-9a-f-]{36}\)$/),
      warning(/ by http for Home \([0-9a-f-]{36}\)$/),
    ]);
  });

  test("exits 1 on unapplied migrations, no database, or a missing requirement, and says so as JSON", async () => {
    const check = async (env: Record<string, string>) => {
      const { code, output } = await runService(["doctor", "--json"], env);
      const failures = JSON.parse(output).checks.filter((each: { level: string }) => each.level === "failure");
      return [code, JSON.parse(output).ok, ...failures.map((each: { check: string }) => each.check)];
    };
    expect(await check({ DATABASE_URL: await freshDatabase("empty") })).toEqual([1, false, "migrations"]);
    expect(await check({ DATABASE_URL: "postgres://127.0.0.1:1/x" })).toEqual([1, false, "database"]);
    expect(await check({ DATABASE_URL: "postgres://127.0.0.1:1/x", SERVICE_JWT_SECRET: "" })).toEqual([
      1,
      false,
      "environment",
    ]);
  });
});

describe("doctor of a Redis", () => {
  const examine = async (redisUrl: string) => {
    const env = { DATABASE_URL: await freshDatabase(), REDIS_URL: redisUrl };
    const { code, output } = await runService(["doctor", "--json"], env);
    const found = JSON.parse(output).checks.find(({ check }: { check: string }) => check === "REDIS_URL");
    return { code, level: found?.level, detail: found?.detail, remedy: found?.remedy };
  };

  test.each(["volatile-ttl", "allkeys-lru"])("with eviction by %s: a failure, exit code 1", async (policy) => {
    const { url } = await startRedis(["--maxmemory-policy", policy]);
    expect(await examine(url)).toEqual({
      code: 1,
      level: "failure",
      detail: `maxmemory-policy is ${policy}`,
      remedy: "set it to noeviction",
    });
  });

  test("without eviction: sound, also as a cluster", async () => {
    const { url } = await startRedis(["--maxmemory", "64mb", "--maxmemory-policy", "noeviction"]);
    for (const each of [url, await startRedisCluster()]) {
      expect(await examine(each)).toMatchObject({ code: 0, level: "ok" });
    }
  });

  test("with an unreadable configuration: a warning with the points to check", async () => {
    const { url } = await startRedis(["--user", "default", "on", "nopass", "~*", "&*", "+@all", "-config"]);
    expect(await examine(url)).toMatchObject({ code: 0, level: "warning", remedy: "make sure that it is noeviction" });
  });

  test("unavailable: a warning, without its password", async () => {
    const { code, level, detail } = await examine("redis://:secret-word@127.0.0.1:1");
    expect([code, level]).toEqual([0, "warning"]);
    expect(detail).not.toContain("secret-word");
  });
});

describe("admin grant and revoke", () => {
  test("change the platform role with an audit row, once, and refuse an unknown address", async () => {
    const databaseUrl = await freshDatabase();
    const env = { DATABASE_URL: databaseUrl };
    const replica = await startReplica(env);
    const { email, userId } = await registered(replica.url);
    const codes = [];
    for (const args of [
      ["grant", email.toUpperCase(), "admin"],
      ["grant", email, "admin"],
      ["grant", email, "owner"],
      // A revocation of a role that the user does not hold must not revoke a higher role.
      ["revoke", email, "viewer"],
      ["revoke", email, "owner"],
    ]) {
      codes.push((await runService(["admin", ...args], env)).code);
    }
    expect(codes).toEqual([0, 0, 0, 1, 0]);
    expect((await runService(["admin", "grant", "nobody@example.test", "admin"], env)).code).toBe(1);
    const sql = openSql(databaseUrl);
    const rows = await sql`
      select action, actor_type, metadata from audit_logs
      where resource_id = ${userId} and actor_type = 'system' order by id`;
    expect([...rows]).toEqual([
      { action: "platform_role.granted", actor_type: "system", metadata: { role: "admin", source: "command" } },
      { action: "platform_role.granted", actor_type: "system", metadata: { role: "owner", source: "command" } },
      { action: "platform_role.revoked", actor_type: "system", metadata: { role: "none", source: "command" } },
    ]);
    await replica.kill();
  });

  test("SERVICE_INITIAL_OWNER_EMAIL makes the owner at start, but only once control was proven", async () => {
    const databaseUrl = await freshDatabase();
    const first = await startReplica({ DATABASE_URL: databaseUrl });
    const { email, userId, organizationId } = await registered(first.url);
    await first.kill();
    const sql = openSql(databaseUrl);
    const roleAfterStart = async () => {
      await (await startReplica({ DATABASE_URL: databaseUrl, SERVICE_INITIAL_OWNER_EMAIL: email })).stop();
      return (await sql`select platform_role from users where id = ${userId}`)[0]?.platform_role;
    };
    expect(await roleAfterStart()).toBeNull();
    await verifyAddress(sql, userId);
    expect(await roleAfterStart()).toBeNull();
    // The proof of an identity provider of an organization grants no platform role.
    await sql`update users set controlled_at = now(), managed_by = ${organizationId} where id = ${userId}`;
    expect(await roleAfterStart()).toBeNull();
    await sql`update users set managed_by = null where id = ${userId}`;
    await storeConnection(sql, organizationId);
    await sql`
      insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at,
                                  last_used_at)
      select ${userId}, c.id, 'x', 'x', u.id, 'domain', u.controlled_at, now() from sso_connections c, users u
      where u.id = ${userId}`;
    expect(await roleAfterStart()).toBeNull();
    await sql`update users set controlled_at = controlled_at - interval '1 s' where id = ${userId}`;
    expect(await roleAfterStart()).toBe("owner");
  });
});
