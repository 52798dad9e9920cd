/** An interrupted run of the suite leaves no process, whichever signal ends npm or the runner. */
import { expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dieWithParent } from "../support/die-with-parent.ts";
import { RUN_VARIABLE } from "../support/run-watcher.ts";
import { eventually, until } from "../support/waiting.ts";

const ROOT = join(import.meta.dir, "../..");
const COMMAND = ["npm", "--no-update-notifier", "test", "--", "./test/support/endless-run.ts"];
/** The time includes the fast shutdown of up to two PostgreSQL servers. */
const END_DEADLINE_MS = 20_000;

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Returns all processes with a command line; zombies have no command line. */
function processes(): ProcessEntry[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const command = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
    const parent = Number(read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")[1]);
    return command === "" ? [] : [{ pid: Number(pid), parent, command }];
  });
}

function descendantsOf(pid: number, all = processes()): ProcessEntry[] {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
}

const isOfRun = ({ pid }: ProcessEntry, run: string) =>
  read(`/proc/${pid}/environ`)
    .split("\0")
    .some((variable) => variable.startsWith(`${RUN_VARIABLE}=${run}`));

const signalRunner: Record<string, (npm: ChildProcess, runner: number) => void> = {
  "SIGTERM to npm": (npm) => void npm.kill("SIGTERM"),
  "Ctrl-C at the terminal": (npm) => void process.kill(-Number(npm.pid), "SIGINT"),
  "SIGHUP of the terminal": (npm) => void process.kill(-Number(npm.pid), "SIGHUP"),
  "SIGKILL to npm": (npm) => void npm.kill("SIGKILL"),
  "SIGKILL to the runner": (_, runner) => void process.kill(runner, "SIGKILL"),
};

/** Below the service of these runs runs a PostgreSQL of its own, which takes seconds of CPU to create. */
const EMBEDDED = ["SIGTERM to npm", "SIGKILL to the runner"];

test.concurrent.each(Object.entries(signalRunner))("%s ends every process of the run.", async (name, interrupt) => {
  const run = `${process.env[RUN_VARIABLE]}/${randomUUID()}`;
  const [program, args] = dieWithParent(COMMAND[0] ?? "", COMMAND.slice(1));
  const npm = spawn(program, args, {
    cwd: ROOT,
    // The process group is separate, as at a terminal.
    detached: true,
    env: { ...process.env, [RUN_VARIABLE]: run, ENDLESS_RUN: EMBEDDED.includes(name) ? "embedded" : "shared" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  await until("the run has started its processes", async () => {
    if (npm.exitCode !== null) throw new Error(`the run ended early:\n${output}`);
    return output.includes("everything runs");
  });
  const started = descendantsOf(npm.pid ?? 0);
  const commands = started.map(({ command }) => command).join("\n");
  for (const program of [/postgres/, /redis/, /main\.[jt]s serve/]) expect(commands).toMatch(program);
  const runner = started.find(({ command }) => command.includes("test/run.ts"));
  interrupt(npm, runner?.pid ?? 0);
  let survivors: ProcessEntry[] = [];
  const ended = eventually("every process has ended", END_DEADLINE_MS, async () => {
    const isStarted = (each: ProcessEntry) =>
      started.some(({ pid, command }) => pid === each.pid && command === each.command);
    survivors = processes().filter((each) => isStarted(each) || isOfRun(each, run));
    return survivors.length === 0;
  });
  await ended.catch(() => undefined);
  for (const { pid } of survivors) process.kill(pid, "SIGKILL");
  expect(survivors.map(({ command }) => command)).toEqual([]);
});
