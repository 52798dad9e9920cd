/**
 * Version 0.1.0 as the baseline of lines that must have become faster. The sources come from git history, with the
 * packages of 0.1.0.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Bench, createDatabase, type Running, SERVICE_ENV, serve } from "./harness.ts";

const COMMIT = "47015e1e52122bc539ab2c5547bbdec56fa9a366";
const ROOT = join(import.meta.dir, "..");
const SOURCES = join(import.meta.dir, ".work/0.1.0");

/** Starts version 0.1.0 on a separate database. Throws if the repository has no history (a shallow clone). */
export async function startBaseline(bench: Bench): Promise<Running> {
  checkOut();
  const databaseUrl = await createDatabase(bench.databaseUrl, "baseline");
  const env = { ...SERVICE_ENV, DATABASE_URL: databaseUrl, REDIS_URL: bench.redisUrl };
  const main = join(SOURCES, "src/main.ts");
  execFileSync(process.execPath, [main, "migrate"], { cwd: SOURCES, env: { ...process.env, ...env }, stdio: "ignore" });
  return await serve(env, [process.execPath, main]);
}

function checkOut(): void {
  if (existsSync(SOURCES)) return;
  execFileSync("git", ["worktree", "prune"], { cwd: ROOT });
  execFileSync("git", ["worktree", "add", "--detach", SOURCES, COMMIT], { cwd: ROOT, stdio: "ignore" });
  execFileSync("npm", ["ci", "--omit=dev", "--no-audit", "--no-fund"], { cwd: SOURCES, stdio: "ignore" });
}
