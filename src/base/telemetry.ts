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
 * Traces and metrics. Spans are made by hand, one per request, query, Redis command and worker job: tracing each phase of a
 * request by instrumentation costs most of its rate and exports bodies with passwords (docs/decisions/0005). Spans hold
 * names and numbers alone; never a header, a body or what a client wrote.
 */
export interface Telemetry {
  /** False when nobody asked for traces: then spans cost nothing, the work is called as it is. */
  readonly tracing: boolean;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /**
   * The server span of a request, if it is sampled. The W3C trace context of a trusted peer is its parent, and decides on sampling with
   * the operator's sampler. Of anybody else it is a link from a new trace: a stranger decides neither what is recorded nor into which
   * trace (W3C Trace Context, section 3.4, "Restart trace").
   */
  inRequestSpan<T>(facts: RequestFacts, work: () => Promise<T>, statusOf: (result: T) => number): Promise<T>;
  inSpan<T>(name: string, kind: SpanKind, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Trace and span id of the active span, for log lines. */
  activeIds(): { readonly trace_id: string; readonly span_id: string } | undefined;
  /** Adds `traceparent` of the active span to headers that go out (W3C Trace Context). */
  injectContext(carrier: Record<string, string>): void;
  /** The metrics in Prometheus' text format. */
  prometheus(): Promise<string>;
  shutdown(): Promise<void>;
}

export interface RequestFacts {
  readonly method: string;
  /** Template, never the path itself. */
  readonly route: string;
  readonly headers: Headers;
  readonly requestId: string;
  /** Whether the peer's trace context counts. */
  readonly trusted: boolean;
}

export interface TelemetryOptions {
  readonly serviceName: string;
  readonly serviceVersion: string;
  readonly clock: Clock;
  /** Whether traces are exported; where to and how, the SDK reads from OTEL_*. */
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
    // Below a request that was not sampled, and outside of requests, nothing would be exported: no span, no cost.
    if (!options.traces || !trace.getActiveSpan()) return work();
    return follow(tracer.startSpan(name, { kind, attributes }), work);
  }

  return {
    tracing: options.traces,
    clock: options.clock,
    metrics: createMetrics(meterProvider.getMeter(options.serviceName)),
    inSpan,
    inRequestSpan(facts, work, statusOf) {
      if (!options.traces) return work();
      const sent = facts.headers.has("traceparent")
        ? propagation.extract(context.active(), facts.headers, headerGetter)
        : context.active();
      const parent = facts.trusted ? sent : context.active();
      const links = facts.trusted ? [] : linksTo(sent);
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
      // Not sampled: the sampler's decision, or the one of a trusted peer. The request then runs without a context to carry.
      if (!span.isRecording()) return work();
      return follow(span, async () => {
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

/** A link to the span that a context names, by its ids alone: `tracestate` is free text of whoever sent it. */
function linksTo(sent: Context): Link[] {
  const named = trace.getSpanContext(sent);
  if (!named) return [];
  const { traceId, spanId, traceFlags } = named;
  return [{ context: { traceId, spanId, traceFlags, isRemote: true } }];
}

/** Runs the work with the span active, so that spans inside become its children, and ends it whatever happens. */
async function follow<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    // The type alone: messages of drivers can quote what a client sent.
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

/** Our name and version, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES say otherwise. */
function describeService({ serviceName, serviceVersion }: TelemetryOptions): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: serviceName, [ATTR_SERVICE_VERSION]: serviceVersion }))
    .merge(detectResources({ detectors: [envDetector] }));
}

/** The SDK is loaded only here: an operator without a collector pays neither its memory nor its start. */
async function startTracing(resource: Resource): Promise<() => Promise<void>> {
  const { NodeSDK } = await import("@opentelemetry/sdk-node");
  const sdk = new NodeSDK({
    // Not `serviceName`: the SDK would put it above OTEL_SERVICE_NAME.
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

/** A statement: span `postgresql <name>`, metric by name. Names are ours, such as `session.rotate`; no SQL, no values. */
export function inQuerySpan<T>(telemetry: Telemetry, statement: string, work: () => Promise<T>): Promise<T> {
  const attributes = { "db.system.name": "postgresql", "db.operation.name": statement, "db.query.summary": statement };
  return timed(
    telemetry,
    () => telemetry.inSpan(`postgresql ${statement}`, SpanKind.CLIENT, attributes, work),
    (seconds) => telemetry.metrics.databaseOperation("postgresql", statement, seconds),
  );
}

/** A Redis command, or a script by its name. Keys stay out: they can name an account. */
export function inRedisSpan<T>(telemetry: Telemetry, command: string, work: () => Promise<T>): Promise<T> {
  const attributes = { "db.system.name": "redis", "db.operation.name": command };
  return timed(
    telemetry,
    () => telemetry.inSpan(`redis ${command}`, SpanKind.CLIENT, attributes, work),
    (seconds) => telemetry.metrics.databaseOperation("redis", command, seconds),
  );
}

/** A job of a worker pool, from asking to answering: the wait in the queue is part of it. */
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
