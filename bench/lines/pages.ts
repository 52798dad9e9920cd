import { type Bench, fixed, median, type Row, registerAccounts, startService } from "../harness.ts";
import { load } from "../run-load.ts";

const STORM_SECONDS = 5;
const TIMES_MAX = 3;

/** Line 13 measures the sign-in page at rest, and while 16 clients sign in without pause. */
export async function pageLine(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const accounts = await registerAccounts(service.url, 64);
  await load("page", service.url, 1, 1, accounts);
  const rest: number[] = [];
  const storm: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    rest.push((await load("page", service.url, 1, 2, accounts)).p99Ms);
    const signIns = load("login", service.url, 16, STORM_SECONDS, accounts);
    await Bun.sleep(1000);
    storm.push((await load("page", service.url, 1, 2, accounts)).p99Ms);
    await signIns;
  }
  await service.stop();
  const times = median(storm.map((value, index) => value / (rest[index] ?? Number.NaN)));
  return [
    {
      line: "13",
      work: "p99 of GET /sign-in (page) in a storm of 16 signing-in clients",
      measured: `${fixed(median(storm))} ms`,
      compared: `${fixed(median(rest))} ms at rest`,
      ratio: `${fixed(times)} times`,
      goal: `at most ${TIMES_MAX} times`,
      reached: times <= TIMES_MAX,
      score: times,
    },
  ];
}
