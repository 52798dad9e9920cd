/** Runs the load generator (load.ts) and reads its summary. */
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, runJson } from "./harness.ts";

export interface Load {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Responses with 429: the number, the p99, and the number without Retry-After. */
  readonly limited: number;
  readonly limitedP99Ms: number;
  readonly withoutRetryAfter: number;
  readonly failed: number;
  readonly lastFailure: string;
  readonly accounts: Account[];
}

/** Runs the load generator. Throws if a response was 429. */
export async function load(...args: Parameters<typeof overload>): Promise<Load> {
  const summary = await overload(...args);
  if (summary.limited > 0) throw new Error(`${summary.limited} of the ${args[0]} responses were 429`);
  return summary;
}

/** Runs the load generator. Throws if a request failed. */
export async function overload(
  work: string,
  url: string,
  clients: number,
  seconds: number,
  accounts: readonly Account[],
  ratePerSecond?: number,
): Promise<Load> {
  const file = join(tmpdir(), `identity-bench-people-${process.pid}-${crypto.randomUUID()}.json`);
  writeFileSync(file, JSON.stringify(accounts));
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
