/**
 * Histograms of durations, counted in plain numbers. The SDK sorts and encodes the attributes of every measurement to
 * find the series, which took a sixth of a session check; here the caller has a key for the series. The SDK's readers
 * collect the histograms beside the SDK's metrics (OpenTelemetry specification, Metrics SDK, "MetricProducer").
 */
import { type Attributes, type HrTime, ValueType } from "@opentelemetry/api";
import { emptyResource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type HistogramMetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import type { Clock } from "../base/clock.ts";

/** Upper bounds of buckets in seconds: a sign-in takes tens of milliseconds by design, everything else a few. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/**
 * Maximum number of series of a histogram, as in the SDK. Keys come from closed sets, so that the limit is only a
 * guard.
 */
const SERIES_MAX = 2_000;
/** The series in which the specification counts measurements beyond the limit. */
const OVERFLOW_KEY = "overflow";
const OVERFLOW = { "otel.metric.overflow": true };

export interface DurationHistogram {
  /** `key`: stands for the attributes, which are created with the series. */
  record(seconds: number, key: string, attributes: () => Attributes): void;
}

export interface Durations {
  histogram(name: string, description: string): DurationHistogram;
  /** The state of a single reader; `delta`: a collection has the measurements since the previous collection. */
  producer(temporality: AggregationTemporality): MetricProducer;
}

interface Series {
  readonly attributes: Attributes;
  readonly startedAt: HrTime;
  /** Number of measurements by bucket; the last bucket is beyond all bounds. */
  readonly counts: number[];
  sum: number;
}

interface Family {
  readonly name: string;
  readonly description: string;
  readonly series: Map<string, Series>;
}

export function openDurations(scope: string, clock: Clock): Durations {
  const families: Family[] = [];

  function begin(family: Family, key: string, attributes: () => Attributes): Series {
    if (family.series.size >= SERIES_MAX - 1 && key !== OVERFLOW_KEY)
      return family.series.get(OVERFLOW_KEY) ?? begin(family, OVERFLOW_KEY, () => OVERFLOW);
    const counts = new Array<number>(BOUNDS.length + 1).fill(0);
    const series = { attributes: attributes(), startedAt: hrTime(clock.now()), counts, sum: 0 };
    family.series.set(key, series);
    return series;
  }

  return {
    histogram(name, description) {
      const family: Family = { name, description, series: new Map() };
      families.push(family);
      return {
        record(seconds, key, attributes) {
          const series = family.series.get(key) ?? begin(family, key, attributes);
          const bucket = bucketOf(seconds);
          series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
          series.sum += seconds;
        },
      };
    },
    producer(temporality) {
      const pointsOf = reading(temporality);
      return {
        async collect() {
          const at = hrTime(clock.now());
          const metrics = families.map(
            ({ name, description, series }): HistogramMetricData => ({
              descriptor: { name, description, unit: "s", valueType: ValueType.DOUBLE },
              aggregationTemporality: temporality,
              dataPointType: DataPointType.HISTOGRAM,
              dataPoints: [...series.values()].flatMap((each) => pointsOf(each, at)),
            }),
          );
          const scopeMetrics = [
            { scope: { name: scope }, metrics: metrics.filter((each) => each.dataPoints.length > 0) },
          ];
          return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
        },
      };
    },
  };
}

/** The view of a reader on a series: all measurements, or the measurements since the last collection. */
function reading(temporality: AggregationTemporality) {
  const isDelta = temporality === AggregationTemporality.DELTA;
  const seen = new Map<Series, { readonly counts: readonly number[]; readonly sum: number; readonly at: HrTime }>();
  return (series: Series, at: HrTime): DataPoint<Histogram>[] => {
    const before = seen.get(series);
    const counts = series.counts.map((count, bucket) => count - (before?.counts[bucket] ?? 0));
    const count = counts.reduce((all, each) => all + each, 0);
    if (isDelta && count === 0) return [];
    if (isDelta) seen.set(series, { counts: [...series.counts], sum: series.sum, at });
    return [
      {
        attributes: series.attributes,
        startTime: before?.at ?? series.startedAt,
        endTime: at,
        value: { buckets: { boundaries: BOUNDS, counts }, sum: series.sum - (before?.sum ?? 0), count },
      },
    ];
  };
}

function bucketOf(seconds: number): number {
  let bucket = 0;
  while (seconds > (BOUNDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
  return bucket;
}

/** Seconds and nanoseconds. */
function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
