import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { totalOf, withCosts } from "../cpu.ts";
import { alternate, type Bench, fixed, type Row, registerAccounts, spawnBun, startService, whole } from "../harness.ts";
import { load } from "../run-load.ts";
import { WITH_SEQUENCER, WITHOUT_SEQUENCER } from "../scale.ts";

const SHARE_MIN = 0.98;
const MEMORY_GOAL_MIB = 64;
const FEW = 100;
/** Fewer clients than the hash workers' queue can time out on a busy machine. */
const CLIENTS = 4;
const WITH = `
  alter table audit_logs alter column transaction_id set default pg_current_xact_id();
  create index if not exists audit_logs_transaction_id_idx on audit_logs
    using brin ((transaction_id::text::bigint)) with (autosummarize = on);
  ${WITH_SEQUENCER}`;
const WITHOUT = `
  alter table audit_logs alter column transaction_id drop default;
  drop index if exists audit_logs_transaction_id_idx;
  ${WITHOUT_SEQUENCER}`;

/**
 * Line 17 measures the cost of the transparency log for sign-ins, and the memory for the verification of a long export.
 */
export async function auditProofLines(bench: Bench): Promise<Row[]> {
  return [await signInShare(bench), await verification(bench)];
}

/**
 * Computes the sign-in rate from the CPU time per sign-in over all threads, PostgreSQL and Redis, because unrelated
 * programs hardly change CPU time. A service on a database with column, index and sequencer is compared with a service
 * on a database without the three.
 */
async function signInShare(bench: Bench): Promise<Row> {
  const service = await startService(bench);
  const sql = postgres(bench.databaseUrl, { max: 1, onnotice: () => undefined });
  const accounts = await registerAccounts(service.url, 64);
  const seconds = 6 / bench.hurry;
  const cost = async () => {
    const run = () => load("login", service.url, CLIENTS, seconds, accounts);
    return totalOf((await withCosts(bench, service, seconds, run)).costs);
  };
  await load("login", service.url, CLIENTS, 2, accounts);
  const costs = await alternate(
    2 * bench.rounds,
    async () => {
      await sql.unsafe(WITHOUT);
      return await cost();
    },
    async () => {
      await sql.unsafe(WITH);
      return await cost();
    },
  );
  await sql.end();
  await service.stop();
  return {
    line: "17",
    work: `CPU of a sign-in with the transparency log, ${CLIENTS} clients`,
    measured: `${fixed(costs.b)} ms`,
    compared: `${fixed(costs.a)} ms without its column, index and sequencer`,
    ratio: `${fixed(costs.ratio)} of the rate`,
    goal: `at least ${SHARE_MIN}`,
    reached: costs.ratio >= SHARE_MIN,
    score: costs.ratio,
  };
}

async function verification({ scale }: Bench): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), "identity-bench-audit-"));
  await verify(folder, FEW);
  const few = await verify(folder, FEW);
  const many = await verify(folder, scale.exportRowsMany);
  rmSync(folder, { recursive: true, force: true });
  const growth = many.peakMib - few.peakMib;
  return {
    line: "17",
    work: `memory that verifying ${whole(scale.exportRowsMany)} records adds to that of ${FEW}`,
    measured: `${Math.round(growth)} MiB`,
    compared: `${whole(scale.exportRowsMany / many.seconds)} records/s`,
    ratio: "",
    goal: `at most ${MEMORY_GOAL_MIB} MiB`,
    reached: growth <= MEMORY_GOAL_MIB,
    score: growth,
  };
}

/** Writes an export with a proof, and verifies the export in a separate process. */
async function verify(folder: string, records: number): Promise<{ peakMib: number; seconds: number }> {
  const made = await run("bench/audit-files.ts", [String(records), folder]);
  const files = [join(folder, "audit.ndjson"), "--proof", join(folder, "audit.proof"), "--key", made.output.trim()];
  const startedAt = performance.now();
  const { peakMib } = await run("src/main.ts", ["audit", "verify", ...files]);
  return { peakMib, seconds: (performance.now() - startedAt) / 1000 };
}

async function run(script: string, args: readonly string[]): Promise<{ output: string; peakMib: number }> {
  const child = spawnBun(script, args);
  let output = "";
  let peakKib = 0;
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const watching = setInterval(() => {
    peakKib = Math.max(peakKib, peakOf(child.pid));
  }, 20);
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  clearInterval(watching);
  if (code !== 0) throw new Error(`${script} stopped with ${code}: ${output}`);
  return { output, peakMib: peakKib / 1024 };
}

/** Returns VmHWM of proc_pid_status(5) in KiB; 0 after the process has ended. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
