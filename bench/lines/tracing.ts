import {
  type Bench,
  fixed,
  median,
  type Row,
  type Running,
  registerAccounts,
  requestsPerSecond,
  startProcess,
  startService,
  whole,
} from "../harness.ts";

const WORK = "the session route, traced (10 % sampled, OTLP)";
const GOAL = 0.9;
const SECONDS = 3;
/**
 * With a tenth of the traces sampled, the runtime compiles the creation, encoding and export of spans only after this
 * time.
 */
const WARM_UP_SECONDS = 8;

/**
 * Line 8 compares the session route with sampled (10 %) and exported traces with the route without traces. A third rate
 * with zero sampled traces separates the cost of this service from the cost of a span in the SDK.
 */
export async function tracingLine(bench: Bench): Promise<Row[]> {
  const collector = await startProcess("bench/collector.ts", [], {});
  const traced = (sampled: string) =>
    startService(bench, {
      OTEL_TRACES_EXPORTER: "otlp",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRICS_EXPORTER: "none",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: sampled,
    });
  const services = [await startService(bench), await traced("0.1"), await traced("0")] as const;
  const bearer = (await registerAccounts(services[0].url, 1))[0]?.accessToken ?? "";
  const measure = (service: Running, seconds: number) =>
    requestsPerSecond(`${service.url}/v1/auth/session`, seconds, 16, bearer);
  for (const service of services) measure(service, WARM_UP_SECONDS);
  const rounds: Rates[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const [off, tenth, none] = services.map((service) => measure(service, SECONDS)) as [number, number, number];
    rounds.push({ off, tenth, none });
  }
  for (const service of services) await service.stop();
  await collector.stop();
  return [row(WORK, rounds, ({ tenth }) => tenth), row("the same, none sampled", rounds, ({ none }) => none)];
}

/** Requests per second in a round. */
interface Rates {
  readonly off: number;
  readonly tenth: number;
  readonly none: number;
}

function row(work: string, rounds: readonly Rates[], rateOf: (rates: Rates) => number): Row {
  const ratio = median(rounds.map((rates) => rateOf(rates) / rates.off));
  return {
    line: "8",
    work,
    measured: `${whole(median(rounds.map(rateOf)))}/s`,
    compared: `${whole(median(rounds.map(({ off }) => off)))}/s with tracing off`,
    ratio: fixed(ratio),
    goal: `at least ${GOAL}`,
    reached: ratio >= GOAL,
    score: ratio,
  };
}
