import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { readDatabaseUrl } from "../../src/base/database-url.ts";
import { parseRedisUrl } from "../../src/base/redis-url.ts";
import { loadConfig } from "../../src/config/config.ts";

const REQUIRED = {
  DATABASE_URL: "postgres://db/x",
  REDIS_URL: "redis://redis",
  SERVICE_JWT_SECRET: "x".repeat(32),
  SERVICE_PUBLIC_BASE_URL: "https://auth.example.com",
  SERVICE_AUDIT_EXPORT_KEY: "key",
  SERVICE_EMAIL_API_KEY: "re_key",
};

const messages = (environment: Record<string, string>) => {
  const config = loadConfig({ ...REQUIRED, ...environment });
  return config.ok ? config.value.warnings : config.error;
};

describe("a URL of PostgreSQL, as hosters print URLs (G440)", () => {
  const login = { user: "app", pass: "secret", database: "main" };

  test.each([
    // Neon, Supabase, Heroku, RDS, DigitalOcean, Prisma.
    ["app:secret@ep-1.neon.tech/main?sslmode=require&channel_binding=require", { ssl: "require" }, ["channel_binding"]],
    ["app:secret@ep-1.neon.tech/main?options=endpoint%3Dep-1&sslmode=verify-full", { ssl: "verify-full" }, []],
    ["app:secret@h:6543/main?pgbouncer=true&connection_limit=1", { port: [6543] }, ["pgbouncer", "connection_limit"]],
    ["app:secret@h:25060/main?sslmode=no-verify", { ssl: "require", port: [25_060] }, []],
    ["app:secret@h/main?schema=public&sslaccept=strict", { ssl: "verify-full" }, ["schema"]],
    ["app:secret@h/main?sslmode=prefer&gssencmode=disable&connect_timeout=10", { ssl: "prefer" }, ["connect_timeout"]],
    ["app:secret@h/main?keepalives=1&keepalives_idle=30", { keep_alive: 30 }, []],
    ["app:secret@h/main?keepalives=0&ssl=true&sslrootcert=system", { keep_alive: null, ssl: "verify-full" }, []],
    ["app:secret@h/main?target_session_attrs=read-write", { target_session_attrs: "read-write" }, []],
    ["app:secret@h/main?target_session_attrs=any&sslmode=disable", { ssl: false }, []],
    ["app:secret@[2001:db8::1]:5433/main", { host: ["2001:db8::1"], port: [5433] }, []],
    ["app:secret@one:5433,two/main", { host: ["one", "two"], port: [5433, 5432] }, []],
    ["app:secret@/main?host=one,two&port=5433,5434", { host: ["one", "two"], port: [5433, 5434] }, []],
    ["app:secret@/main?host=/var/run/postgresql", { path: "/var/run/postgresql/.s.PGSQL.5432" }, []],
    ["app:secret@/main?host=/run/pg/.s.PGSQL.6432", { path: "/run/pg/.s.PGSQL.6432" }, []],
    ["app:secret@h/main?serverVersion=16&charset=utf8", { host: ["h"] }, ["serverVersion", "charset"]],
    ["app:secret@%2Fvar%2Frun%2Fpostgresql:5433/main", { path: "/var/run/postgresql/.s.PGSQL.5433" }, []],
    ["app:secret@/main?host=/cloudsql/project:region:one", { path: "/cloudsql/project:region:one/.s.PGSQL.5432" }, []],
    ["h/main?user=app&password=secret", { host: ["h"] }, []],
  ] as const)("%s is read, with a list of the parameters without an effect", (rest, options, leftOut) => {
    const address = readDatabaseUrl(`postgresql://${rest}`);
    expect(address).toMatchObject({ ...login, ...options } as object);
    expect(address.leftOut).toEqual([...leftOut]);
  });

  test("A name and options for the server are startup parameters, and no further parameter reaches the server.", () => {
    const url = "postgres://h/main?application_name=a%20b&options=-c%20x%3D1&work_mem=1GB";
    expect(readDatabaseUrl(url).connection).toEqual({ application_name: "a b", options: "-c x=1" });
  });

  test("A root certificate verifies as in libpq: `verify-ca` the chain, `verify-full` the name too.", () => {
    const folder = mkdtempSync(join(tmpdir(), "identity-root-"));
    const file = join(folder, "root.pem");
    writeFileSync(file, "certificate");
    const tlsOf = (mode: string) => readDatabaseUrl(`postgres://h/x?sslmode=${mode}&sslrootcert=${file}`).ssl;
    for (const mode of ["require", "verify-ca"])
      expect(tlsOf(mode)).toEqual({
        ca: "certificate",
        rejectUnauthorized: true,
        checkServerIdentity: expect.any(Function),
      });
    expect(tlsOf("verify-full")).toEqual({ ca: "certificate", rejectUnauthorized: true });
    expect(readDatabaseUrl("postgres://h/x?sslmode=verify-ca").ssl).toBe("verify-full");
    rmSync(folder, { recursive: true });
  });

  test("Every password survives percent-encoding, in every variable.", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (password) => {
        const authority = `app:${encodeURIComponent(password)}@host`;
        expect(readDatabaseUrl(`postgres://${authority}/main`)).toMatchObject({ ...login, pass: password });
        expect(parseRedisUrl(`redis://${authority}`).login).toEqual({ username: "app", password });
      }),
    );
  });
});

describe("a URL that cannot be read (G440)", () => {
  const VARIABLES = [
    "DATABASE_URL",
    "DATABASE_READ_URL",
    "SERVICE_MIGRATION_URL",
    "REDIS_URL",
    "SERVICE_SMTP_URL",
    "SERVICE_S3_URL",
  ];
  const schemes: Record<string, string> = { REDIS_URL: "redis", SERVICE_SMTP_URL: "smtp", SERVICE_S3_URL: "https" };
  const endpointOf = (url: string) => {
    const address = parseRedisUrl(url);
    return address.kind === "sentinel" ? undefined : address.endpoint.host;
  };
  const schemeOf = (name: string) => schemes[name] ?? "postgres";

  test.each(VARIABLES)(
    "%s: the message names the character of the password, and repeats no part of the value",
    (name) => {
      for (const [character, written] of [
        ["/", "%2F"],
        ["#", "%23"],
        ["?", "%3F"],
        ["%", "%25"],
      ] as const) {
        for (const password of [
          `sec${character}ret`,
          `12${character}3`,
          `a@b${character}zc`,
          `${character}x${character}`,
          `12${character}sec&ret`,
          `12${character}sec=ret&x`,
        ]) {
          const url = `${schemeOf(name)}://app:${password}@host/0`;
          const expected = `a URL whose password is percent-encoded: ${character} is written ${written}`;
          expect(messages({ [name]: url })).toEqual([`${name}: must be ${expected}`]);
        }
      }
    },
  );

  test.each(VARIABLES)("%s: any password is read as a whole, or refused without a part of it (G425)", (name) => {
    const part = fc.constantFrom("QZJ", "12", "@", ":", "/", "?", "#", "%", "&", "=", "[", "]", ",", "+", " ", "ssl");
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const password = parts.join("");
        const url = `${schemeOf(name)}://app:${password}@host/0`;
        const told = messages({ [name]: url }).join(" ");
        expect(told).not.toMatch(/QZJ|ssl|host\/0/);
        if (told.includes("must be") || !["postgres", "redis"].includes(schemeOf(name))) return;
        const [host, pass] =
          schemeOf(name) === "postgres"
            ? [readDatabaseUrl(url).host?.[0], readDatabaseUrl(url).pass]
            : [endpointOf(url), parseRedisUrl(url).login.password];
        expect([host, pass]).toEqual(["host", decodeURIComponent(password)]);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["postgres://app:secret@h:54x/main", "port"],
    ["postgres://app:secret@h/main?application_name=me@x", "@ is written %40"],
    ["postgres://app:12?secret&x@h/main", "? is written %3F"],
    ["postgres://app:12?secret=x@h/main", "? is written %3F"],
    ["postgres://app:secret@2001:db8::1/main", "IPv6 address in brackets"],
    ["postgres://app:secret@h/main?sslmode=requir", "sslmode is one of"],
    ["postgres://app:secret@h/main?sslmod=require", "without the parameter sslmod"],
    ["postgres://app:secret@h/main?require_auth=scram-sha-256", "without the parameter require_auth"],
    ["postgres://app:secret@h/main?sslrootcert=/nowhere/secret.pem", "sslrootcert names a file that can be read"],
    ["postgres://app:secret@h/main?target_session_attrs=leader", "target_session_attrs is one of"],
    ["postgres://app:secret@/main?host=/run/one,/run/two", "the folder of one Unix socket"],
    ["'postgres://app:secret@h/main'", "without quotation marks"],
    ["mysql://app:secret@h/main", "starts with postgres:// or postgresql://"],
    ["postgres://app:%E4@h/main", "password is percent-encoded UTF-8"],
  ])("%s is refused with the part and the next step", (url, part) => {
    const [message, ...further] = messages({ DATABASE_URL: url });
    expect(message).toStartWith("DATABASE_URL: must be ");
    expect(message).toContain(part);
    expect(message).not.toMatch(/secret|requir\b|leader|54x|2001:db8::1\/|nowhere/);
    expect(further).toEqual([]);
  });

  test("A Redis URL that asks for TLS by a parameter needs rediss://.", () => {
    expect(messages({ REDIS_URL: "redis://h?ssl=true" })).toEqual([
      "REDIS_URL: must be a URL that starts with rediss:// for TLS",
    ]);
  });

  test("Parameters without an effect are one line at the start, by variable, without values.", () => {
    const url = "postgres://h/x?schema=a&channel_binding=require&pass@word";
    expect(messages({ DATABASE_URL: "postgres://h/x?schema=a&channel_binding=require" })).toEqual([
      "DATABASE_URL: without effect: schema, channel_binding (docs/configuration.md)",
    ]);
    expect(messages({ DATABASE_URL: url })[0]).toContain("must be a URL whose password is percent-encoded");
    expect(messages({ REDIS_URL: "rediss://h:1/0?ssl_cert_reqs=none&family=0" })).toEqual([
      "REDIS_URL: without effect: ssl_cert_reqs (docs/configuration.md)",
    ]);
  });
});
