import { availableParallelism } from "node:os";
import { type Costs, describeCosts, totalOf, withCosts } from "../cpu.ts";
import {
  alternate,
  type Bench,
  fixed,
  median,
  type Row,
  registerAccounts,
  runJson,
  startService,
  whole,
} from "../harness.ts";
import { load } from "../run-load.ts";
import { sendRequests, signInsOf } from "../send-requests.ts";

/**
 * The bound of the CPU time of a sign-in without the hash, as a share of the hash; and the rate as a share of the bare
 * pool's rate.
 */
const OTHER_COST_MAX = 0.26;
const RATE_MIN = 0.8;
const CLIENTS = 16;
/** With this duration the sixteen sign-ins in progress at the end do not matter. */
const SECONDS = 16;
const EXTRA_LATENCY_MAX_MS = 4;
/** At some 140 sign-ins per second the runtime needs this long to compile the executed code. */
const WARM_UP_SECONDS = 6;

export const bareHashes = (concurrency: number, seconds: number) =>
  runJson<{ perSecond: number; medianMs: number }>("bench/bare-pool.ts", [
    "hash",
    availableParallelism(),
    concurrency,
    seconds,
  ]);

/**
 * Lines 1 and 2 measure the CPU time of a sign-in without the hash, the rate relative to the bare hash pool, and the
 * latency at rest.
 */
export async function signInLines(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const accounts = await registerAccounts(service.url, 64);
  const signIns = signInsOf(accounts);
  const signInFor = (seconds: number) => sendRequests(`${service.url}/v1/auth/login`, seconds, CLIENTS, signIns);
  signInFor(WARM_UP_SECONDS);
  const seconds = SECONDS / bench.hurry;
  const costs: Costs[] = [];
  const rate = await alternate(
    bench.rounds,
    async () => {
      const run = await withCosts(bench, service, seconds, async () => ({
        perSecond: signInFor(seconds),
      }));
      costs.push(run.costs);
      return run.load.perSecond;
    },
    async () => (await bareHashes(CLIENTS, seconds)).perSecond,
  );
  const one: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    one.push((await load("login", service.url, 1, 2, accounts)).medianMs);
    bare.push((await bareHashes(1, 2)).medianMs);
  }
  await service.stop();
  const [typical] = [...costs].sort((a, b) => otherShare(a) - otherShare(b)).slice(costs.length >> 1);
  const extra = median(one) - median(bare);
  return [
    ...(typical ? [costRow(typical)] : []),
    {
      line: "1",
      work: "POST /v1/auth/login, 16 clients",
      measured: `${whole(rate.a)}/s`,
      compared: `${whole(rate.b)} hashes/s of the bare pool`,
      ratio: fixed(rate.ratio),
      goal: `at least ${RATE_MIN}`,
      reached: rate.ratio >= RATE_MIN,
      score: rate.ratio,
    },
    {
      line: "2",
      work: "one sign-in at rest, median",
      measured: `${fixed(median(one))} ms`,
      compared: `${fixed(median(bare))} ms, one verify in the bare pool`,
      ratio: `+${fixed(extra)} ms`,
      goal: `at most +${EXTRA_LATENCY_MAX_MS} ms`,
      reached: extra <= EXTRA_LATENCY_MAX_MS,
      score: extra,
    },
  ];
}

function otherShare(costs: Costs): number {
  return (totalOf(costs) - costs["hash workers"]) / costs["hash workers"];
}

function costRow(costs: Costs): Row {
  const share = otherShare(costs);
  return {
    line: "1",
    work: "CPU of a sign-in beside its hash: all threads, PostgreSQL, Redis",
    measured: `${fixed(totalOf(costs) - costs["hash workers"])} ms`,
    compared: `${fixed(costs["hash workers"])} ms of the hash itself`,
    ratio: fixed(share),
    goal: `at most ${OTHER_COST_MAX}`,
    reached: share <= OTHER_COST_MAX,
    score: share,
    cpu: describeCosts(costs),
  };
}
