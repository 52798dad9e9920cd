import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, PASSWORD } from "./harness.ts";

export interface Request {
  readonly authorization?: string;
  /** The body of a POST in either format; a request without a body is a GET. */
  readonly form?: string;
  readonly json?: object;
}

/** Returns the requests per second of wrk, which sends `requests` in turn. Throws if the server refused a request. */
export function sendRequests(url: string, seconds: number, connections: number, requests: readonly Request[]): number {
  const file = join(tmpdir(), `identity-bench-requests-${process.pid}.txt`);
  writeFileSync(file, requests.map(lineOf).join(""));
  const script = join(import.meta.dir, "requests.lua");
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, url, "--", file];
  const output = execFileSync("wrk", args, { encoding: "utf8" });
  rmSync(file);
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`wrk saw refusals at ${url}:\n${output}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

function lineOf({ authorization = "", form = "", json }: Request): string {
  const [type, body] = json ? ["application/json", JSON.stringify(json)] : ["application/x-www-form-urlencoded", form];
  return `${authorization}\t${type}\t${body}\n`;
}

/** Builds sign-ins of the accounts in turn, for this service and for the peer. */
export function signInsOf(accounts: readonly Account[]): Request[] {
  return accounts.map(({ email }) => ({ json: { email, password: PASSWORD } }));
}
