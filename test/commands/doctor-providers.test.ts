/** `doctor` with each failure of Redis and of the email provider: the cause by name, and the next step (G442). */
import { describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { examineMail } from "../../src/flows/operations/examine-mail.ts";
import { completeSocialConfig } from "../../src/models/social-provider/presets.ts";
import { reportEviction } from "../../src/state/eviction.ts";
import type { GivenSocialConfig } from "../../src/vocabulary/social-provider-config.ts";
import { testCertificate } from "../support/certificate.ts";
import { runService } from "../support/replica.ts";
import { freshDatabase, openSql, startRedis } from "../support/services.ts";

const MAIL = { apiUrl: "http://127.0.0.1:9", apiKey: undefined, smtpUrl: undefined } as const;

async function doctorOf(check: string, env: Record<string, string>) {
  const { code, output } = await runService(["doctor", "--json"], { DATABASE_URL: await freshDatabase(), ...env });
  const found = JSON.parse(output).checks.find((each: { check: string }) => each.check === check);
  return { code, ...found };
}

async function smtp(options: SMTPServerOptions): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ["STARTTLS"], logger: false, ...options });
  server.on("error", () => undefined);
  const port = await new Promise<number>((listening) => {
    const bound = server.listen(0, "127.0.0.1", () => listening((bound.address() as { port: number }).port));
  });
  return { port, close: () => new Promise((closed) => server.close(() => closed())) };
}

const reportOf = (smtpUrl: string) => examineMail({ ...MAIL, smtpUrl } as Parameters<typeof examineMail>[0]);
const signIn: SMTPServerOptions = {
  authOptional: false,
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    username === "app" && password === "secret-word"
      ? done(null, { user: "app" })
      : done(Object.assign(new Error("5.7.8 bad"), { responseCode: 535 })),
};

describe("social providers", () => {
  test("A provider that cannot be applied, and a trust in every address of a domain, are warnings.", async () => {
    const databaseUrl = await freshDatabase();
    const sql = openSql(databaseUrl);
    const store = (key: string, trust: string, auth: string) => {
      const given = { enabled: true, client_id: "app", email_trust: trust, token_auth: auth } as const;
      const config = completeSocialConfig({ ...given, email_domains: ["a.test"] } as GivenSocialConfig, key);
      return sql`
        insert into social_providers (provider, config, identity_epoch, revision, created_at, updated_at)
        values (${key}, ${sql.json(config as never)}, 0, 1, now(), now())`;
    };
    const found = () => doctorOf("social providers", { DATABASE_URL: databaseUrl });
    expect(await found()).toMatchObject({ level: "ok", detail: "none enabled" });
    await store("trusting", "always", "none");
    expect(await found()).toMatchObject({
      code: 0,
      level: "warning",
      detail: "email_trust is always: trusting (trusting)",
    });
    await store("sealed", "claim", "client_secret_basic");
    const detail = "enabled, but cannot be applied: sealed (sealed)";
    expect(await found()).toMatchObject({ level: "warning", detail });
  });
});

describe("Redis", () => {
  test("A wrong, a missing and an unknown login are failures with exit code 1.", async () => {
    const { port } = await startRedis(["--requirepass", "right"]);
    const { code, level, detail, remedy } = await doctorOf("REDIS_URL", {
      REDIS_URL: `redis://:wrong@127.0.0.1:${port}`,
    });
    expect([code, level]).toEqual([1, "failure"]);
    expect(detail).toStartWith("the login is refused: WRONGPASS");
    expect(remedy).toContain("password of REDIS_URL");
    for (const login of ["", "nouser:right@"])
      expect(await reportEviction(`redis://${login}127.0.0.1:${port}`)).toMatchObject({ kind: "login" });
    expect(await reportEviction(`redis://:right@127.0.0.1:${port}`)).toMatchObject({ kind: "known" });
  });

  test("An unreachable address and TLS to a plain port have a cause by name.", async () => {
    const { port } = await startRedis();
    const causeOf = async (url: string) => {
      const report = await reportEviction(url);
      return report.kind === "away" ? report.detail : report.kind;
    };
    expect(await causeOf("redis://127.0.0.1:1")).toBe("nothing listens at the address");
    expect(await causeOf("redis://nowhere.invalid")).toBe("the name cannot be resolved");
    expect(await causeOf(`rediss://127.0.0.1:${port}`)).toMatch(/^(?:no response$|the server)/);
  });
});

describe("SMTP", () => {
  test("A usable server is reported with what the service saw: TLS, and the login.", async () => {
    const { key, cert, file } = testCertificate();
    const tls = await smtp({ ...signIn, key, cert, disabledCommands: [] });
    const env = { SERVICE_SMTP_URL: `smtp://app:secret-word@localhost:${tls.port}`, NODE_EXTRA_CA_CERTS: file };
    expect(await doctorOf("email", env)).toMatchObject({
      code: 0,
      level: "ok",
      detail: "by SMTP, with TLS, signed in",
    });
    const plain = await smtp(signIn);
    expect(await reportOf(`smtp://app:secret-word@127.0.0.1:${plain.port}`)).toMatchObject({
      way: "by SMTP, without TLS, signed in",
      warning: expect.stringContaining("in the clear"),
    });
    await Promise.all([tls.close(), plain.close()]);
  });

  test("A refused login is a failure with exit code 1, and the password is in no line.", async () => {
    const server = await smtp(signIn);
    const url = `smtp://app:wrong-word@127.0.0.1:${server.port}`;
    const { code, level, detail, remedy } = await doctorOf("email", { SERVICE_SMTP_URL: url });
    expect([code, level]).toEqual([1, "failure"]);
    expect(detail).toStartWith("the login is refused (535");
    expect(detail + remedy).not.toContain("wrong-word");
    await server.close();
  });

  test("Each cause of a connection without a reply has a name and a next step.", async () => {
    const { key, cert } = testCertificate();
    const [plain, implicit, starttls, noLogin, busy] = await Promise.all([
      smtp({}),
      smtp({ secure: true, key, cert }),
      smtp({ key, cert, disabledCommands: [] }),
      smtp({ disabledCommands: ["AUTH", "STARTTLS"] }),
      smtp({ onConnect: (_session, done) => done(Object.assign(new Error("4.7.0 busy"), { responseCode: 421 })) }),
    ]);
    const mute = createServer(() => undefined);
    const silent = await listen(mute);
    // The alert `internal_error` (RFC 8446, section 6), as OpenSMTPD 6.8 with OpenSSL 3 sends the alert.
    const alerting = createServer((socket) =>
      socket.once("data", () => socket.end(Buffer.from("15030300020250", "hex"))),
    );
    const alert = await listen(alerting);
    const expected = [
      ["smtp://127.0.0.1:1", "away", "nothing listens at the address", "check host and port"],
      ["smtp://nowhere.invalid", "refused", "the name cannot be resolved", "DNS"],
      [`smtps://127.0.0.1:${plain.port}`, "refused", "the server speaks no TLS at this port", "smtp:// (STARTTLS"],
      [`smtp://127.0.0.1:${implicit.port}`, "away", "no greeting of an SMTP server", "needs smtps://"],
      [`smtps://127.0.0.1:${implicit.port}`, "refused", "the certificate is of an unknown authority", "NODE_EXTRA_CA"],
      [`smtp://127.0.0.1:${starttls.port}`, "refused", "the certificate is of an unknown authority", "NODE_EXTRA_CA"],
      [`smtp://u:p@127.0.0.1:${noLogin.port}`, "refused", "the login is refused (500)", "a URL without user"],
      [`smtp://127.0.0.1:${busy.port}`, "refused", "the server refused the connection (421 4.7.0)", "see the reply"],
      [`smtps://127.0.0.1:${alert}`, "refused", "the server ended the TLS handshake (internal error)", "see the log"],
      [`smtp://127.0.0.1:${silent}`, "away", "no greeting of an SMTP server", "needs smtps://"],
    ] as const;
    const reports = await Promise.all(expected.map(([url]) => reportOf(url)));
    expect(reports).toEqual(
      expected.map(([, kind, cause, remedy]) => ({ kind, cause, remedy: expect.stringContaining(remedy) })),
    );
    mute.close();
    alerting.close();
    await Promise.all([plain, implicit, starttls, noLogin, busy].map((each) => each.close()));
  }, 30_000);
});

async function listen(server: Server): Promise<number> {
  return await new Promise<number>((listening) => {
    server.listen(0, "127.0.0.1", () => listening((server.address() as { port: number }).port));
  });
}

describe("the HTTP provider of email", () => {
  test.each([
    [200, "ok", "by 127.0.0.1"],
    [404, "ok", "by 127.0.0.1"],
    [401, "failure", "the provider returns status 401"],
    [403, "failure", "the provider returns status 403"],
    [500, "warning", "the provider returns status 500"],
  ])("status %p of the probe: %s", async (status, level, detail) => {
    const provider = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("{}", { status }) });
    const env = { SERVICE_EMAIL_API_URL: `http://127.0.0.1:${provider.port}`, SERVICE_EMAIL_API_KEY: "re_key" };
    const found = await doctorOf("email", env);
    expect(found.level).toBe(level);
    expect(found.detail).toStartWith(detail);
    expect(found.code).toBe(level === "failure" ? 1 : 0);
    await provider.stop(true);
  });

  test("An unreachable provider is a warning with the cause.", async () => {
    const settings = { ...MAIL, apiUrl: "http://127.0.0.1:1", apiKey: "re_key" };
    expect(await examineMail(settings as Parameters<typeof examineMail>[0])).toMatchObject({
      kind: "away",
      cause: "nothing listens at the address",
    });
  });
});
