import { readFileSync } from "node:fs";
import {
  type Bench,
  fixed,
  median,
  type Row,
  registerAccounts,
  startServiceWithEmptyRoute,
  whole,
} from "../harness.ts";
import { interleavedP99, type Target } from "../interleaved.ts";
import { type Load, load, overload } from "../run-load.ts";
import { bareHashes } from "./sign-in.ts";

const TIMES = 10;
const SECONDS = 8;
/** A fixed rate over both routes: a client without pauses would overload the service. */
const CHECKS_PER_SECOND = 500;
/** The part of a wave in which requests are measured. */
const MEASURED_SECONDS = 5;
/** The empty route of the same process waits for the same processor, so a session check is hardly slower. */
const P99_RATIO_MAX = 1.5;
const WAVES_MAX = 3;
const ACCEPTED_P99_MAX_MS = 2_000;
const LIMITED_P99_MAX_MS = 50;
const GROWTH_MAX_MIB = 64;

/** Line 11 runs an open loop with ten times more sign-ins per second than the bare pool can hash. */
export async function overloadLines(bench: Bench): Promise<Row[]> {
  const rate = Math.round(TIMES * (await bareHashes(16, 3)).perSecond);
  const service = await startServiceWithEmptyRoute(bench);
  const accounts = await registerAccounts(service.url, 64);
  await load("login", service.url, 16, 2, accounts);
  const waves: Load[] = [];
  const targets = [
    { url: `${service.url}/v1/auth/session`, bearer: accounts[0]?.accessToken ?? "" },
    { url: service.emptyUrl },
  ];
  const p99s: { readonly session: number; readonly empty: number }[] = [];
  const memory: number[] = [];
  let before = 0;
  for (let round = 0; round < Math.min(bench.rounds, WAVES_MAX); round += 1) {
    before ||= await memoryMib(service.pid);
    const wave = overload("login", service.url, 0, SECONDS, accounts, rate);
    p99s.push(await duringWave(targets));
    waves.push(await wave);
    memory.push(await memoryMib(service.pid));
  }
  // Memory that a second wave returns is not growth.
  const grown = Math.min(...memory) - before;
  await service.stop();
  const accepted = median(waves.map(({ p99Ms }) => p99Ms));
  const limited = median(waves.map(({ limitedP99Ms }) => limitedP99Ms));
  const unmarked = waves.reduce((sum, { withoutRetryAfter }) => sum + withoutRetryAfter, 0);
  const harm = median(p99s.map(({ session, empty }) => session / empty));
  const work = `${whole(rate)} sign-ins a second, ${TIMES} times what the pool can hash`;
  const row = (rest: Omit<Row, "line">): Row => ({ line: "11", ...rest });
  return [
    row({
      work: `${work}: p99 of the ${whole(median(waves.map(({ perSecond }) => perSecond)))} accepted`,
      measured: `${whole(accepted)} ms`,
      compared: "",
      ratio: "",
      goal: "at most 2 s",
      reached: accepted <= ACCEPTED_P99_MAX_MS,
      score: accepted,
    }),
    row({
      work: "p99 of the others, which get 429 and Retry-After",
      measured: `${fixed(limited)} ms`,
      compared: unmarked === 0 ? "" : `${unmarked} without Retry-After`,
      ratio: "",
      goal: "at most 50 ms",
      reached: limited <= LIMITED_P99_MAX_MS && unmarked === 0,
      score: limited,
    }),
    row({
      work: "p99 of a session check meanwhile",
      measured: `${fixed(median(p99s.map(({ session }) => session)))} ms`,
      compared: `${fixed(median(p99s.map(({ empty }) => empty)))} ms of an empty route of the same process`,
      ratio: `${fixed(harm)} times`,
      goal: `at most ${P99_RATIO_MAX} times`,
      reached: harm <= P99_RATIO_MAX,
      score: harm,
    }),
    row({
      work: "memory that the waves add",
      measured: `${whole(Math.max(0, grown))} MiB`,
      compared: "",
      ratio: "",
      goal: `at most ${GROWTH_MAX_MIB} MiB`,
      reached: grown <= GROWTH_MAX_MIB,
      score: grown,
    }),
  ];
}

/** Starts a second after the wave, when the queue is full. */
async function duringWave(targets: readonly Target[]) {
  await Bun.sleep(1_000);
  const measured = { targets, seconds: MEASURED_SECONDS, perSecond: CHECKS_PER_SECOND };
  const [session = Number.NaN, empty = Number.NaN] = await interleavedP99(measured);
  return { session, empty };
}

/** Measures after the running hashes have ended, because each hash occupies 19 MiB. */
async function memoryMib(pid: number): Promise<number> {
  await Bun.sleep(1_000);
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) / 1024;
}
