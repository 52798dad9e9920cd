/**
 * `npm run test:faults [-- <seed>] [--write] [--pooler=session|transaction] [--only=<words>]` runs every fault for five
 * seconds under load and prints a table, which `--write` writes into docs/performance.md. The exit code is 1 for any
 * lost or wrong result. `--pooler` adds a PgBouncer in that mode; `--only` selects faults by words of the name.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endWithNpm, watchRun } from "../support/run-watcher.ts";
import { stopServices } from "../support/services.ts";
import { FaultDeployment } from "./deployment.ts";
import { play, type Report, SCENARIOS } from "./scenarios.ts";

const PACE = { holdMs: 5_000, pauseMs: 0 };
const DOCUMENT = join(import.meta.dir, "../../docs/performance.md");
const USAGE =
  "npm run test:faults [-- <seed>] [--write] [--pooler=session|transaction] [--only=<words>]\n" +
  "Every fault for five seconds under load; all take about nine minutes on a busy machine of two cores.";
const OPTION = /^(?:\d+|--write|--pooler=(?:session|transaction)|--only=.+)$/;
const args = process.argv.slice(2);
if (!args.every((arg) => OPTION.test(arg))) {
  console.log(USAGE);
  process.exit(args.includes("--help") ? 0 : 2);
}
watchRun();
endWithNpm();
const pooler = (["session", "transaction"] as const).find((mode) => args.includes(`--pooler=${mode}`));
const seed = Number(args.find((word) => /^\d+$/.test(word)) ?? Date.now() % 100_000);
console.log(`seed ${seed}\n`);
const only = args.find((word) => word.startsWith("--only="))?.slice("--only=".length) ?? "";
const table: string[] = [];
add("| Fault | Sent | Failed (5xx) | Unknown | Lost | Slowest | Recovered after |");
add("| --- | --- | --- | --- | --- | --- | --- |");

const stage = await FaultDeployment.set(pooler);
let wrong = 0;
let deactivated = 0;
const verified = { accepted: 0, refused: 0, cannotTell: 0 };
for (const [index, scenario] of SCENARIOS.entries()) {
  if (!scenario.fault.includes(only)) continue;
  const report = await play(stage, scenario, PACE, seed + index);
  add(line(report));
  verified.accepted += report.verified.accepted;
  verified.refused += report.verified.refused;
  verified.cannotTell += report.verified.cannotTell;
  deactivated += report.deactivated;
  const noticed = scenario.unnoticed ? report.failed + report.unknown : 0;
  for (const each of [...report.lost, ...report.violations]) console.error(`  ${report.fault}: ${each}`);
  wrong += report.lost.length + report.violations.length + noticed;
}
const webhooks = await stage.webhook.findings();
const { acknowledged, received, lost, violations } = webhooks;
add("");
add(
  `Webhook deliveries of all that: ${acknowledged} acknowledged, ${received} received, ${lost.length} lost, ` +
    `${violations.length} out of order.`,
);
add(
  `Verifications by three verifiers, of HAProxy's feed and each replica's: ${verified.accepted} accepted, ` +
    `${verified.refused} refused, ${verified.cannotTell} could not tell.`,
);
add(`Deactivations by a directory: ${deactivated} accepted sessions ended.`);
for (const each of [...lost, ...violations]) console.error(`  webhooks: ${each}`);
wrong += lost.length + violations.length;
await stage.teardown();
await stopServices();
if (args.includes("--write")) {
  const figures = `<!-- faults -->\n${table.join("\n")}\n<!-- /faults -->`;
  const marked = /<!-- faults -->[\s\S]*<!-- \/faults -->/;
  writeFileSync(
    DOCUMENT,
    readFileSync(DOCUMENT, "utf8").replace(marked, () => figures),
  );
}
process.exit(wrong > 0 ? 1 : 0);

function add(row: string): void {
  table.push(row);
  console.log(row);
}

function line({ fault, sent, failed, unknown, lost, slowestMs, recoveryMs }: Report): string {
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
  return `| ${[fault, sent, failed, unknown, lost.length, seconds(slowestMs), seconds(recoveryMs)].join(" | ")} |`;
}
