/**
 * `npm run bench` measures each line of docs/performance.md and writes the tables and the chart. Options: `--quick`
 * (short loads and small data sets, about fifteen minutes), `--runs=3` (the median of this number of runs per line),
 * and names of lines, which restrict the measurement and disable the writing of files.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { chart } from "./chart.ts";
import { type Bench, type Row, type Scale, withServers } from "./harness.ts";
import { apiKeyLine } from "./lines/api-key.ts";
import { auditProofLines } from "./lines/audit-proofs.ts";
import { directoryLines } from "./lines/directories.ts";
import { discoveryLines } from "./lines/discovery.ts";
import { exportLines } from "./lines/export.ts";
import { growthLines } from "./lines/growth.ts";
import { importLines } from "./lines/import.ts";
import { oauthFlowLines } from "./lines/oauth-flows.ts";
import { openidSignInLine } from "./lines/openid-sign-in.ts";
import { overloadLines } from "./lines/overload.ts";
import { pageLine } from "./lines/pages.ts";
import { peerLines } from "./lines/peer.ts";
import { policyLine } from "./lines/policies.ts";
import { programLines } from "./lines/programs.ts";
import { providerLines } from "./lines/provider.ts";
import { refreshLine } from "./lines/refresh.ts";
import { resourceVerifierLines } from "./lines/resource-verifier.ts";
import { revocationLine } from "./lines/revocation.ts";
import { samlLines } from "./lines/saml.ts";
import { sessionLines } from "./lines/session.ts";
import { signInLines } from "./lines/sign-in.ts";
import { signatureLines } from "./lines/signatures.ts";
import { startLines } from "./lines/start.ts";
import { tracingLine } from "./lines/tracing.ts";
import { verifierLines } from "./lines/verifier.ts";
import { webhookLines } from "./lines/webhooks.ts";
import { forgetSeededDatabases } from "./scale.ts";

const LINES = {
  signIn: signInLines,
  session: sessionLines,
  apiKey: apiKeyLine,
  refresh: refreshLine,
  revocation: revocationLine,
  tracing: tracingLine,
  start: startLines,
  overload: overloadLines,
  peer: peerLines,
  import: importLines,
  growth: growthLines,
  export: exportLines,
  page: pageLine,
  verifier: verifierLines,
  resourceVerifier: resourceVerifierLines,
  auditProofs: auditProofLines,
  provider: providerLines,
  oauthFlows: oauthFlowLines,
  webhooks: webhookLines,
  signatures: signatureLines,
  discovery: discoveryLines,
  openidSignIn: openidSignInLine,
  saml: samlLines,
  directories: directoryLines,
  policies: policyLine,
  programs: programLines,
};
const FULL: Scale = {
  users: 1_000_000,
  auditRows: 10_000_000,
  exportRows: 1_000_000,
  exportRowsMany: 5_000_000,
  importUsers: 1_000_000,
};
const SMALL: Scale = {
  users: 100_000,
  auditRows: 1_000_000,
  exportRows: 200_000,
  exportRowsMany: 800_000,
  importUsers: 100_000,
};
const ROOT = join(import.meta.dir, "..");

/** The rows of the README: the number of the line and the index among the rows of the line. */
const HEADLINE = [
  ["1", 1],
  ["2", 0],
  ["3", 0],
  ["4", 0],
  ["7", 0],
] as const;

const args = process.argv.slice(2);
const quick = args.includes("--quick");
const runs = Number(args.find((arg) => arg.startsWith("--runs="))?.slice("--runs=".length) ?? 1);
const wanted = args.filter((arg) => arg in LINES);
const pace = quick ? { rounds: 2, hurry: 2, scale: SMALL } : { rounds: 5, hurry: 1, scale: FULL };

const measured: Row[][] = [];
for (let run = 1; run <= runs; run += 1)
  measured.push(await withServers((servers) => measure({ ...servers, ...pace }, run)));
const rows = medians(measured);
// Rows are sorted by line; rows without a line come last.
rows.sort((a, b) => (Number(a.line) || Number.MAX_VALUE) - (Number(b.line) || Number.MAX_VALUE));
console.log(table(rows));
if (wanted.length === 0) {
  replaceIn("docs/performance.md", "figures", `${introduction()}\n\n${table(rows)}`);
  replaceIn("README.md", "headline", headline(rows));
  writeFileSync(join(import.meta.dir, "results.svg"), chart(rows));
}
process.exit(0);

async function measure(bench: Bench, run: number): Promise<Row[]> {
  const found: Row[] = [];
  forgetSeededDatabases();
  for (const [name, line] of Object.entries(LINES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.error(`run ${run} of ${runs}, measuring: ${name}`);
    found.push(...(await line(bench)));
  }
  return found;
}

type TableRow = Row & { readonly scores: readonly number[] };

/**
 * Returns the run with the median score of each row, with the scores of all runs. All runs have equal rows in equal
 * order.
 */
function medians(all: readonly Row[][]): TableRow[] {
  return (all[0] ?? []).map((first, index) => {
    const same = all.flatMap((each) => each[index] ?? []).sort((a, b) => a.score - b.score);
    return { ...(same[same.length >> 1] ?? first), scores: all.map((each) => each[index]?.score ?? Number.NaN) };
  });
}

function table(all: readonly TableRow[]): string {
  const head = ["#", "Work", "Measured", "Against", "Ratio", "Goal", "Result", "CPU per operation"];
  const several = runs > 1 ? ["All runs"] : [];
  const cells = (row: TableRow) => [
    row.line,
    row.work,
    row.measured,
    row.compared,
    row.ratio,
    row.goal,
    row.reached ? "reached" : "**missed**",
    row.cpu ?? "",
    ...several.map(() => row.scores.map((score) => Number(score.toPrecision(3))).join(", ")),
  ];
  const line = (texts: readonly string[]) => `| ${texts.join(" | ")} |`;
  const titles = [...head, ...several];
  return [line(titles), `|${titles.map(() => "---").join("|")}|`, ...all.map((row) => line(cells(row)))].join("\n");
}

function headline(all: readonly TableRow[]): string {
  const chosen = HEADLINE.flatMap(([line, place]) => all.filter((row) => row.line === line)[place] ?? []);
  const cells = ({ work, measured, compared, ratio }: Row) => `| ${work} | ${measured} | ${compared} | ${ratio} |`;
  return ["| Work | Measured | Against | Ratio |", "|---|---|---|---|", ...chosen.map(cells)].join("\n");
}

function introduction(): string {
  const redis = execFileSync("redis-server", ["--version"], { encoding: "utf8" })
    .trim()
    .split(" ")
    .slice(0, 3)
    .join(" ");
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const command = ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
  const date = new Date().toISOString().slice(0, 10);
  const rounds = `${runs > 1 ? `the median of ${runs} runs, each of ` : ""}at least ${pace.rounds} alternating rounds`;
  const versions = `Bun ${Bun.version}, PostgreSQL 18 (fsync on), ${redis}, service ${packageJson.version}`;
  return [
    `Written by \`${command}\` on ${date}: ${rounds}.`,
    `${machine}; ${versions}; Argon2id at the default cost (19 MiB, t=2, p=1).`,
    "The load generator, PostgreSQL and Redis share the cores with the service: only ratios count.",
  ].join("\n");
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
function replaceIn(file: string, name: string, text: string): void {
  const path = join(ROOT, file);
  const marked = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
  const before = readFileSync(path, "utf8");
  writeFileSync(
    path,
    before.replace(marked, () => `<!-- ${name} -->\n${text}\n<!-- /${name} -->`),
  );
}
