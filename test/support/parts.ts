/**
 * `bun test` in parts that run at once, since a third of a test's time is waiting; each part has a PostgreSQL and a
 * Redis of its own.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dieWithParent } from "./die-with-parent.ts";

const PARTS = 3;
/** What hangs ends; what is slow because the machine is busy does not. */
const TEST_TIMEOUT_MS = 300_000;
/** How long each file took once (`npm run test:timings`), in milliseconds, so that the parts are equal. */
const TIMINGS = join(import.meta.dir, "../timings.json");
/** Lines of what a failed test printed that the summary repeats. */
const FAILURE_LINES_MAX = 40;

export interface BunTest {
  readonly args: readonly string[];
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether `test/timings.json` is replaced by how long each file took, if all passed. */
  readonly recordTimings?: boolean;
}

interface BunTestResult {
  readonly code: number;
  readonly output: string;
}

/** One run of `bun test`; its output is shown as it comes as well, or only returned. */
export function bunTest({ args, env = {} }: BunTest, shown: boolean): Promise<BunTestResult> {
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
  return new Promise((ended) => child.once("close", (code) => ended({ code: code ?? 1, output })));
}

/**
 * All parts: the first one's output is shown as it comes, that of the others after it, and what failed once more at
 * the end, where a log that was cut still has it. Returns the exit code, and prints the verdict in a line.
 */
export async function bunTestInParts({ args, env = {}, recordTimings = false }: BunTest): Promise<number> {
  const records = recordTimings ? mkdtempSync(join(tmpdir(), "identity-timings-")) : undefined;
  const parts = await Promise.all(
    Array.from({ length: PARTS }, (_, index) => {
      const recording = records ? [`--timings=${join(records, `${index}.json`)}`, "--update-timings"] : [];
      const part = [...recording, `--timings=${TIMINGS}`, `--shard=${index + 1}/${PARTS}`];
      return bunTest({ args: [...part, ...args], env }, index === 0);
    }),
  );
  for (const { output } of parts.slice(1)) await print(output);
  for (const { output } of parts) for (const failure of failuresIn(output)) await print(`\n${failure}\n`);
  const failed = parts.filter(({ code }) => code !== 0).length;
  await print(failed === 0 ? "All parts of the suite passed.\n" : `${failed} of ${PARTS} parts of the suite failed.\n`);
  if (records && failed === 0) mergeTimings(records);
  return failed === 0 ? 0 : 1;
}

/** Each part writes the files that it ran to a record of its own; together they are all that there are now. */
function mergeTimings(records: string): void {
  const parts = Array.from({ length: PARTS }, (_, index) => {
    const { files } = JSON.parse(readFileSync(join(records, `${index}.json`), "utf8"));
    return Object.entries<number>(files);
  });
  const files = Object.fromEntries(parts.flat().sort(([, one], [, other]) => other - one));
  writeFileSync(TIMINGS, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
  rmSync(records, { recursive: true });
}

/** Each failed test with what was printed since the one before it ended. */
function failuresIn(output: string): string[] {
  const lines = output.split("\n");
  return lines.flatMap((line, at) => {
    // `bun test` lists the titles of many failures once more.
    if (!line.startsWith("(fail)") || lines.indexOf(line) < at) return [];
    const before = lines.slice(0, at).findLastIndex((earlier) => /^\((pass|fail)\)/.test(earlier));
    return [lines.slice(Math.max(before + 1, at - FAILURE_LINES_MAX), at + 1).join("\n")];
  });
}

function print(text: string): Promise<void> {
  return new Promise((written) => process.stdout.write(text, () => written()));
}
