import { describe, expect, test } from "bun:test";
import {
  AggregationTemporality,
  type CollectionResult,
  MeterProvider,
  MetricReader,
  type MetricReaderOptions,
} from "@opentelemetry/sdk-metrics";
import fc from "fast-check";
import { openDurations } from "../../src/telemetry/durations.ts";
import { movableClock } from "../support/clock.ts";

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const { CUMULATIVE, DELTA } = AggregationTemporality;

class Reader extends MetricReader {
  constructor(options: MetricReaderOptions) {
    super(options);
  }
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Returns the points of a collection without times and extremes, which the exporter does not keep. */
function pointsOf({ resourceMetrics }: CollectionResult) {
  return resourceMetrics.scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .flatMap(({ descriptor, dataPoints }) => dataPoints.map((point) => ({ descriptor, ...point })))
    .map(({ descriptor, attributes, value }) => {
      if (typeof value === "number" || !("buckets" in value)) throw new Error("not a histogram");
      const { buckets, count, sum = 0 } = value;
      return { name: descriptor.name, unit: descriptor.unit, attributes, buckets, count, sum: sum.toFixed(6) };
    })
    .toSorted((one, other) => String(one.attributes.at).localeCompare(String(other.attributes.at)));
}

const steps = fc.array(
  fc.oneof(
    fc.record({
      at: fc.constantFrom("a", "b", "c"),
      seconds: fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.constantFrom(...BOUNDS)),
    }),
    fc.constant("collect" as const),
  ),
  { maxLength: 60 },
);

describe("a histogram of durations", () => {
  test.each([
    ["cumulative", CUMULATIVE],
    ["delta", DELTA],
  ])("is to a %s reader what the SDK's own is", async (_, temporality) => {
    const property = fc.asyncProperty(steps, async (steps) => {
      const reader = new Reader({ aggregationTemporalitySelector: () => temporality });
      const meter = new MeterProvider({ readers: [reader] }).getMeter("test");
      const oracle = meter.createHistogram("d", { unit: "s", advice: { explicitBucketBoundaries: BOUNDS } });
      const durations = openDurations("test", movableClock());
      const ours = durations.histogram("d", "");
      const producer = durations.producer(temporality);
      for (const step of [...steps, "collect" as const]) {
        if (step === "collect") expect(pointsOf(await producer.collect())).toEqual(pointsOf(await reader.collect()));
        else {
          oracle.record(step.seconds, { at: step.at });
          ours.record(step.seconds, step.at, () => ({ at: step.at }));
        }
      }
    });
    await fc.assert(property, { numRuns: 50 });
  });

  test("has the times of its period: since the first measurement, or since the collection before", async () => {
    const clock = movableClock();
    const durations = openDurations("test", clock);
    const histogram = durations.histogram("d", "");
    const readers = [durations.producer(CUMULATIVE), durations.producer(DELTA)];
    const times = () =>
      Promise.all(
        readers.map(async (reader) => {
          const { resourceMetrics } = await reader.collect();
          const point = resourceMetrics.scopeMetrics[0]?.metrics[0]?.dataPoints[0];
          return [point?.startTime, point?.endTime].map((at) => (at ? at[0] * 1000 + at[1] / 1e6 : undefined));
        }),
      );
    const record = () => histogram.record(1, "", () => ({}));
    const begin = clock.now();
    record();
    clock.advance(1_500);
    expect(await times()).toEqual([
      [begin, begin + 1_500],
      [begin, begin + 1_500],
    ]);
    clock.advance(250);
    record();
    expect(await times()).toEqual([
      [begin, begin + 1_750],
      [begin + 1_500, begin + 1_750],
    ]);
    expect((await times())[1]).toEqual([undefined, undefined]);
  });

  test("keeps 2,000 series; what is beyond counts together", async () => {
    const durations = openDurations("test", movableClock());
    const histogram = durations.histogram("d", "");
    for (let key = 0; key < 2_100; key += 1) histogram.record(1, String(key), () => ({ at: key }));
    const points = pointsOf(await durations.producer(CUMULATIVE).collect());
    expect(points).toHaveLength(2_000);
    const beyond = points.filter(({ attributes }) => attributes["otel.metric.overflow"] === true);
    expect(beyond.map(({ count }) => count)).toEqual([101]);
  });
});
