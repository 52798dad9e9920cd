import {
  alternate,
  type Bench,
  fixed,
  median,
  type Row,
  registerAccounts,
  requestsPerSecond,
  startProcess,
  startService,
  whole,
} from "../harness.ts";
import { load } from "../run-load.ts";

const STORM_SECONDS = 5;

/** Lines 3 and 4 compare the session check with an empty route, at rest and while 16 clients sign in without pause. */
export async function sessionLines(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const empty = await startProcess("bench/empty-route.ts", [], {});
  const accounts = await registerAccounts(service.url, 64);
  const bearer = accounts[0]?.accessToken ?? "";
  const check = `${service.url}/v1/auth/session`;
  requestsPerSecond(check, 1, 16, bearer);
  const rate = await alternate(
    bench.rounds,
    async () => requestsPerSecond(check, 3, 16, bearer),
    async () => requestsPerSecond(`${empty.url}/`, 3, 16),
  );
  await empty.stop();
  const stormRates: number[] = [];
  const restP99: number[] = [];
  const stormP99: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    restP99.push((await load("session", service.url, 1, 2, accounts)).p99Ms);
    const storm = load("login", service.url, 16, STORM_SECONDS, accounts);
    await Bun.sleep(1000);
    stormP99.push((await load("session", service.url, 1, 2, accounts)).p99Ms);
    await storm;
    const again = load("login", service.url, 16, STORM_SECONDS, accounts);
    await Bun.sleep(1000);
    stormRates.push(await stormRate(check, bearer));
    await again;
  }
  await service.stop();
  const p99Ratio = median(stormP99.map((value, index) => value / (restP99[index] ?? Number.NaN)));
  const kept = median(stormRates) / rate.a;
  return [
    {
      line: "3",
      work: "p99 of GET /v1/auth/session in a storm of 16 signing-in clients",
      measured: `${fixed(median(stormP99))} ms`,
      compared: `${fixed(median(restP99))} ms at rest`,
      ratio: `${fixed(p99Ratio)} times`,
      goal: "at most 3 times",
      reached: p99Ratio <= 3,
      score: p99Ratio,
    },
    {
      line: "4",
      work: "GET /v1/auth/session, Bearer",
      measured: `${whole(rate.a)}/s`,
      compared: `${whole(rate.b)}/s of an empty Elysia route`,
      ratio: fixed(rate.ratio),
      goal: "at least 0.3",
      reached: rate.ratio >= 0.3,
      score: rate.ratio,
    },
    {
      line: "4",
      work: "the same, in that storm",
      measured: `${whole(median(stormRates))}/s`,
      compared: `${whole(rate.a)}/s at rest`,
      ratio: fixed(kept),
      goal: "at least 0.5",
      reached: kept >= 0.5,
      score: kept,
    },
  ];
}

/** wrk blocks the calling process, so the measurement runs in a separate process. */
async function stormRate(url: string, bearer: string): Promise<number> {
  const wrk = Bun.spawn(["wrk", "-t1", "-c16", "-d3s", "-H", `Authorization: Bearer ${bearer}`, url]);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(await new Response(wrk.stdout).text())?.[1]);
}
