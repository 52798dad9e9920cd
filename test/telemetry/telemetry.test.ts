import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { context, propagation, trace } from "@opentelemetry/api";
import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { inJobSpan, inQuerySpan, inRedisSpan } from "../../src/telemetry/spans.ts";
import { startTelemetry, type Telemetry } from "../../src/telemetry/telemetry.ts";
import { until } from "../support/waiting.ts";

interface Attribute {
  readonly key: string;
  readonly value: Record<string, unknown>;
}

interface ExportedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attribute[];
  readonly events?: unknown[];
  readonly links?: { readonly traceId: string; readonly spanId: string; readonly traceState?: string }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

const off = {
  serviceName: "test",
  serviceVersion: "1.2.3",
  publicBaseUrl: "https://id.example.test",
  clock: systemClock,
  random: systemRandom(systemClock),
  traces: false,
  otlpMetrics: false,
};
const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = (flags: string) => `00-${TRACE_ID}-00f067aa0ba902b7-${flags}`;

function request(route: string, headers: Record<string, string> = {}, trusted = true) {
  const requestId = "5d1f3c5e-0000-7000-8000-000000000001";
  return { method: "POST", route, headers: new Headers(headers), requestId, trusted: () => trusted };
}

function durationMs({ startTimeUnixNano, endTimeUnixNano }: ExportedSpan): number {
  return Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6;
}

function plain(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

describe("with tracing on", () => {
  /** Paths and bodies that a collector received. */
  const received: { path: string; type: string | null; text: string }[] = [];
  const before = { ...process.env };
  let collector: ReturnType<typeof Bun.serve>;
  let telemetry: Telemetry;
  let spans: ExportedSpan[];
  let resource: Record<string, unknown>;
  const seen: Record<string, unknown> = {};

  beforeAll(async () => {
    collector = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(call) {
        const type = call.headers.get("content-type");
        received.push({ path: new URL(call.url).pathname, type, text: await call.text() });
        return Response.json({});
      },
    });
    Object.assign(process.env, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_SERVICE_NAME: "named-by-the-operator",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    });
    telemetry = await startTelemetry({ ...off, traces: true, otlpMetrics: true });
    await exercise();
    seen.prometheus = await telemetry.prometheus();
    await telemetry.shutdown();
    const bodies = received.filter(({ path }) => path === "/v1/traces").map(({ text }) => JSON.parse(text));
    const resourceSpans = bodies.flatMap((body) => body.resourceSpans);
    resource = plain(resourceSpans[0].resource.attributes);
    spans = resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope: { spans: ExportedSpan[] }) => scope.spans));
  });

  /** Performs the operations of a service; the tests below inspect the received exports. */
  async function exercise(): Promise<void> {
    const headers = { traceparent: traceparent("01"), baggage: "who=a@b.c" };
    await telemetry.inRequestSpan(request("/good", headers), children, () => 201);
    await telemetry.inRequestSpan(
      request("/broken"),
      async () => "answer",
      () => 503,
    );
    const failing = () => Promise.reject(new RangeError("quotes hunter2"));
    await telemetry
      .inRequestSpan(
        request("/thrown"),
        () => inQuerySpan(telemetry, "user.insert", failing),
        () => 200,
      )
      .catch((error) => Object.assign(seen, { error }));
    await telemetry.inRequestSpan(
      request("/unsampled", { traceparent: traceparent("00") }),
      () => inQuerySpan(telemetry, "never.seen", async () => Object.assign(seen, { unsampled: telemetry.activeIds() })),
      () => 200,
    );
    for (const flags of ["00", "01"]) {
      const headers = { traceparent: traceparent(flags), tracestate: "stranger=text" };
      const work = () => inQuerySpan(telemetry, `stranger.${flags}`, async () => 1);
      await telemetry.inRequestSpan(request(`/stranger/${flags}`, headers, false), work, () => 200);
    }
    await inQuerySpan(telemetry, "outside.of_requests", async () => 1);
    await Promise.all(["a", "b"].map(sideBySide));
    await deliveries();
  }

  /** The trace context of a request, kept for deferred work of the request. */
  let cause: string | undefined;

  async function children(): Promise<void> {
    cause = telemetry.activeTraceparent();
    Object.assign(seen, { cause, ids: telemetry.activeIds() });
    await Bun.sleep(1);
    await inQuerySpan(telemetry, "session.find", () => Bun.sleep(1));
    await inRedisSpan(telemetry, "GET", async () => 1);
    await inJobSpan(telemetry, "hash", async (report) => {
      await Bun.sleep(20);
      report.startedAt = systemClock.monotonic();
      await Bun.sleep(5);
    });
    await inJobSpan(telemetry, "sign", async () => ({ ok: false, code: "queue_full" }));
  }

  /** Delivers emails: of a sampled request, of an unsampled request, and of a request before traces were enabled. */
  async function deliveries(): Promise<void> {
    const span = (name: string, cause: string | undefined) => ({
      name,
      attributes: { "service.mail.kind": name },
      cause,
    });
    await telemetry.inLinkedSpan(span("mail linked", cause), async () =>
      telemetry.annotate({ "error.type": "failed" }),
    );
    await telemetry.inLinkedSpan(span("mail never", traceparent("00")), async () => 1);
    await telemetry.inLinkedSpan(span("mail never", undefined), async () => 1);
    await telemetry.inLinkedSpan(span("mail never", "nonsense"), async () => 1);
  }

  async function sideBySide(name: string): Promise<void> {
    const work = async () => {
      await Bun.sleep(2);
      await inQuerySpan(telemetry, `of.${name}`, () => Bun.sleep(1));
    };
    await telemetry.inRequestSpan(request(`/side/${name}`), work, () => 200);
  }

  afterAll(async () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    trace.disable();
    context.disable();
    propagation.disable();
    await collector.stop(true);
  });

  function one(name: string): ExportedSpan {
    const found = spans.filter((span) => span.name === name);
    expect(found).toHaveLength(1);
    return found[0] as ExportedSpan;
  }

  test("a request of a trusted peer is a server span below its own, with semantic attributes", () => {
    const span = one("POST /good");
    expect(span).toMatchObject({ kind: 2, traceId: TRACE_ID, parentSpanId: "00f067aa0ba902b7" });
    expect(plain(span.attributes)).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/good",
      "service.request.id": "5d1f3c5e-0000-7000-8000-000000000001",
    });
    expect(Number(plain(span.attributes)["http.response.status_code"])).toBe(201);
    expect(span.status?.code ?? 0).toBe(0);
  });

  test("statements, commands and jobs are its children across awaits, also when requests overlap", () => {
    const { spanId } = one("POST /good");
    expect(one("postgresql session.find")).toMatchObject({ kind: 3, parentSpanId: spanId, traceId: TRACE_ID });
    expect(one("redis GET")).toMatchObject({ kind: 3, parentSpanId: spanId });
    expect(one("worker hash")).toMatchObject({ kind: 1, parentSpanId: spanId });
    expect(plain(one("postgresql session.find").attributes)).toEqual({
      "db.system.name": "postgresql",
      "db.operation.name": "session.find",
      "db.query.summary": "session.find",
    });
    for (const name of ["a", "b"])
      expect(one(`postgresql of.${name}`).parentSpanId).toBe(one(`POST /side/${name}`).spanId);
  });

  test("a request says where clients find the service, by its configuration and not by their headers", () => {
    const { "server.port": port, ...attributes } = plain(one("POST /good").attributes);
    expect(attributes).toMatchObject({ "url.scheme": "https", "server.address": "id.example.test" });
    expect(Number(port)).toBe(443);
  });

  test("a job tells waiting from working, and the code of a failure", () => {
    const { "service.worker.wait.duration": wait, "service.worker.run.duration": run } = plain(
      one("worker hash").attributes,
    );
    expect(Number(wait)).toBeGreaterThan(0.015);
    expect(Number(run)).toBeGreaterThan(0.003);
    const span = one("worker hash");
    expect(Number(wait) + Number(run)).toBeLessThanOrEqual(durationMs(span) / 1000 + 0.001);
    expect(plain(one("worker sign").attributes)["error.type"]).toBe("queue_full");
    expect(one("worker sign").status?.code).toBe(2);
  });

  test("times are finer than milliseconds, and a child lies within its parent", () => {
    expect(
      spans.filter(({ startTimeUnixNano }) => BigInt(startTimeUnixNano) % 1_000_000n !== 0n).length,
    ).toBeGreaterThan(spans.length / 2);
    const parents = new Map(spans.map((span) => [span.spanId, span]));
    for (const child of spans) {
      const parent = parents.get(child.parentSpanId ?? "");
      if (!parent) continue;
      expect(BigInt(child.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(parent.startTimeUnixNano));
      expect(BigInt(child.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(parent.endTimeUnixNano));
    }
  });

  test("later work of a request has a trace of its own, with a link to the request", () => {
    const span = one("mail linked");
    expect(span.traceId).not.toBe(TRACE_ID);
    expect(span.parentSpanId ?? "").toBe("");
    expect(span.links).toMatchObject([{ traceId: TRACE_ID, spanId: one("POST /good").spanId }]);
    expect(plain(span.attributes)).toMatchObject({ "service.mail.kind": "mail linked", "error.type": "failed" });
  });

  test("a failure leaves its type and no message", () => {
    const broken = one("POST /broken");
    expect(broken.status?.code).toBe(2);
    expect(plain(broken.attributes)["error.type"]).toBe("503");
    for (const name of ["POST /thrown", "postgresql user.insert"]) {
      expect(one(name).status).toEqual({ code: 2 });
      expect(plain(one(name).attributes)["error.type"]).toBe("RangeError");
      expect(one(name).events ?? []).toEqual([]);
    }
    expect(String(seen.error)).toBe("RangeError: quotes hunter2");
    expect(received.map(({ text }) => text).join()).not.toContain("hunter2");
  });

  test.each(["00", "01"])(
    "a stranger with flags %s starts a trace of its own, sampled by the operator, with a link",
    (flags) => {
      const span = one(`POST /stranger/${flags}`);
      expect(span.traceId).not.toBe(TRACE_ID);
      expect(span.parentSpanId ?? "").toBe("");
      expect(span.links).toMatchObject([{ traceId: TRACE_ID, spanId: "00f067aa0ba902b7" }]);
      expect(span.links?.[0]?.traceState ?? "").toBe("");
      expect(one(`postgresql stranger.${flags}`).parentSpanId).toBe(span.spanId);
    },
  );

  test("an unsampled request of a trusted caller, and work without a request, make no span", () => {
    expect(spans.filter(({ name }) => /unsampled|never|outside/.test(name))).toEqual([]);
    expect(seen.unsampled).toBeUndefined();
  });

  test("the trace goes out", () => {
    const { spanId } = one("POST /good");
    expect(seen.cause).toBe(`00-${TRACE_ID}-${spanId}-01`);
    expect(seen.ids).toEqual({ trace_id: TRACE_ID, span_id: spanId });
  });

  test("the operator's OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win, for traces and metrics alike", () => {
    const expected = {
      "service.name": "named-by-the-operator",
      "service.version": "1.2.3",
      "deployment.environment.name": "test",
    };
    expect(resource).toMatchObject(expected);
    expect(String(seen.prometheus)).toMatch(/^target_info\{.*service_name="named-by-the-operator"/m);
    expect(String(seen.prometheus)).toMatch(/^target_info\{.*deployment_environment_name="test"/m);
  });

  test("metrics are pushed as well when asked for", () => {
    const pushed = received.filter(({ path }) => path === "/v1/metrics");
    expect(pushed[0]?.type).toBe("application/x-protobuf");
    const text = pushed.map(({ text }) => text).join();
    for (const name of ["db.client.operation.duration", "service.bound.refusals"]) expect(text).toContain(name);
  });
});

describe("with a share of the requests sampled", () => {
  async function withRatio(sampledRatio: number, work: (telemetry: Telemetry) => Promise<void>): Promise<void> {
    const collector = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({}) });
    const before = process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url.origin;
    const telemetry = await startTelemetry({ ...off, traces: true, sampledRatio });
    try {
      await work(telemetry);
    } finally {
      await telemetry.shutdown();
      if (before === undefined) delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
      else process.env.OTEL_EXPORTER_OTLP_ENDPOINT = before;
      for (const api of [trace, context, propagation]) api.disable();
      await collector.stop(true);
    }
  }

  /** Returns the active `traceparent` within a request. */
  const traced = (telemetry: Telemetry, headers: Record<string, string> = {}, trusted = true) =>
    telemetry.inRequestSpan(
      request("/x", headers, trusted),
      async () => telemetry.activeTraceparent(),
      () => 200,
    );

  test("a ratio of 0 traces only the sampled requests of a trusted peer", async () => {
    await withRatio(0, async (telemetry) => {
      expect(await traced(telemetry)).toBeUndefined();
      expect(await traced(telemetry, { traceparent: traceparent("01") }, false)).toBeUndefined();
      expect(await traced(telemetry, { traceparent: traceparent("00") })).toBeUndefined();
      expect(await traced(telemetry, { traceparent: "00-malformed-01" })).toBeUndefined();
      expect(await traced(telemetry, { traceparent: traceparent("01") })).toStartWith(`00-${TRACE_ID}-`);
    });
  });

  test("a ratio of 1 traces all but what a trusted peer does not", async () => {
    await withRatio(1, async (telemetry) => {
      expect(await traced(telemetry)).toEndWith("-01");
      const ofStranger = await traced(telemetry, { traceparent: traceparent("00") }, false);
      expect([ofStranger?.endsWith("-01"), ofStranger?.includes(TRACE_ID)]).toEqual([true, false]);
      expect(await traced(telemetry, { traceparent: traceparent("00") })).toBeUndefined();
    });
  });

  test("later work of a sampled request is traced too, at any ratio", async () => {
    await withRatio(0, async (telemetry) => {
      const span = { name: "mail", attributes: {}, cause: traceparent("01") };
      expect(await telemetry.inLinkedSpan(span, async () => telemetry.activeTraceparent())).toEndWith("-01");
    });
  });
});

describe("with tracing off", () => {
  test("the work is called as it is: no span, no promise in between", async () => {
    const telemetry = await startTelemetry(off);
    const response = Promise.resolve(1);
    expect(telemetry.inSpan("x", 0, {}, () => response)).toBe(response);
    expect(
      telemetry.inRequestSpan(
        request("/x", { traceparent: traceparent("01") }),
        () => response,
        () => 200,
      ),
    ).toBe(response);
    expect(telemetry.activeTraceparent()).toBeUndefined();
    expect(telemetry.activeIds()).toBeUndefined();
    await telemetry.shutdown();
  });
});

describe("metrics", () => {
  const SAMPLE = /^[a-z0-9_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? (-?[0-9.e+-]+|\+Inf|NaN)$/;

  async function seriesOf(telemetry: Telemetry): Promise<string[]> {
    const lines = (await telemetry.prometheus()).split("\n").filter((line) => line && !line.startsWith("#"));
    for (const line of lines) expect(line).toMatch(SAMPLE);
    return lines;
  }

  test("carry the names of the semantic conventions in Prometheus' text", async () => {
    const telemetry = await startTelemetry(off);
    telemetry.metrics.httpRequests("GET", "/v1/users/:id")(200, 0.004);
    telemetry.metrics.signInAttempt("password", "failure");
    telemetry.metrics.observe({
      hashQueue: () => 7,
      hashQueueMax: 128,
      signQueue: () => 2,
      signer: () => "openssl",
      revocationEntries: () => 3,
      revocationsCurrent: () => true,
      stateShared: () => false,
      oldestMailAge: () => 90,
      auditLogLag: () => 7,
      auditLogCosignatureWait: () => 8,
      auditLogBlockers: () => [{ kind: "other_database", seconds: 9 }],
      webhooks: () => [{ state: "failing", webhooks: 2, owners: 1, waiting: 30, oldestAge: 400, overdue: 0 }],
      domains: () => [{ status: "verified", domains: 3 }],
      certificateExpiry: () => 86_400,
      directories: () => [{ state: "silent", directories: 2 }],
    });
    await inQuerySpan(telemetry, "session.find", async () => 1);
    await inRedisSpan(telemetry, "GET", async () => 1);
    await inJobSpan(telemetry, "sign", async () => 1);
    const text = (await seriesOf(telemetry)).join("\n");
    const labels = 'http_request_method="GET",http_route="/v1/users/:id",http_response_status_code="200"';
    expect(text).toContain(
      `http_server_request_duration_seconds_bucket{${labels},otel_scope_name="test",le="0.005"} 1`,
    );
    expect(text).toContain('db_client_operation_duration_seconds_count{db_system_name="postgresql"');
    expect(text).toContain('db_client_operation_duration_seconds_count{db_system_name="redis",db_operation_name="GET"');
    expect(text).toContain('service_worker_job_duration_seconds_count{service_worker_pool="sign"');
    expect(text).toMatch(/^service_sign_in_attempts_total\{.*outcome="failure".*\} 1$/m);
    expect(text).toMatch(/^service_worker_queue_size\{service_worker_pool="hash".*\} 7$/m);
    expect(text).toMatch(/^service_revocations_current.* 1$/m);
    expect(text).toMatch(/^service_state_shared.* 0$/m);
    expect(text).toMatch(/^process_memory_usage_bytes.* [0-9]{7,}$/m);
    expect(text).toMatch(/^process_cpu_time_seconds_total\{cpu_mode="user".*\} [0-9.]+$/m);
    expect(text).toMatch(/^service_mail_oldest_age_seconds.* 90$/m);
    expect(text).toMatch(/^service_audit_log_lag_seconds.* 7$/m);
    expect(text).toMatch(/^service_audit_log_cosignature_wait_seconds.* 8$/m);
    expect(text).toMatch(/^service_audit_log_blocked_time_seconds\{service_audit_log_blocker="other_database".* 9$/m);
    expect(text).toMatch(/^service_webhook_oldest_age_seconds\{service_webhook_state="failing".* 400$/m);
    expect(text).toMatch(/^service_directories\{service_directory_state="silent".* 2$/m);
    expect(text).toMatch(/^service_sso_domains\{service_sso_domain_status="verified".* 3$/m);
    expect(text).toMatch(/^service_webhook_attempts_total\{service_webhook_outcome="given_up".* 0$/m);
    await telemetry.shutdown();
  });

  test("say how long the event loop stood still, since the last look", async () => {
    const telemetry = await startTelemetry(off);
    const none = () => 0;
    const gauges = {
      hashQueue: none,
      hashQueueMax: 128,
      signQueue: none,
      signer: () => undefined,
      revocationEntries: none,
    };
    telemetry.metrics.observe({
      ...gauges,
      revocationsCurrent: () => true,
      stateShared: () => true,
      oldestMailAge: none,
      auditLogLag: none,
      auditLogCosignatureWait: none,
      auditLogBlockers: () => [],
      webhooks: () => [],
      domains: () => [],
      certificateExpiry: () => 86_400,
      directories: () => [],
    });
    const longest = async () =>
      Number(
        (await seriesOf(telemetry))
          .find((line) => line.startsWith("nodejs_eventloop_delay_max_seconds"))
          ?.split(" ")[1],
      );
    await Bun.sleep(50);
    const startedAt = performance.now();
    while (performance.now() - startedAt < 300);
    await Bun.sleep(50);
    const blocked = await longest();
    expect(blocked).toBeGreaterThan(0.2);
    await until("a later look says less", async () => (await longest()) < blocked);
    await telemetry.shutdown();
  });

  test("have the unit in the name, as the exporters of a collector write it, and say it in the UNIT line", async () => {
    const telemetry = await startTelemetry(off);
    telemetry.metrics.httpRequests("GET", "/")(200, 0.1);
    const text = await telemetry.prometheus();
    const units = [...text.matchAll(/^# UNIT (\S+) (\S+)$/gm)];
    expect(units.length).toBeGreaterThan(0);
    for (const [, name = "", unit] of units) expect(name.replace(/_total$/, "")).toEndWith(`_${unit}`);
    expect(text).toContain("# TYPE http_server_request_duration_seconds histogram");
    await telemetry.shutdown();
  });

  test("count requests under way by method, and connections in use and awaited by pool", async () => {
    const telemetry = await startTelemetry(off);
    telemetry.metrics.activeRequests("GET").count += 2;
    telemetry.metrics.activeRequests("GET").count += 1;
    telemetry.metrics.observeConnections({ name: "primary", max: 4, underway: () => 9 });
    const lines = (await seriesOf(telemetry)).map((line) => line.replace(',otel_scope_name="test"', ""));
    expect(lines).toContain('http_server_active_requests{http_request_method="GET",url_scheme="https"} 3');
    const pool = 'db_client_connection_pool_name="primary"';
    expect(lines).toContain(`db_client_connection_count{${pool},db_client_connection_state="used"} 4`);
    expect(lines).toContain(`db_client_connection_max{${pool}} 4`);
    expect(lines).toContain(`db_client_connection_pending_requests{${pool}} 5`);
    await telemetry.shutdown();
  });

  test("10,000 invented methods of a client add one series (G18b)", async () => {
    const telemetry = await startTelemetry(off);
    for (let i = 0; i < 10_000; i += 1) telemetry.metrics.httpRequests(`M${i}`, "_unmatched")(404, 0);
    const counts = (await seriesOf(telemetry)).filter((line) =>
      line.startsWith("http_server_request_duration_seconds_count"),
    );
    expect(counts).toHaveLength(1);
    expect(counts[0]).toContain('http_request_method="_OTHER",http_route="_unmatched"');
    expect(counts[0]).toEndWith(" 10000");
    await telemetry.shutdown();
  });
});
