import type { Attributes, SpanKind } from "@opentelemetry/api";
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
import { withUnitsInNames } from "./prometheus-names.ts";
import { openTracing, startTracing } from "./tracing.ts";

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
  /**
   * Runs work that a request caused and that goes on after it, such as the delivery of an e-mail, in a span of a trace
   * of its own, with a link to the span of that request. `cause`: its `traceparent`; without one, or if it was not
   * sampled, there is no span.
   */
  inLinkedSpan<T>(
    span: { readonly name: string; readonly attributes: Attributes; readonly cause: string | undefined },
    work: () => Promise<T>,
  ): Promise<T>;
  /** Adds attributes to the active span, if there is one; `error.type` marks it as failed. */
  annotate(attributes: Attributes): void;
  /** `traceparent` of the active span, to be stored for `inLinkedSpan`. */
  activeTraceparent(): string | undefined;
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
  /** Where clients find the service: the origin of its spans. */
  readonly publicBaseUrl: string;
  readonly clock: Clock;
  /** Whether traces are exported. The SDK reads exporter and endpoint from OTEL_*. */
  readonly traces: boolean;
  readonly otlpMetrics: boolean;
}

export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const prometheusReader = new PrometheusExporter({ preventServerStart: true });
  const readers: MetricReader[] = [prometheusReader, ...(options.otlpMetrics ? [await otlpMetricReader()] : [])];
  const resource = describeService(options);
  const meterProvider = new MeterProvider({ readers, resource });
  const serializer = new PrometheusSerializer();
  const stopTracing = options.traces ? await startTracing(resource) : undefined;
  const address = publicAddress(options.publicBaseUrl);
  return {
    ...openTracing(options, address),
    tracing: options.traces,
    clock: options.clock,
    metrics: createMetrics(meterProvider.getMeter(options.serviceName), address["url.scheme"]),
    async prometheus() {
      const { resourceMetrics } = await prometheusReader.collect();
      return serializer.serialize(withUnitsInNames(resourceMetrics));
    },
    async shutdown() {
      await stopTracing?.();
      await meterProvider.shutdown();
    },
  };
}

/**
 * Scheme, host and port that clients use. Of the configured URL, not of a request: `Host` and `X-Forwarded-Proto` are
 * a client's input.
 */
function publicAddress(publicBaseUrl: string) {
  const { protocol, hostname, port } = new URL(publicBaseUrl);
  const scheme = protocol.slice(0, -1);
  return {
    "url.scheme": scheme,
    "server.address": hostname,
    "server.port": Number(port || (scheme === "https" ? 443 : 80)),
  };
}

/** Name and version of the service, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES override them. */
function describeService({ serviceName, serviceVersion }: TelemetryOptions): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: serviceName, [ATTR_SERVICE_VERSION]: serviceVersion }))
    .merge(detectResources({ detectors: [envDetector] }));
}

async function otlpMetricReader(): Promise<MetricReader> {
  const [{ OTLPMetricExporter }, { PeriodicExportingMetricReader }] = await Promise.all([
    import("@opentelemetry/exporter-metrics-otlp-proto"),
    import("@opentelemetry/sdk-metrics"),
  ]);
  return new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() });
}
