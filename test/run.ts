/**
 * `npm test`: the suite in two halves at once, since half of its time is waiting; each half has a PostgreSQL and a Redis of its own. The second
 * one's output follows the first one's. With words, `npm test -- <files and options>` is `bun test` of those.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { dieWithParent } from "./support/die-with-parent.ts";
import { findPrograms } from "./support/packages.ts";

const HALVES = 2;
/** What hangs ends; what is slow because the machine is busy does not. */
const TEST_TIMEOUT_MS = 120_000;
/** How long each file took once (`npm test -- --timings=test/timings.json --update-timings`), so that the halves are equal. */
const BALANCED = `--timings=${join(import.meta.dir, "timings.json")}`;
const args = process.argv.slice(2);

function run(options: readonly string[], shown: boolean): Promise<{ code: number; output: string }> {
  const child = spawn(...dieWithParent(process.execPath, ["test", "--timeout", String(TEST_TIMEOUT_MS), ...options]), {
    stdio: ["ignore", shown ? "inherit" : "pipe", shown ? "inherit" : "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((ended) => child.once("close", (code) => ended({ code: code ?? 1, output })));
}

if (args.length > 0) process.exit((await run(args, true)).code);
findPrograms();
const halves = Array.from({ length: HALVES }, (_, index) =>
  run([BALANCED, `--shard=${index + 1}/${HALVES}`], index === 0),
);
const [first, ...others] = await Promise.all(halves);
for (const { output } of others) await new Promise((written) => process.stdout.write(output, written));
const failed = [first, ...others].filter((half) => half?.code !== 0).length;
console.log(failed === 0 ? "Both halves of the suite passed." : `${failed} of ${HALVES} halves of the suite failed.`);
process.exit(failed === 0 ? 0 : 1);
