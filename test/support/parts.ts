/**
 * Runs `bun test` in parallel parts, since tests wait for timers and processes: three parts used 0.77 of two cores.
 * Each part has a separate PostgreSQL and Redis.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dieWithParent } from "./die-with-parent.ts";

const PARTS = 4;
/** The deadline ends a hanging test; a test that is slow on a busy machine does not reach the deadline. */
const TEST_TIMEOUT_MS = 300_000;
/** Measured duration of each file in milliseconds (`npm run test:timings`), so that the parts have equal durations. */
const TIMINGS = join(import.meta.dir, "../timings.json");
/** A part that hangs ends as failed; the output names the last test. */
const PART_DEADLINE_MS = 45 * 60_000;
/** A program that a test left behind can hold the output open after the end of the part. */
const OUTPUT_DEADLINE_MS = 10_000;
/** The number of lines from the output of a failed test that the summary repeats. */
const FAILURE_LINES_MAX = 40;

export interface BunTest {
  readonly args: readonly string[];
  /** Variables in addition to the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** True: after a run without failures, `test/timings.json` is replaced by the measured durations. */
  readonly recordTimings?: boolean;
  /** The run ends as failed after this time; absent: without limit. */
  readonly deadlineMs?: number;
}

interface BunTestResult {
  readonly code: number;
  readonly output: string;
}

/** Runs `bun test`. The output is returned, and if `shown` is set also printed while the run proceeds. */
export function bunTest({ args, env = {}, deadlineMs }: BunTest, shown: boolean): Promise<BunTestResult> {
  const child = spawn(...dieWithParent(process.execPath, ["test", "--timeout", String(TEST_TIMEOUT_MS), ...args]), {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (shown) process.stdout.write(text);
    });
  }
  const end = () => {
    output += "\nended by the deadline\n";
    child.kill("SIGKILL");
  };
  const deadline = deadlineMs === undefined ? undefined : setTimeout(end, deadlineMs);
  return new Promise((ended) => {
    const resolve = (code: number | null) => ended({ code: code ?? 1, output });
    child.once("close", resolve);
    child.once("exit", (code) => {
      clearTimeout(deadline);
      setTimeout(resolve, OUTPUT_DEADLINE_MS, code).unref();
    });
  });
}

/**
 * Runs all parts. The output of the first part is printed during the run, the output of the remaining parts afterwards,
 * and all failures again at the end, where a truncated log still contains the failures. Returns the exit code, and
 * prints the verdict on a single line.
 */
export async function bunTestInParts({ args, env = {}, recordTimings = false }: BunTest): Promise<number> {
  const records = recordTimings ? mkdtempSync(join(tmpdir(), "identity-timings-")) : undefined;
  const parts = await Promise.all(
    Array.from({ length: PARTS }, (_, index) => {
      const recording = records ? [`--timings=${join(records, `${index}.json`)}`, "--update-timings"] : [];
      const part = [...recording, `--timings=${TIMINGS}`, `--shard=${index + 1}/${PARTS}`];
      return bunTest({ args: [...part, ...args], env, deadlineMs: PART_DEADLINE_MS }, index === 0);
    }),
  );
  for (const { output } of parts.slice(1)) await print(output);
  for (const { output } of parts) for (const failure of failuresIn(output)) await print(`\n${failure}\n`);
  const failed = parts.filter(({ code }) => code !== 0).length;
  await print(failed === 0 ? "All parts of the suite passed.\n" : `${failed} of ${PARTS} parts of the suite failed.\n`);
  if (records && failed === 0) mergeTimings(records);
  return failed === 0 ? 0 : 1;
}

/** Each part writes a record of the files in that part; the records together cover all files. */
function mergeTimings(records: string): void {
  const parts = Array.from({ length: PARTS }, (_, index) => {
    const { files } = JSON.parse(readFileSync(join(records, `${index}.json`), "utf8"));
    return Object.entries<number>(files);
  });
  const files = Object.fromEntries(parts.flat().sort(([, one], [, other]) => other - one));
  writeFileSync(TIMINGS, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
  rmSync(records, { recursive: true });
}

/** Returns each failed test with the output since the end of the previous test. */
function failuresIn(output: string): string[] {
  const lines = output.split("\n");
  return lines.flatMap((line, at) => {
    // `bun test` repeats the titles of many failures at the end.
    if (!line.startsWith("(fail)") || lines.indexOf(line) < at) return [];
    const before = lines.slice(0, at).findLastIndex((earlier) => /^\((pass|fail)\)/.test(earlier));
    return [lines.slice(Math.max(before + 1, at - FAILURE_LINES_MAX), at + 1).join("\n")];
  });
}

function print(text: string): Promise<void> {
  return new Promise((written) => process.stdout.write(text, () => written()));
}
