import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, PASSWORD } from "./harness.ts";

export interface Request {
  readonly authorization?: string;
  /** A proof of possession. */
  readonly dpop?: string;
  /** The body of a POST in either format; a request without a body is a GET. */
  readonly form?: string;
  readonly json?: object;
}

/**
 * Returns the requests per second of wrk, which sends `requests` in turn. Throws if the server refused a request,
 * unless the responses are `refusals`.
 */
export function sendRequests(
  url: string,
  seconds: number,
  connections: number,
  requests: readonly Request[],
  responses: "successes" | "refusals" = "successes",
): number {
  const file = join(tmpdir(), `identity-bench-requests-${process.pid}.txt`);
  writeFileSync(file, requests.map(lineOf).join(""));
  const script = join(import.meta.dir, "requests.lua");
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, url, "--", file];
  const output = execFileSync("wrk", args, { encoding: "utf8" });
  rmSync(file);
  const isWrong = /Socket errors/.test(output) || (responses === "successes" && /Non-2xx/.test(output));
  if (isWrong) throw new Error(`wrk saw refusals at ${url}:\n${output}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

function lineOf({ authorization = "", dpop = "", form = "", json }: Request): string {
  const [type, body] = json ? ["application/json", JSON.stringify(json)] : ["application/x-www-form-urlencoded", form];
  return `${authorization}\t${dpop}\t${type}\t${body}\n`;
}

/** Builds sign-ins of the accounts in turn, for this service and for the peer. */
export function signInsOf(accounts: readonly Account[]): Request[] {
  return accounts.map(({ email }) => ({ json: { email, password: PASSWORD } }));
}
