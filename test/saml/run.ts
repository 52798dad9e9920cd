/**
 * `npm run test:saml` judges the corpus by this service and five further implementations, prints the table, and checks
 * generated input (`-- --inputs=100000`), memory and the rate. A forgery accepted by this service, or a response that
 * most implementations refuse or read differently, fails the command.
 */
import fc from "fast-check";
import { runResponseJob } from "../../workers/saml.ts";
import { corpus, jobOf } from "../support/saml/corpus.ts";
import { ADMIN } from "../support/saml/forgeries.ts";
import { samlInput } from "../support/saml/inputs.ts";
import { ALICE } from "../support/saml/message.ts";
import { PRESET_SHAPES } from "../support/saml/presets.ts";
import { judgeByDebian, judgeByNodeSaml, judgeBySamlify, type Verdicts } from "./implementations.ts";

const INPUTS = Number(/--inputs=(\d+)/.exec(process.argv.slice(2).join(" "))?.[1] ?? 100_000);
const INPUT_BOUND_MS = 5_000;
const GROWTH_MAX_BYTES = 64 * 1024 * 1024;
/** Verifications by both implementations, in CPU time of one thread. */
const RATE_MIN = 120;
const RATE_ROUNDS = 40;
const KINDS = ["valid", "forgery", "breach"] as const;
const NAME_WIDTH = 24;
const CELL_WIDTH = 20;

const cases = corpus();
const jobs = cases.map(jobOf);
const problems: string[] = [];

const verdicts: Verdicts = {
  "this service": await judgeByService(),
  ...(await judgeByNodeSaml(jobs)),
  ...judgeBySamlify(jobs),
  ...judgeByDebian(jobs),
};
printTable();
compare();
await checkInputs();
await measureRate();
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

async function judgeByService(): Promise<(string | null)[]> {
  const names: (string | null)[] = [];
  for (const [index, job] of jobs.entries()) {
    const result = await runResponseJob(job);
    names.push(result.ok ? result.identity.nameId : null);
    const each = cases[index];
    const expected = each?.reasons ?? ["accepted"];
    const verdict = result.ok ? "accepted" : result.reason;
    if (!(expected as readonly string[]).includes(verdict)) problems.push(`${each?.name}: ${verdict}, not ${expected}`);
  }
  return names;
}

function printTable(): void {
  const titles = [...KINDS.map((kind) => `${kind} accepted`), "forged identity"];
  console.log(["implementation".padEnd(NAME_WIDTH), ...titles.map((title) => title.padStart(CELL_WIDTH))].join(""));
  for (const [name, names] of Object.entries(verdicts)) {
    const cells = KINDS.map((kind) => {
      const indexes = cases.flatMap((each, index) => (each.kind === kind ? [index] : []));
      const accepted = indexes.filter((index) => names[index] != null).length;
      return `${accepted} of ${indexes.length}`.padStart(CELL_WIDTH);
    });
    // An accepted forgery is harmless if the implementation read the genuine assertion.
    const forged = names.filter((each, index) => cases[index]?.kind === "forgery" && each === ADMIN).length;
    console.log([name.padEnd(NAME_WIDTH), ...cells, String(forged).padStart(CELL_WIDTH)].join(""));
  }
}

/** Most implementations accept a response that this service accepts, and read an equal NameID. */
function compare(): void {
  const [own = [], ...others] = Object.values(verdicts);
  own.forEach((name, index) => {
    if (name === null) return;
    const read = others.map((names) => names[index] ?? null).filter((each) => each !== null);
    const label = cases[index]?.name;
    if (read.length * 2 <= others.length) problems.push(`${label}: accepted by ${read.length} of ${others.length}`);
    if (read.some((each) => each.trim() !== name.trim())) problems.push(`${label}: ${name}, and elsewhere ${read}`);
  });
}

async function checkInputs(): Promise<void> {
  const subjects = PRESET_SHAPES.map(({ parts }) => parts.nameId ?? ALICE);
  let [before, slowest, count] = [0, 0, 0];
  const property = fc.asyncProperty(samlInput(), async (message) => {
    // The first inputs fill the memory that the parsers keep.
    if (++count === Math.ceil(INPUTS / 10)) before = residentBytes();
    const startedAt = performance.now();
    const result = await runResponseJob(jobOf({ kind: "forgery", name: "", xml: "", job: { message } }));
    slowest = Math.max(slowest, performance.now() - startedAt);
    return !result.ok || subjects.includes(result.identity.subject);
  });
  const details = await fc.check(property, { numRuns: INPUTS });
  const growth = residentBytes() - before;
  console.log(
    `${details.numRuns} generated inputs, seed ${details.seed}: the slowest ${slowest.toFixed(0)} ms, ` +
      `memory ${growth > 0 ? "+" : ""}${(growth / 2 ** 20).toFixed(0)} MiB`,
  );
  if (details.failed) problems.push(fc.defaultReportMessage(details) ?? "a generated input failed");
  if (slowest > INPUT_BOUND_MS) problems.push(`an input took ${slowest} ms`);
  if (growth > GROWTH_MAX_BYTES) problems.push(`memory grew by ${growth} bytes`);
}

function residentBytes(): number {
  Bun.gc(true);
  return process.memoryUsage().rss;
}

async function measureRate(): Promise<void> {
  const usual = jobs.filter((_, index) => cases[index]?.name.endsWith(": usual"));
  const before = process.cpuUsage();
  for (let run = 0; run < RATE_ROUNDS; run += 1) for (const job of usual) await runResponseJob(job);
  const { user, system } = process.cpuUsage(before);
  const rate = (RATE_ROUNDS * usual.length) / ((user + system) / 1_000_000);
  console.log(`responses of all products: ${rate.toFixed(0)} verifications in a second of CPU time, goal ${RATE_MIN}`);
  if (rate < RATE_MIN) problems.push(`fewer than ${RATE_MIN} verifications a second`);
}
