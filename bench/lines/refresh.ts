import { startBaseline } from "../baseline.ts";
import { type Costs, describeCosts, meanCosts, withCosts } from "../cpu.ts";
import {
  type Account,
  type Bench,
  fixed,
  median,
  type Row,
  type Running,
  registerAccounts,
  runJson,
  startService,
  whole,
} from "../harness.ts";
import { load } from "../run-load.ts";

const CLIENTS = 16;
const WARM_UP_SECONDS = 8;
/** Rounds of a quick run too: a slow phase of the machine decided the ratio of two rounds. */
const ROUNDS = 5;
const SECONDS = 2;
const SIGNATURES_GOAL = 0.6;
const BASELINE_GOAL = 2;

/** Line 5 compares refreshes (an RS256 signature each) with the bare signing pool, and with version 0.1.0. */
export async function refreshLine(bench: Bench): Promise<Row[]> {
  const [service, baseline] = [await startService(bench), await startBaseline(bench)];
  const [ours, theirs] = [await refresher(service), await refresher(baseline)];
  // Until the runtime has compiled the code of a refresh, the compiler threads would dominate the measured CPU time.
  for (const each of [ours, theirs]) await each(WARM_UP_SECONDS);
  const rates: { ours: number; signatures: number; theirs: number }[] = [];
  const costs: Costs[] = [];
  for (let round = 0; round < Math.max(bench.rounds, ROUNDS); round += 1) {
    const run = await withCosts(bench, service, SECONDS, () => ours(SECONDS));
    const baselineRun = await theirs(SECONDS);
    const { perSecond } = await runJson<{ perSecond: number }>("bench/bare-pool.ts", ["sign", 2, CLIENTS, SECONDS]);
    rates.push({ ours: run.load.perSecond, signatures: perSecond, theirs: baselineRun.perSecond });
    costs.push(run.costs);
  }
  await Promise.all([service.stop(), baseline.stop()]);
  const measured = `${whole(median(rates.map((each) => each.ours)))}/s`;
  const ofSignatures = median(rates.map((each) => each.ours / each.signatures));
  const ofBaseline = median(rates.map((each) => each.ours / each.theirs));
  return [
    {
      line: "5",
      work: "POST /v1/auth/refresh, 16 clients",
      measured,
      compared: `${whole(median(rates.map((each) => each.signatures)))} RS256 signatures/s of the bare pool`,
      ratio: fixed(ofSignatures),
      goal: `at least ${SIGNATURES_GOAL}`,
      reached: ofSignatures >= SIGNATURES_GOAL,
      score: ofSignatures,
      cpu: describeCosts(meanCosts(costs)),
    },
    {
      line: "5",
      work: "the same",
      measured,
      compared: `${whole(median(rates.map((each) => each.theirs)))}/s of version 0.1.0`,
      ratio: `${fixed(ofBaseline)} times`,
      goal: `at least ${BASELINE_GOAL} times`,
      reached: ofBaseline >= BASELINE_GOAL,
      score: ofBaseline,
    },
  ];
}

/** Refreshes the sessions of separate accounts; each run continues with the tokens of the previous run. */
async function refresher(service: Running) {
  let accounts: Account[] = await registerAccounts(service.url, CLIENTS);
  return async (seconds: number) => {
    const summary = await load("refresh", service.url, CLIENTS, seconds, accounts);
    accounts = summary.accounts;
    return summary;
  };
}
