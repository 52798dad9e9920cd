/** `npm run bench`: measures each line of the table in the README and writes it there and to bench/results.md, with a chart. `--quick`: one round each. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { chart } from "./chart.ts";
import { type Bench, type Row, withServers } from "./harness.ts";
import { exportLines } from "./lines/export.ts";
import { growthLines } from "./lines/growth.ts";
import { importLines } from "./lines/import.ts";
import { overloadLines } from "./lines/overload.ts";
import { peerLines } from "./lines/peer.ts";
import { refreshLine } from "./lines/refresh.ts";
import { revocationLine } from "./lines/revocation.ts";
import { sessionLines } from "./lines/session.ts";
import { signInLines } from "./lines/sign-in.ts";
import { startLines } from "./lines/start.ts";
import { tracingLine } from "./lines/tracing.ts";

const ROUNDS = 5;
const LINES = {
  signIn: signInLines,
  session: sessionLines,
  refresh: refreshLine,
  revocation: revocationLine,
  tracing: tracingLine,
  start: startLines,
  overload: overloadLines,
  peer: peerLines,
  import: importLines,
  growth: growthLines,
  export: exportLines,
};

const args = process.argv.slice(2);
const rounds = args.includes("--quick") ? 1 : ROUNDS;
const wanted = args.filter((word) => word in LINES);

const rows = await withServers(async (servers) => {
  const bench: Bench = { ...servers, rounds };
  const measured: Row[] = [];
  for (const [name, line] of Object.entries(LINES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.error(`measuring: ${name}`);
    measured.push(...(await line(bench)));
  }
  return measured;
});

/** By line; what has no line of its own comes last. */
rows.sort((a, b) => (Number(a.line) || Number.MAX_VALUE) - (Number(b.line) || Number.MAX_VALUE));
console.log(table(rows));
if (wanted.length === 0 && rounds === ROUNDS) {
  writeFileSync(join(import.meta.dir, "results.md"), report(rows));
  writeFileSync(join(import.meta.dir, "results.svg"), chart(rows));
  const readme = join(import.meta.dir, "../README.md");
  const figures = `<!-- figures -->\n${table(rows)}\n<!-- /figures -->`;
  writeFileSync(
    readme,
    readFileSync(readme, "utf8").replace(/<!-- figures -->[\s\S]*<!-- \/figures -->/, () => figures),
  );
}
process.exit(0);

function table(rows: readonly Row[]): string {
  const head = "| # | Work | Measured | Against | Ratio | Goal | |\n|---|---|---|---|---|---|---|";
  const cells = (row: Row) => [
    row.line,
    row.work,
    row.measured,
    row.compared,
    row.ratio,
    row.goal,
    row.reached ? "reached" : "**missed**",
  ];
  return [head, ...rows.map((row) => `| ${cells(row).join(" | ")} |`)].join("\n");
}

function report(rows: readonly Row[]): string {
  const version = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: "utf8" }).trim();
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `# Results

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}. ${machine}; Bun ${Bun.version}, PostgreSQL 18 (fsync on),
${version("redis-server", "--version").split(" ").slice(0, 3).join(" ")}, service ${packageJson.version}. Argon2id at the default cost (19 MiB, t=2, p=1).
Median of ${ROUNDS} alternating runs. The load generator, PostgreSQL and Redis share the cores with the service: only ratios count.

${table(rows)}
`;
}
