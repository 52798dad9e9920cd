import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from "@opentelemetry/api";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { MeterProvider, type MetricReader } from "@opentelemetry/sdk-metrics";
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions";
import type { Clock } from "./clock.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

/**
 * Traces and metrics. Spans are created explicitly, one per request, query, Redis command and worker job: automatic
 * instrumentation of each phase costs most of the throughput and exports bodies with passwords (docs/decisions/0005).
 * Spans hold names and numbers only; never a header, a body or client input (G24).
 */
export interface Telemetry {
  /** False when tracing is off: work then runs without spans and without their cost. */
  readonly tracing: boolean;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /**
   * Runs work in the server span of a request, if it is sampled. The W3C trace context of a trusted peer is its parent,
   * and the sampler follows it. The context of any other peer becomes a link from a new trace: an untrusted client
   * controls neither sampling nor trace ids (W3C Trace Context, section 3.4, "Restart trace").
   */
  inRequestSpan<T>(facts: RequestFacts, work: () => Promise<T>, statusOf: (result: T) => number): Promise<T>;
  inSpan<T>(name: string, kind: SpanKind, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Trace and span id of the active span, for log lines. */
  activeIds(): { readonly trace_id: string; readonly span_id: string } | undefined;
  /** Adds `traceparent` of the active span to outgoing headers (W3C Trace Context). */
  injectContext(carrier: Record<string, string>): void;
  /** All metrics of this process in the Prometheus text format. */
  prometheus(): Promise<string>;
  shutdown(): Promise<void>;
}

export interface RequestFacts {
  readonly method: string;
  /** The route template, never the path. */
  readonly route: string;
  readonly headers: Headers;
  readonly requestId: string;
  /** Whether the trace context of the peer is accepted as parent. */
  readonly trusted: boolean;
}

export interface TelemetryOptions {
  readonly serviceName: string;
  readonly serviceVersion: string;
  readonly clock: Clock;
  /** Whether traces are exported. The SDK reads exporter and endpoint from OTEL_*. */
  readonly traces: boolean;
  readonly otlpMetrics: boolean;
}

const headerGetter: TextMapGetter<Headers> = {
  get: (headers, key) => headers.get(key) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const prometheusReader = new PrometheusExporter({ preventServerStart: true });
  const readers: MetricReader[] = [prometheusReader, ...(options.otlpMetrics ? [await otlpMetricReader()] : [])];
  const resource = describeService(options);
  const meterProvider = new MeterProvider({ readers, resource });
  const serializer = new PrometheusSerializer();
  const stopTracing = options.traces ? await startTracing(resource) : undefined;
  const tracer = trace.getTracer(options.serviceName, options.serviceVersion);

  function inSpan<T>(name: string, kind: SpanKind, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    // Outside of a sampled request nothing would be exported.
    if (!options.traces || !trace.getActiveSpan()) return work();
    return runInSpan(tracer.startSpan(name, { kind, attributes }), work);
  }

  return {
    tracing: options.traces,
    clock: options.clock,
    metrics: createMetrics(meterProvider.getMeter(options.serviceName)),
    inSpan,
    inRequestSpan(facts, work, statusOf) {
      if (!options.traces) return work();
      const received = facts.headers.has("traceparent")
        ? propagation.extract(context.active(), facts.headers, headerGetter)
        : context.active();
      const parent = facts.trusted ? received : context.active();
      const links = facts.trusted ? [] : linksTo(received);
      const attributes = {
        "http.request.method": facts.method,
        "http.route": facts.route,
        "service.request.id": facts.requestId,
      };
      const span = tracer.startSpan(
        `${facts.method} ${facts.route}`,
        { kind: SpanKind.SERVER, attributes, links },
        parent,
      );
      // Not sampled, by the sampler or a trusted peer: the request runs without a context.
      if (!span.isRecording()) return work();
      return runInSpan(span, async () => {
        const result = await work();
        markStatus(span, statusOf(result));
        return result;
      });
    },
    activeIds() {
      const active = trace.getActiveSpan()?.spanContext();
      return active && { trace_id: active.traceId, span_id: active.spanId };
    },
    injectContext(carrier) {
      if (trace.getActiveSpan()) propagation.inject(context.active(), carrier);
    },
    async prometheus() {
      const { resourceMetrics } = await prometheusReader.collect();
      return serializer.serialize(resourceMetrics);
    },
    async shutdown() {
      await stopTracing?.();
      await meterProvider.shutdown();
    },
  };
}

/** A link to the span of a context, by its ids only: `tracestate` is free text of the client. */
function linksTo(received: Context): Link[] {
  const remote = trace.getSpanContext(received);
  if (!remote) return [];
  const { traceId, spanId, traceFlags } = remote;
  return [{ context: { traceId, spanId, traceFlags, isRemote: true } }];
}

/** Runs the work with the span active, so that inner spans become its children, and always ends the span. */
async function runInSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    // Only the type: messages of drivers can quote client input.
    const type = error instanceof Error ? error.name : "unknown";
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute("error.type", type);
    throw error;
  } finally {
    span.end();
  }
}

function markStatus(span: Span, status: number): void {
  span.setAttribute("http.response.status_code", status);
  if (status < 500) return;
  span.setAttribute("error.type", String(status));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Name and version of the service, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES override them. */
function describeService({ serviceName, serviceVersion }: TelemetryOptions): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: serviceName, [ATTR_SERVICE_VERSION]: serviceVersion }))
    .merge(detectResources({ detectors: [envDetector] }));
}

/** The SDK is imported only here: without tracing it costs neither memory nor start-up time. */
async function startTracing(resource: Resource): Promise<() => Promise<void>> {
  const { NodeSDK } = await import("@opentelemetry/sdk-node");
  const sdk = new NodeSDK({
    // Not `serviceName`: the SDK would prefer it to OTEL_SERVICE_NAME.
    resource,
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  return () => sdk.shutdown();
}

async function otlpMetricReader(): Promise<MetricReader> {
  const [{ OTLPMetricExporter }, { PeriodicExportingMetricReader }] = await Promise.all([
    import("@opentelemetry/exporter-metrics-otlp-proto"),
    import("@opentelemetry/sdk-metrics"),
  ]);
  return new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() });
}

/**
 * Runs a statement in the span `postgresql <name>`. Names are constants such as `session.rotate`: no SQL, no values.
 */
export function inQuerySpan<T>(telemetry: Telemetry, statement: string, work: () => Promise<T>): Promise<T> {
  const attributes = { "db.system.name": "postgresql", "db.operation.name": statement, "db.query.summary": statement };
  return timed(
    telemetry,
    () => telemetry.inSpan(`postgresql ${statement}`, SpanKind.CLIENT, attributes, work),
    (seconds) => telemetry.metrics.databaseOperation("postgresql", statement, seconds),
  );
}

/** Runs a Redis command, or a script by its name, in a span. Keys are left out: they can identify an account. */
export function inRedisSpan<T>(telemetry: Telemetry, command: string, work: () => Promise<T>): Promise<T> {
  const attributes = { "db.system.name": "redis", "db.operation.name": command };
  return timed(
    telemetry,
    () => telemetry.inSpan(`redis ${command}`, SpanKind.CLIENT, attributes, work),
    (seconds) => telemetry.metrics.databaseOperation("redis", command, seconds),
  );
}

/** Runs a job of a worker pool in a span, the wait in its queue included. */
export function inJobSpan<T>(telemetry: Telemetry, pool: string, work: () => Promise<T>): Promise<T> {
  return timed(
    telemetry,
    () => telemetry.inSpan(`worker ${pool}`, SpanKind.INTERNAL, { "service.worker.pool": pool }, work),
    (seconds) => telemetry.metrics.workerJob(pool, seconds),
  );
}

async function timed<T>(telemetry: Telemetry, work: () => Promise<T>, record: (seconds: number) => void): Promise<T> {
  const startedAt = telemetry.clock.monotonic();
  try {
    return await work();
  } finally {
    record((telemetry.clock.monotonic() - startedAt) / 1000);
  }
}
