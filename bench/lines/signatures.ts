import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type Bench, fixed, median, type Row, runJson, whole } from "../harness.ts";

/**
 * The goal as a share of the rate of `openssl speed`, if OpenSSL has an implementation for the vector unit; otherwise
 * `RUNTIME_GOAL` applies.
 */
const VECTOR_GOAL = 0.85;
const RUNTIME_GOAL = 0.9;
/** Enough for a single worker never to wait for the next job. */
const CLIENTS = 8;

/**
 * Line 18 compares the RS256 signatures per second of a sign worker with `openssl speed` and with the runtime's signer.
 */
export async function signatureLines(bench: Bench): Promise<Row[]> {
  const seconds = Math.ceil(3 / bench.hurry);
  const perSecond = async (...signer: readonly string[]) => {
    const run = await runJson<{ perSecond: number }>("bench/bare-pool.ts", ["sign", 1, CLIENTS, seconds, ...signer]);
    return run.perSecond;
  };
  const rates: { ours: number; openssl: number; runtime: number }[] = [];
  for (let round = 0; round < bench.rounds; round += 1)
    rates.push({ ours: await perSecond(), openssl: opensslSpeed(seconds), runtime: await perSecond("runtime") });
  const measured = `${whole(median(rates.map(({ ours }) => ours)))}/s`;
  const ofOpenssl = median(rates.map(({ ours, openssl }) => ours / openssl));
  const ofRuntime = median(rates.map(({ ours, runtime }) => ours / runtime));
  const hasVectorUnit = readFileSync("/proc/cpuinfo", "utf8").includes("avx512ifma");
  const work = "RS256 signatures of one sign worker";
  const openssl = `${whole(median(rates.map((each) => each.openssl)))}/s of \`openssl speed rsa2048\` on one core`;
  const runtime = `${whole(median(rates.map((each) => each.runtime)))}/s of a worker without OpenSSL`;
  return [
    row({ work, measured, compared: openssl, ratio: ofOpenssl, goal: hasVectorUnit ? VECTOR_GOAL : undefined }),
    row({ work, measured, compared: runtime, ratio: ofRuntime, goal: RUNTIME_GOAL }),
  ];
}

interface Comparison extends Pick<Row, "work" | "measured" | "compared"> {
  readonly ratio: number;
  readonly goal: number | undefined;
}

function row({ ratio, goal, ...rest }: Comparison): Row {
  const text = goal === undefined ? "none without AVX-512 IFMA" : `at least ${goal}`;
  return { line: "18", ...rest, ratio: fixed(ratio), goal: text, reached: ratio >= (goal ?? 0), score: ratio };
}

/**
 * Returns signatures per second. The machine-readable line is `+F2:2:2048:<signatures per second>:<verifications per
 * second>`.
 */
function opensslSpeed(seconds: number): number {
  const output = execFileSync("openssl", ["speed", "-mr", "-seconds", String(seconds), "rsa2048"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return Number(/^\+F2:\d+:2048:([\d.]+)/m.exec(output)?.[1]);
}
