import type { MetricData, ResourceMetrics } from "@opentelemetry/sdk-metrics";

/** UCUM units in the words of Prometheus, as far as instruments of this service use the units. */
const UNIT_WORDS: Readonly<Record<string, string>> = { s: "seconds", By: "bytes" };
/** `{request}`: an annotation, which names the counted object and is not a unit. */
const ANNOTATION = /^\{.*\}$/;

/**
 * The metrics under the names of OpenTelemetry's specification "Prometheus and OpenMetrics Compatibility", as also used
 * by a collector in between and by the OTLP receiver of Prometheus: the unit is part of the name. The exporter adds
 * only `_total`.
 */
export function withUnitsInNames(metrics: ResourceMetrics): ResourceMetrics {
  return {
    ...metrics,
    scopeMetrics: metrics.scopeMetrics.map((scope) => ({ ...scope, metrics: scope.metrics.map(withUnitInName) })),
  };
}

function withUnitInName(metric: MetricData): MetricData {
  const { descriptor } = metric;
  const unit = wordOf(descriptor.unit);
  const name = unit ? `${descriptor.name}.${unit}` : descriptor.name;
  return { ...metric, descriptor: { ...descriptor, name, unit } };
}

function wordOf(unit: string): string {
  if (unit === "" || ANNOTATION.test(unit)) return "";
  const word = UNIT_WORDS[unit];
  if (!word) throw new Error(`no word of Prometheus for the unit ${unit}`);
  return word;
}
