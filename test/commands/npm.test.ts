/** The processes that npm puts between the operator and the service: npm itself, and the shell that runs the script. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { registered } from "../support/client.ts";
import { type Replica, startReplica } from "../support/replica.ts";

const START = ["npm", "--no-update-notifier", "start"];
const SERVE = ["npm", "--no-update-notifier", "run", "service", "--", "serve"];
/** The deadline is longer than any drain. A service that received no signal still runs at the deadline. */
const STOP_DEADLINE_MS = 45_000;

let directory: string;
let env: Record<string, string>;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "identity-npm-"));
  env = { SERVICE_DATA_DIRECTORY: directory, SERVICE_JWT_SECRET: "", SERVICE_PUBLIC_BASE_URL: "" };
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Returns every descendant of the process: shells, the service, PostgreSQL and the backends. */
function descendantsOf(pid: number): number[] {
  const children = Bun.spawnSync(["ps", "--ppid", String(pid), "-o", "pid="])
    .stdout.toString()
    .trim();
  return children
    .split(/\s+/)
    .filter(Boolean)
    .map(Number)
    .flatMap((child) => [child, ...descendantsOf(child)]);
}

const nameOf = (pid: number) => readFileSync(`/proc/${pid}/comm`, "utf8").trim();

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Starts npm, calls `end`, and returns the exit code of npm, the log, and the remaining processes below npm. */
async function ended(command: readonly string[], end: (npm: Replica) => void) {
  const npm = await startReplica(env, { command });
  const below = descendantsOf(npm.pid);
  try {
    expect(below.map(nameOf)).toContain("postgres");
    await registered(npm.url);
    end(npm);
    const code = await Promise.race([npm.exited, Bun.sleep(STOP_DEADLINE_MS).then(() => "still there")]);
    const response = await fetch(`${npm.url}/healthz`).catch(() => "refused");
    return { code, answer: response, orphans: below.filter(isAlive), output: npm.output() };
  } finally {
    for (const pid of [npm.pid, ...below].filter(isAlive)) process.kill(pid, "SIGKILL");
  }
}

describe("the service started by npm", () => {
  const stopped = { code: 0, answer: "refused", orphans: [], output: expect.stringContaining('"msg":"stopped"') };

  test.each([
    ["npm start", "SIGTERM", START],
    ["npm start", "SIGINT", START],
    ["npm run service -- serve", "SIGTERM", SERVE],
    ["npm run service -- serve", "SIGINT", SERVE],
  ] as const)(
    "%s: %s to npm's process drains it; no process, no PostgreSQL and no listener is left",
    async (_, signal, command) => {
      expect(await ended(command, (npm) => npm.signal(signal))).toEqual(stopped);
    },
  );

  test("npm start: Ctrl-C, passed on by the terminal and npm, drains the service once", async () => {
    expect(await ended(START, ({ pid }) => process.kill(-pid, "SIGINT"))).toEqual(stopped);
  });
});

test("every script with a program replaces its shell, which would keep signals", () => {
  const commands = Object.values(packageJson.scripts).filter((command) => /\bbun\b/.test(command));
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) expect(command.replaceAll("exec bun ", "")).not.toMatch(/\bbun\b/);
});
