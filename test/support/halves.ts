/**
 * `bun test` in two halves at once, since half of its time is waiting; each half has a PostgreSQL and a Redis of its
 * own.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { dieWithParent } from "./die-with-parent.ts";

const HALVES = 2;
/** What hangs ends; what is slow because the machine is busy does not. */
const TEST_TIMEOUT_MS = 300_000;
/**
 * How long each file took once (`npm test -- --timings=test/timings.json --update-timings`), so that the halves are
 * equal.
 */
const BALANCED = `--timings=${join(import.meta.dir, "../timings.json")}`;

export interface BunTest {
  readonly args: readonly string[];
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** One run of `bun test`; its output is shown as it comes, or returned. */
export function bunTest({ args, env = {} }: BunTest, shown: boolean): Promise<{ code: number; output: string }> {
  const child = spawn(...dieWithParent(process.execPath, ["test", "--timeout", String(TEST_TIMEOUT_MS), ...args]), {
    stdio: ["ignore", shown ? "inherit" : "pipe", shown ? "inherit" : "pipe"],
    env: { ...process.env, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((ended) => child.once("close", (code) => ended({ code: code ?? 1, output })));
}

/**
 * Both halves; the second one's output follows the first one's. Returns the exit code, and prints the verdict in a
 * line.
 */
export async function bunTestInHalves({ args, env = {} }: BunTest): Promise<number> {
  const halves = Array.from({ length: HALVES }, (_, index) =>
    bunTest({ args: [BALANCED, `--shard=${index + 1}/${HALVES}`, ...args], env }, index === 0),
  );
  const [first, ...others] = await Promise.all(halves);
  for (const { output } of others) await new Promise((written) => process.stdout.write(output, written));
  const failed = [first, ...others].filter((half) => half?.code !== 0).length;
  console.log(failed === 0 ? "Both halves of the suite passed." : `${failed} of ${HALVES} halves of the suite failed.`);
  return failed === 0 ? 0 : 1;
}
