import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import type postgres from "postgres";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { CODE, codeIn, MailProvider, otherCode } from "../support/mail.ts";
import { codeOf, enrolled, passwordShown, wrongCode } from "../support/mfa.ts";
import { CALLBACK, codeFor, exchange, personWithBrowser, refreshAt } from "../support/oauth.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { type Replica, startReplica, TEST_SECRET } from "../support/replica.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { until } from "../support/waiting.ts";

/** The received exports of the collector, as text. */
const received: string[] = [];
let collector: ReturnType<typeof Bun.serve>;
let replica: Replica;
let sql: postgres.Sql;
let mail: MailProvider;
let databaseUrl: string;

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: { readonly key: string; readonly value: Record<string, unknown> }[];
}

const spans = (): Span[] =>
  received.flatMap((text) =>
    (JSON.parse(text).resourceSpans ?? []).flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
      resource.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );

const exporting = () => ({
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "none",
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.origin,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_BSP_SCHEDULE_DELAY: "50",
});

beforeAll(async () => {
  collector = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (new URL(request.url).pathname === "/v1/traces") received.push(await request.text());
      return Response.json({});
    },
  });
  mail = new MailProvider();
  databaseUrl = await freshDatabase();
  sql = openSql(databaseUrl);
  replica = await startReplica({
    DATABASE_URL: databaseUrl,
    REDIS_URL: await redisUrl(),
    SERVICE_LOG_LEVEL: "trace",
    SERVICE_RATE_LIMITS: "on",
    SERVICE_TRUSTED_PROXIES: "127.0.0.1",
    SERVICE_EMAIL_API_URL: mail.url,
    SERVICE_EMAIL_API_KEY: "re_a_key_to_look_for",
    ...exporting(),
  });
});
afterAll(async () => {
  await replica.stop();
  await collector.stop(true);
});

describe("traces", () => {
  test("have one span per request, in a trusted proxy's context, over statements, commands and jobs", async () => {
    const { email } = await registered(replica.url);
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const response = await new Client(replica.url).post("/v1/auth/login", { email, password: PASSWORD }, { headers });
    expect(response.headers.get("traceparent")).toStartWith(`00-${traceId}-`);
    const ofTrace = () => spans().filter((span) => span.traceId === traceId);
    await until("the spans arrive", async () => ofTrace().some((span) => span.name === "POST /v1/auth/login"));
    const names = ofTrace().map((span) => span.name);
    expect(names).toContain("postgresql user.find_sign_in_candidate");
    expect(names).toContain("postgresql sign_in.finish");
    expect(names).toContain("redis EVALSHA claim");
    expect(names).toContain("worker hash");
    expect(names).toContain("worker sign");
    const request = ofTrace().find((span) => span.name === "POST /v1/auth/login");
    expect(request?.parentSpanId).toBe("00f067aa0ba902b7");
    const attributes = Object.fromEntries(
      request?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [],
    );
    expect(attributes).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/v1/auth/login",
      "service.request.id": response.headers.get("x-request-id"),
    });
    expect(Number(attributes["http.response.status_code"])).toBe(200);
    const child = ofTrace().find((span) => span.name === "postgresql sign_in.finish");
    expect(child?.parentSpanId).toBe(String(request?.spanId));
    await until("the log has the trace", async () => replica.output().includes(`"trace_id":"${traceId}"`));
  });

  test("are recorded as the operator's sampler says, whatever a stranger's traceparent asks for", async () => {
    const strange = "4bf92f3577b34da6a3ce929d0e0e4737";
    const cases = [
      ["always_on", "", "00", true],
      ["parentbased_always_on", "", "00", true],
      ["parentbased_always_off", "", "01", false],
      ["parentbased_traceidratio", "1", "00", true],
      ["parentbased_traceidratio", "0", "01", false],
    ] as const;
    const expectCase = async ([sampler, argument, flags, recorded]: (typeof cases)[number]) => {
      const sampling = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument };
      const open = await startReplica({ DATABASE_URL: databaseUrl, ...exporting(), ...sampling });
      const headers = { traceparent: `00-${strange}-00f067aa0ba902b7-${flags}` };
      const answered = (await new Client(open.url).get("/healthz", { headers })).headers.get("traceparent");
      expect([sampler, answered !== null, answered?.includes(strange) ?? false]).toEqual([sampler, recorded, false]);
      await open.stop();
    };
    await Promise.all(cases.map(expectCase));
    expect(spans().filter(({ traceId }) => traceId === strange)).toEqual([]);
  });

  test.each([
    ["right", 200, ["EVALSHA recordAttempt"], ["mfa.find_challenged", "sign_in.finish"]],
    ["wrong", 401, ["EVALSHA recordAttempt"], ["mfa.find_challenged", "mfa.record_miss"]],
  ])(
    "show that a challenge with a %s code, its rate limit included, costs one call of Redis and two of PostgreSQL",
    async (kind, status, redis, postgresql) => {
      const { email, secret } = await enrolled({ one: replica, sql });
      const mfa_token = await passwordShown(replica.url, email);
      const traceId = randomBytes(16).toString("hex");
      const code = kind === "right" ? codeOf(secret) : wrongCode(secret);
      const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
      const response = await new Client(replica.url).post("/v1/auth/mfa/challenge", { mfa_token, code }, { headers });
      expect([response.status, response.headers.has("ratelimit")]).toEqual([status, true]);
      const names = () => spans().flatMap((span) => (span.traceId === traceId ? [span.name] : []));
      await until("the spans arrive", async () => names().includes("POST /v1/auth/mfa/challenge"));
      const ofSystem = (system: string) =>
        names().flatMap((name) => (name.startsWith(`${system} `) ? [name.slice(system.length + 1)] : []));
      expect(ofSystem("redis")).toEqual(redis);
      expect(ofSystem("postgresql").sort()).toEqual(postgresql);
    },
  );
});

/**
 * Returns the secrets that an application and a user exchange during a sign-in with a refused and a granted request.
 */
async function signedInApplication(): Promise<readonly string[]> {
  const { client } = await steppedUpAdmin({ one: replica, sql }, "owner");
  const settings = {
    name: "Wiki",
    token_endpoint_auth_method: "client_secret_basic",
    grant_types: ["authorization_code", "refresh_token"],
    redirect_uris: [CALLBACK],
    first_party: true,
  };
  const { client_id: id, client_secret: secret } = (await client.post("/v1/admin/oauth-clients", settings)).body;
  const wiki = { id, secret, redirectUri: CALLBACK };
  const { browser } = await personWithBrowser({ one: replica });
  const code = await codeFor(wiki, browser);
  const tokens = (await exchange(replica.url, wiki, code)).body;
  await refreshAt(replica.url, { ...wiki, secret: code.code }, tokens.refresh_token);
  await exchange(replica.url, wiki, code);
  return [secret, code.code, code.pkce.verifier, tokens.access_token, tokens.refresh_token, tokens.id_token];
}

describe("logs, spans, metrics and errors", () => {
  test("hold no password, token, cookie, secret or email address, whatever happens (G24)", async () => {
    const person = await registered(replica.url);
    const cautious = await enrolled({ one: replica, sql });
    const mfaToken = await passwordShown(replica.url, cautious.email);
    const totp = { right: codeOf(cautious.secret), wrong: wrongCode(cautious.secret) };
    const [recoveryCode = "", usedCode = ""] = cautious.recoveryCodes;
    await cautious.client.post("/v1/auth/trusted-browsers");
    const second = await signedIn(replica.url, person.email);
    const wrong = "a wrong password to look for";
    const responses = [
      await new Client(replica.url).post("/v1/auth/login", { email: person.email, password: wrong }),
      await new Client(replica.url).post("/v1/auth/register", {
        organization_name: "x",
        email: person.email,
        password: wrong,
      }),
      await new Client(replica.url).post("/v1/auth/login", `{"email":"${person.email}","password":`),
      await second.client.post("/v1/auth/refresh"),
      await second.client.get("/v1/auth/session", { bearer: `${second.accessToken}x` }),
      await second.client.post("/v1/auth/logout"),
      await new Client(replica.url).get(`/v1/${person.accessToken}`, { documented: false }),
      await new Client(replica.url).post("/v1/auth/login", { email: newEmail(), password: `\u0000${wrong}` }),
      await new Client(replica.url).post("/v1/auth/mfa/challenge", { mfa_token: mfaToken, code: totp.wrong }),
      await new Client(replica.url).post("/v1/auth/mfa/challenge", { mfa_token: mfaToken, recovery_code: usedCode }),
      await cautious.client.post("/v1/auth/mfa/verify", { code: totp.right }),
      await cautious.client.post("/v1/auth/mfa/verify", { recovery_code: recoveryCode }),
      await cautious.client.post("/v1/auth/mfa/disable", { password: wrong }),
      await new Client(replica.url).post("/v1/auth/email-otp/request", { email: person.email }),
      await new Client(replica.url).post("/v1/auth/email-otp/request", { email: newEmail() }),
    ];
    const emailCode = codeIn((await mail.mailsTo(person.email, CODE))[0]);
    responses.push(
      await new Client(replica.url).post("/v1/auth/email-otp/verify", {
        email: person.email,
        code: otherCode(emailCode),
      }),
      await new Client(replica.url).post("/v1/auth/email-otp/verify", { email: person.email, code: emailCode }),
    );
    const application = await signedInApplication();
    const owner = await steppedUpOwner({ one: replica, sql });
    const { key } = await keyOf(owner.client, accountsOf(owner.organizationId), ["members.list"]);
    responses.push(
      await new Client(replica.url).get("/v1/auth/session", { bearer: key }),
      await new Client(replica.url).get("/v1/auth/sessions", { bearer: key }),
      await new Client(replica.url).get("/v1/auth/session", { bearer: `${key}x` }),
    );
    const metrics = (await new Client(replica.url).get("/metrics")).text;
    await Bun.sleep(300);
    const refusals = responses.filter((response) => response.status >= 400).map((response) => response.text);
    const everything = [replica.output(), ...received, metrics, ...refusals].join("\n");
    expect(everything.length).toBeGreaterThan(10_000);
    const cookies = ["service_at", "service_rt", "service_csrf"].map((name) => person.client.cookie(name) ?? "");
    for (const secret of [
      PASSWORD,
      wrong,
      person.accessToken,
      second.accessToken,
      ...cookies,
      TEST_SECRET,
      person.email,
      cautious.email,
      cautious.secret,
      cautious.client.cookie("service_trust") ?? "",
      "re_a_key_to_look_for",
      mfaToken,
      recoveryCode,
      usedCode,
      ...application,
      key,
      key.slice(11),
    ]) {
      expect(secret.length).toBeGreaterThan(8);
      expect(everything.includes(secret)).toBe(false);
    }
    // Six digits may occur by chance in a time or an identifier; the digits must not occur as a separate value.
    for (const code of [totp.right, totp.wrong, emailCode]) {
      expect(everything).not.toMatch(new RegExp(`(?<![\\w.:-])${code}(?![\\w.:-])`));
    }
    expect(everything).not.toContain("PRIVATE KEY");
    expect(everything).not.toContain("$argon2id$");
  });
});
