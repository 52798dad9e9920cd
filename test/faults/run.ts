/** `npm run test:faults [seed]`: every fault for five seconds under load; a table, and exit code 1 for anything lost or wrong. */
import { stopServices } from "../support/services.ts";
import { play, type Report, SCENARIOS } from "./scenarios.ts";
import { Stage } from "./stage.ts";

const HOLD_MS = 5_000;
const seed = Number(process.argv[2] ?? Date.now() % 100_000);
console.log(`seed ${seed}\n`);
console.log("| Fault | Sent | Failed (5xx) | Unknown | Lost | Slowest | Recovered after |");
console.log("| --- | --- | --- | --- | --- | --- | --- |");

const stage = await Stage.set();
let wrong = 0;
for (const [index, scenario] of SCENARIOS.entries()) {
  const report = await play(stage, scenario, HOLD_MS, seed + index);
  console.log(line(report));
  const noticed = scenario.unnoticed ? report.failed + report.unknown : 0;
  for (const each of [...report.lost, ...report.violations]) console.error(`  ${report.fault}: ${each}`);
  wrong += report.lost.length + report.violations.length + noticed;
}
await stage.strike();
await stopServices();
process.exit(wrong > 0 ? 1 : 0);

function line({ fault, sent, failed, unknown, lost, slowestMs, recoveryMs }: Report): string {
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
  return `| ${[fault, sent, failed, unknown, lost.length, seconds(slowestMs), seconds(recoveryMs)].join(" | ")} |`;
}
