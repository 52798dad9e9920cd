import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Request {
  readonly authorization: string;
  /** The body of a POST; empty for a GET. */
  readonly form: string;
}

/** Requests per second, measured by wrk, which sends `requests` in turn. Throws if one was refused. */
export function sendRequests(url: string, seconds: number, connections: number, requests: readonly Request[]): number {
  const file = join(tmpdir(), `identity-bench-requests-${process.pid}.txt`);
  writeFileSync(file, requests.map(({ authorization, form }) => `${authorization}\t${form}\n`).join(""));
  const script = join(import.meta.dir, "requests.lua");
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, url, "--", file];
  const output = execFileSync("wrk", args, { encoding: "utf8" });
  rmSync(file);
  if (/Non-2xx/.test(output)) throw new Error(`wrk saw refusals at ${url}:\n${output}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}
