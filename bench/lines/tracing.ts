import {
  alternate,
  type Bench,
  fixed,
  type Row,
  registerAccounts,
  requestsPerSecond,
  startProcess,
  startService,
  whole,
} from "../harness.ts";

/** Line 8: the session route with traces sampled at 10 % and exported, against the same without. */
export async function tracingLine(bench: Bench): Promise<Row[]> {
  const collector = await startProcess("bench/collector.ts", [], {});
  const plain = await startService(bench);
  const traced = await startService(bench, {
    OTEL_TRACES_EXPORTER: "otlp",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_METRICS_EXPORTER: "none",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.1",
  });
  const bearer = (await registerAccounts(plain.url, 1))[0]?.accessToken ?? "";
  for (const { url } of [plain, traced]) requestsPerSecond(`${url}/v1/auth/session`, 1, 16, bearer);
  const { a, b, ratio } = await alternate(
    bench.rounds,
    async () => requestsPerSecond(`${traced.url}/v1/auth/session`, 3, 16, bearer),
    async () => requestsPerSecond(`${plain.url}/v1/auth/session`, 3, 16, bearer),
  );
  await Promise.all([plain.stop(), traced.stop(), collector.stop()]);
  return [
    {
      line: "8",
      work: "the session route, traced (10 % sampled, OTLP)",
      measured: `${whole(a)}/s`,
      compared: `${whole(b)}/s with tracing off`,
      ratio: fixed(ratio),
      goal: "0.9",
      reached: ratio >= 0.9,
      score: ratio,
    },
  ];
}
