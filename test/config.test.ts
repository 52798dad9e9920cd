import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRedisUrl } from "../src/base/redis-url.ts";
import { loadConfig } from "../src/config/config.ts";
import type { Environment } from "../src/config/variables.ts";

const EXTERNAL = {
  DATABASE_URL: "postgres://db/x",
  REDIS_URL: "redis://redis",
  SERVICE_JWT_SECRET: "x".repeat(32),
  SERVICE_PUBLIC_BASE_URL: "https://auth.example.com",
  SERVICE_AUDIT_EXPORT_KEY: "key",
  SERVICE_EMAIL_API_KEY: "re_key",
};

function load(environment: Environment) {
  const config = loadConfig(environment);
  if (!config.ok) throw new Error(config.error.join("\n"));
  return config.value;
}

const errors = (environment: Environment) => {
  const config = loadConfig({ ...EXTERNAL, ...environment });
  return config.ok ? [] : config.error;
};

describe("configuration", () => {
  test("embedded mode needs no setting", () => {
    expect(load({})).toMatchObject({
      embedded: true,
      urls: { publicBaseUrl: "http://localhost:3000", routePrefix: "/v1" },
      cookies: { secure: false },
      tokens: { accessExpirySeconds: 900, refreshMaxAgeSeconds: 2_592_000, sessionMaxAgeSeconds: 7_776_000 },
      hashing: { cost: { memoryKib: 19_456, time: 2, parallelism: 1 } },
      limits: { enabled: true, signIn: { count: 60, seconds: 60 } },
      telemetry: { traces: false, otlpMetrics: false },
    });
  });

  test("with a database needs the root secret and the public address", () => {
    expect(errors({ SERVICE_JWT_SECRET: "", SERVICE_PUBLIC_BASE_URL: undefined })).toHaveLength(2);
    expect(errors({ SERVICE_JWT_SECRET: " ", SERVICE_PUBLIC_BASE_URL: "\n" })).toHaveLength(2);
  });

  test("A secret comes from the file of `<name>_FILE`; an absent or empty file is an error (G247).", () => {
    const folder = mkdtempSync(join(tmpdir(), "identity-secrets-"));
    const file = (content: string) => {
      const path = join(folder, String(content.length));
      writeFileSync(path, content);
      return path;
    };
    const secret = "from a file, with at least 32 bytes of text";
    const files = { SERVICE_JWT_SECRET: "", SERVICE_JWT_SECRET_FILE: file(`${secret}\n`) };
    const config = load({ ...EXTERNAL, ...files, DATABASE_URL: "", DATABASE_URL_FILE: file("postgres://file/x") });
    expect(JSON.stringify(config)).toContain(secret);
    expect(JSON.stringify(config)).toContain("postgres://file/x");
    expect(config.embedded).toBe(false);
    expect(config.warnings).toEqual([]);
    expect(errors({ SERVICE_JWT_SECRET_FILE: files.SERVICE_JWT_SECRET_FILE })).toHaveLength(1);
    expect(errors({ REDIS_URL: "", REDIS_URL_FILE: join(folder, "absent") }).join()).toContain("a readable file");
    expect(errors({ DATABASE_URL: "", DATABASE_URL_FILE: file("") }).join()).toContain("a file with a value");
    rmSync(folder, { recursive: true });
  });

  test("gives API keys the prefix that is set, or the letters and digits of the brand name (G99)", () => {
    const prefix = (environment: Environment) => load({ ...EXTERNAL, ...environment }).keyPrefix;
    expect(prefix({ SERVICE_KEY_PREFIX: "acme" })).toBe("acme");
    expect(prefix({ SERVICE_KEY_PREFIX: "acme_prod_" })).toBe("acme_prod");
    expect(prefix({ SERVICE_BRAND_NAME: "Müller & Söhne" })).toBe("mullersohne");
    expect(prefix({ SERVICE_BRAND_NAME: "7 Large Words That Never End At All" })).toBe("largewordsthatnevere");
    expect(prefix({ SERVICE_BRAND_NAME: "東京" })).toBe("identity");
    expect(prefix({})).toBe("authexamplecom");
    expect(load({}).keyPrefix).toBe("identity");
  });

  test("makes cookies secure behind https, and warns where that is switched off", () => {
    expect(load(EXTERNAL).cookies.secure).toBe(true);
    expect(load(EXTERNAL).warnings).toEqual([]);
    expect(load({ ...EXTERNAL, SERVICE_COOKIES_SECURE: "false" }).warnings).toHaveLength(1);
  });

  test("gives the issuer one spelling", () => {
    expect(load({ ...EXTERNAL, SERVICE_PUBLIC_BASE_URL: "https://Auth.example.com/" }).urls.publicBaseUrl).toBe(
      "https://auth.example.com",
    );
  });

  test.each([
    ["SERVICE_PUBLIC_BASE_URL", "https://x.example/path"],
    ["SERVICE_PUBLIC_BASE_URL", "ftp://x.example"],
    ["SERVICE_JWT_SECRET", "x".repeat(31)],
    ["SERVICE_ROUTE_PREFIX", "/metrics"],
    ["SERVICE_KEY_PREFIX", "1password"],
    ["SERVICE_KEY_PREFIX", "a-b"],
    ["SERVICE_KEY_PREFIX", "x".repeat(21)],
    ["SERVICE_WEBHOOK_ALLOW", "fe80::1%eth0"],
    ["SERVICE_ROUTE_PREFIX", "/a b"],
    ["SERVICE_ROUTE_PREFIX", "nope"],
    ["SERVICE_ACCESS_EXPIRY_SECS", "15m"],
    ["SERVICE_ARGON2_MEMORY_KIB", "8"],
    ["SERVICE_CONFIG_KEY", "c2hvcnQ="],
    ["SERVICE_TRUSTED_PROXIES", "10.0.0.0/99"],
    ["SERVICE_CORS_ORIGINS", "*"],
    ["SERVICE_CORS_ORIGINS", "https://app.example.com/"],
    ["SERVICE_RATE_LIMIT_SIGN_IN", "60"],
    ["SERVICE_RATE_LIMIT_SIGNIN", "60/60"],
    ["REDIS_URL", "http://redis"],
    ["SERVICE_INITIAL_OWNER_EMAIL", "Ada <ada@example.com>"],
    ["PORT", "-1"],
    ["SERVICE_SIGN_IN_METHODS", "password,SMS"],
  ])("refuses %s=%s and names it", (name, value) => {
    expect(errors({ [name]: value })).toEqual([expect.stringContaining(name)]);
  });

  test.each([
    ["redis://:x@host", { kind: "server", tls: false, login: { password: "x" } }],
    ["rediss://host?cluster=true", { kind: "cluster", tls: true }],
    [
      "rediss+sentinel://some%40one:a%3Ab@one,[::1]:5/main%2F1?sentinel_password=c%26d",
      {
        kind: "sentinel",
        sentinels: [
          { host: "one", port: 26_379 },
          { host: "::1", port: 5 },
        ],
        name: "main/1",
        tls: true,
        login: { username: "some@one", password: "a:b" },
        sentinelLogin: { password: "c&d" },
      },
    ],
  ])("reads REDIS_URL=%s", (url, expected) => {
    expect(parseRedisUrl(url)).toMatchObject(expected);
  });

  test("reads the password of Redis from a file; the refusal of an unreadable file does not contain the URL", () => {
    expect(parseRedisUrl(`redis://host?password_file=${import.meta.path}`)).toMatchObject({
      login: { password: expect.stringContaining("password_file") },
    });
    const [error] = errors({ REDIS_URL: "redis+sentinel://:secret@one/main?password_file=/nowhere" });
    expect(error).toBe("REDIS_URL: must be a URL whose password file can be read");
  });

  test("warns of an unknown variable", () => {
    expect(load({ ...EXTERNAL, SERVICE_JWT_SECERT: "x" }).warnings[0]).toContain("SERVICE_JWT_SECERT");
  });

  test("finds trusted proxies in CIDR ranges of both families, mapped addresses too", () => {
    const { proxies } = load({ ...EXTERNAL, SERVICE_TRUSTED_PROXIES: "10.0.0.0/8, 2001:db8::/32,192.0.2.7" });
    const trusted = ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::1", "192.0.2.7"].map((address) =>
      proxies.contains(address),
    );
    expect(trusted).toEqual([true, true, true, true]);
    expect(["11.0.0.1", "2001:db9::1", "192.0.2.8"].some((address) => proxies.contains(address))).toBe(false);
  });

  test("switches traces on only when asked", () => {
    expect(load({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }).telemetry).toEqual({
      traces: true,
      otlpMetrics: true,
    });
    expect(load({ OTEL_TRACES_EXPORTER: "none" }).telemetry.traces).toBe(false);
    expect(load({ OTEL_TRACES_EXPORTER: "", OTEL_METRICS_EXPORTER: " " }).telemetry).toEqual({
      traces: false,
      otlpMetrics: false,
    });
    const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector:4318" };
    expect(load(traced).telemetry).toEqual({ traces: true, otlpMetrics: false });
    expect(load({ OTEL_TRACES_EXPORTER: "otlp", OTEL_SDK_DISABLED: "true" }).telemetry.traces).toBe(false);
  });

  test("reads the share of traced requests from the setting; the SDK reads all further settings", () => {
    const ratioOf = (sampler: string, argument?: string) =>
      load({ OTEL_TRACES_SAMPLER: sampler, ...(argument === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: argument }) })
        .telemetry.sampledRatio;
    expect(["0.1", "0", "1", " 1e-3 "].map((text) => ratioOf("parentbased_traceidratio", text))).toEqual([
      0.1, 0, 1, 0.001,
    ]);
    for (const text of [undefined, "", "a tenth", "-0.1", "1.1", "NaN", "Infinity"])
      expect(ratioOf("parentbased_traceidratio", text), text).toBeUndefined();
    for (const sampler of ["traceidratio", "always_on", "parentbased_always_off"])
      expect(ratioOf(sampler, "0.1"), sampler).toBeUndefined();
  });
});
