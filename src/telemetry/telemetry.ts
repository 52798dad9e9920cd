import { setTimeout as sleep } from "node:timers/promises";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  type MetricReader,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions";
import type { Clock } from "../base/clock.ts";
import { TELEMETRY_FLUSH_MAX_MS } from "../limits/process-limits.ts";
import { type Durations, openDurations } from "./durations.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { withUnitsInNames } from "./prometheus-names.ts";
import { openTracing, startTracing, type Tracing, type TracingOptions } from "./tracing.ts";

/**
 * Traces and metrics. Spans are created explicitly, one per request, query, Redis command and worker job: automatic
 * instrumentation of every phase costs most of the throughput and exports bodies with passwords (docs/decisions/0005).
 * Spans contain only names and numbers; never a header, a body or client input (G24).
 */
export interface Telemetry extends Tracing {
  /** False when tracing is off: work then runs without spans and without their cost. */
  readonly tracing: boolean;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** All metrics of this process in the Prometheus text format. */
  prometheus(): Promise<string>;
  shutdown(): Promise<void>;
}

export interface TelemetryOptions extends TracingOptions {
  /** Address of the service for clients: the origin of the spans. */
  readonly publicBaseUrl: string;
  readonly otlpMetrics: boolean;
}

export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const durations = openDurations(options.serviceName, options.clock);
  const prometheusReader = new PrometheusExporter({
    preventServerStart: true,
    metricProducers: [durations.producer(AggregationTemporality.CUMULATIVE)],
  });
  const readers: MetricReader[] = [
    prometheusReader,
    ...(options.otlpMetrics ? [await otlpMetricReader(durations)] : []),
  ];
  const resource = describeService(options);
  const meterProvider = new MeterProvider({ readers, resource });
  const serializer = new PrometheusSerializer();
  const stopTracing = options.traces ? await startTracing(resource, options.sampledRatio === undefined) : undefined;
  const address = publicAddress(options.publicBaseUrl);
  return {
    ...openTracing(options, address),
    tracing: options.traces,
    clock: options.clock,
    metrics: createMetrics(meterProvider.getMeter(options.serviceName), durations, address["url.scheme"]),
    async prometheus() {
      const { resourceMetrics } = await prometheusReader.collect();
      return serializer.serialize(withUnitsInNames(resourceMetrics));
    },
    async shutdown() {
      // The exporters retry for 20 s while the collector is unavailable. A drained replica ends with 0 without the last
      // spans and metrics.
      const flushed = Promise.allSettled([stopTracing?.(), meterProvider.shutdown()]);
      await Promise.race([flushed, sleep(TELEMETRY_FLUSH_MAX_MS)]);
    },
  };
}

/**
 * Scheme, host and port that clients use, from the configured URL and not from a request: `Host` and
 * `X-Forwarded-Proto` are client input.
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

/** Name and version of the service, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES set different values. */
function describeService({ serviceName, serviceVersion }: TelemetryOptions): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: serviceName, [ATTR_SERVICE_VERSION]: serviceVersion }))
    .merge(detectResources({ detectors: [envDetector] }));
}

async function otlpMetricReader(durations: Durations): Promise<MetricReader> {
  const { OTLPMetricExporter } = await import("@opentelemetry/exporter-metrics-otlp-proto");
  const exporter = new OTLPMetricExporter();
  // OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE.
  const temporality = exporter.selectAggregationTemporality(InstrumentType.HISTOGRAM);
  return new PeriodicExportingMetricReader({ exporter, metricProducers: [durations.producer(temporality)] });
}
