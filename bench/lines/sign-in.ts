import { rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import {
  alternate,
  type Bench,
  fixed,
  median,
  type Person,
  type Row,
  registerPeople,
  runJson,
  startService,
  whole,
} from "../harness.ts";

export interface Load {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Answered with 429: how many, how fast, and how many without Retry-After. */
  readonly limited: number;
  readonly limitedP99Ms: number;
  readonly withoutRetryAfter: number;
  readonly failed: number;
  readonly lastFailure: string;
  readonly people: Person[];
}

/** Runs the load generator, and insists that nothing was turned away. */
export async function load(...args: Parameters<typeof overload>): Promise<Load> {
  const summary = await overload(...args);
  if (summary.limited > 0) throw new Error(`${summary.limited} of the ${args[0]} requests were answered with 429`);
  return summary;
}

/** Runs the load generator, and insists that nothing failed. */
export async function overload(
  work: string,
  url: string,
  clients: number,
  seconds: number,
  people: readonly Person[],
  ratePerSecond?: number,
): Promise<Load> {
  const file = join(tmpdir(), `identity-bench-people-${process.pid}-${work}.json`);
  writeFileSync(file, JSON.stringify(people));
  const summary = await runJson<Load>("bench/load.ts", [
    work,
    url,
    clients,
    seconds,
    file,
    ...(ratePerSecond === undefined ? [] : [ratePerSecond]),
  ]);
  rmSync(file);
  if (summary.failed > 0)
    throw new Error(`${summary.failed} of the ${work} requests failed, the last with ${summary.lastFailure}`);
  return summary;
}

export const bareHashes = (concurrency: number, seconds: number) =>
  runJson<{ perSecond: number; medianMs: number }>("bench/bare-pool.ts", [
    "hash",
    availableParallelism(),
    concurrency,
    seconds,
  ]);

/** Lines 1 and 2: the rate of sign-ins against the bare hash pool, and the latency of one at rest. */
export async function signInLines(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const people = await registerPeople(service.url, 64);
  await load("login", service.url, 16, 2, people);
  const rate = await alternate(
    bench.rounds,
    async () => (await load("login", service.url, 16, 4, people)).perSecond,
    async () => (await bareHashes(16, 4)).perSecond,
  );
  const one: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    one.push((await load("login", service.url, 1, 2, people)).medianMs);
    bare.push((await bareHashes(1, 2)).medianMs);
  }
  await service.stop();
  const extra = median(one) - median(bare);
  return [
    {
      line: "1",
      work: "POST /v1/auth/login, 16 clients",
      measured: `${whole(rate.a)}/s`,
      compared: `${whole(rate.b)} hashes/s of the bare pool`,
      ratio: fixed(rate.ratio),
      goal: "0.9",
      reached: rate.ratio >= 0.9,
    },
    {
      line: "2",
      work: "one sign-in at rest, median",
      measured: `${fixed(median(one))} ms`,
      compared: `${fixed(median(bare))} ms, one verify in the bare pool`,
      ratio: `+${fixed(extra)} ms`,
      goal: "+4 ms",
      reached: extra <= 4,
    },
  ];
}
