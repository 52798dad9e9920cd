import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, fixed, median, type Row, type Running, startEmbeddedService, startService } from "../harness.ts";

const IDLE_SECONDS = 5;

/**
 * Line 9 measures the time from the start of the process to the first 200 of /readyz, and the memory of an idle
 * replica.
 */
export async function startLines(bench: Bench): Promise<Row[]> {
  const migrated: number[] = [];
  const embedded: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    migrated.push(await readyMs(() => startService(bench)));
    const directory = mkdtempSync(join(tmpdir(), "identity-start-"));
    embedded.push(await readyMs(() => startEmbeddedService(directory)));
    rmSync(directory, { recursive: true, force: true });
  }
  const idle = await startService(bench, { SERVICE_HASH_WORKERS: "2" });
  await Bun.sleep(IDLE_SECONDS * 1000);
  const residentMiB = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${idle.pid}/status`, "utf8"))?.[1]) / 1024;
  await idle.stop();
  return [
    row("ready after start, migrated database", median(migrated) / 1000, "s", 1),
    row("ready after the first embedded start", median(embedded) / 1000, "s", 5),
    row("idle memory, two hash workers", residentMiB, "MiB", 220),
  ];
}

async function readyMs(start: () => Promise<Running>): Promise<number> {
  const startedAt = performance.now();
  const service = await start();
  const elapsed = performance.now() - startedAt;
  await service.stop();
  return elapsed;
}

function row(work: string, value: number, unit: "s" | "MiB", most: number): Row {
  const measured = `${unit === "s" ? fixed(value) : Math.round(value)} ${unit}`;
  const goal = `at most ${most} ${unit}`;
  return { line: "9", work, measured, compared: "", ratio: "", goal, reached: value <= most, score: value };
}
