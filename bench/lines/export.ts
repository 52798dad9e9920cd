import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import postgres from "postgres";
import { exportQuery } from "../../src/models/audit/export-query.ts";
import { type Bench, fixed, median, type Row, type Running, startService, whole } from "../harness.ts";
import { seededDatabases, signInAsOwner } from "../scale.ts";

const GOAL = 0.7;
const MEMORY_GOAL_MIB = 64;
const KEY = "insecure-audit-export-key";

/** Line 6 compares duration and memory of the signed export with psql's COPY of the same rows piped through openssl. */
export async function exportLines(bench: Bench): Promise<Row[]> {
  const { large } = await seededDatabases(bench);
  const service = await startService(bench, { DATABASE_URL: large });
  const bearer = await signInAsOwner(service.url, large);
  const download = async (to: Date) => {
    const startedAt = performance.now();
    const url = `${service.url}/v1/admin/audit-export?to=${encodeURIComponent(to.toISOString())}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } });
    let last = "";
    for await (const chunk of response.body ?? []) last = (last + Buffer.from(chunk).toString("latin1")).slice(-200);
    const { _count: count } = JSON.parse(last.trimEnd().split("\n").at(-1) ?? "");
    return { rows: Number(count), seconds: (performance.now() - startedAt) / 1000 };
  };
  const { exportRows, exportRowsMany } = bench.scale;
  const [some, many] = [await timeOfRow(large, exportRows), await timeOfRow(large, exportRowsMany)];
  await download(some);
  const ratios: number[] = [];
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < Math.min(3, bench.rounds); round += 1) {
    const { rows, seconds } = await download(some);
    const peer = await copyAndSign(large, some);
    ours.push(rows / seconds);
    theirs.push(rows / peer);
    ratios.push(peer / seconds);
  }
  const growth = [await memoryGrowth(service, () => download(some)), await memoryGrowth(service, () => download(many))];
  await service.stop();
  const ratio = median(ratios);
  const worst = Math.max(...growth);
  return [
    {
      line: "6",
      work: `audit export, ${whole(exportRows)} rows`,
      measured: `${whole(median(ours))} rows/s`,
      compared: `${whole(median(theirs))} rows/s of psql COPY through openssl`,
      ratio: fixed(ratio),
      goal: `at least ${GOAL}`,
      reached: ratio >= GOAL,
      score: ratio,
    },
    {
      line: "6",
      work: `memory that an export of ${whole(exportRows)} and of ${whole(exportRowsMany)} rows adds`,
      measured: growth.map((mebibytes) => `${Math.round(mebibytes)} MiB`).join(", "),
      compared: "",
      ratio: "",
      goal: `at most ${MEMORY_GOAL_MIB} MiB`,
      reached: worst <= MEMORY_GOAL_MIB,
      score: worst,
    },
  ];
}

async function timeOfRow(databaseUrl: string, number: number): Promise<Date> {
  const sql = postgres(databaseUrl, { max: 1 });
  const [row] = await sql`select timestamp from audit_logs order by id offset ${number - 1} limit 1`;
  await sql.end();
  return row?.timestamp;
}

async function copyAndSign(databaseUrl: string, to: Date): Promise<number> {
  const startedAt = performance.now();
  const query = exportQuery({ from: undefined, to }).replaceAll("\n", " ");
  const statement = `\\copy (${query}) to stdout with (format csv, delimiter e'\\x01', quote e'\\x02')`;
  const pipe = 'psql -X -q "$1" -c "$2" | openssl dgst -sha256 -hmac "$3"';
  const child = spawn("bash", ["-c", `set -o pipefail; ${pipe}`, "-", databaseUrl, statement, KEY], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  if (code !== 0) throw new Error(`psql or openssl stopped with ${code}`);
  return (performance.now() - startedAt) / 1000;
}

/**
 * Returns the growth of the peak resident memory during `work`, in MiB. Writing 5 to clear_refs resets the peak
 * (proc_pid_clear_refs(5)).
 */
async function memoryGrowth({ pid }: Running, work: () => Promise<unknown>): Promise<number> {
  const read = (field: string) =>
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before = read("VmRSS");
  await work();
  return read("VmHWM") - before;
}
