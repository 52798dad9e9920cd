/**
 * Ends every process of a run, however the run ends. Processes with a parent of the suite end with that parent
 * (die-with-parent.ts); a process behind a program that starts further programs, such as npm, does not. The
 * environment names the run, so that a watcher finds the latter in /proc.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";

/** The run that a process belongs to. A nested run has the name of the outer run as prefix. */
export const RUN_VARIABLE = "IDENTITY_TEST_RUN";
/** A round of the watcher finds processes that were forked during the round before. */
const ROUNDS_MAX = 50;
const PARENT_CHECK_MS = 1_000;

/**
 * Reads until end of file, which the kernel sends at the end of the watched process, then kills each process of the
 * run. `grep -z` compares whole variables; the run is a prefix, so that nested runs end too.
 */
const WATCH = `
trap "" HUP INT TERM
cat
for round in $(seq ${ROUNDS_MAX}); do
  files=$(grep -lz "^${RUN_VARIABLE}=$1" /proc/[0-9]*/environ 2>/dev/null)
  [ -n "$files" ] || exit 0
  for file in $files; do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}" 2>/dev/null
  done
  sleep 0.1
done`;

/** Names a new run in the environment of this process, and ends the processes of that run after this process. */
export function watchRun(): void {
  const outer = process.env[RUN_VARIABLE];
  const run = outer === undefined ? randomUUID() : `${outer}/${randomUUID()}`;
  if (process.platform === "linux") {
    const { PATH = "" } = process.env;
    // A session without terminal: Ctrl-C reaches only the watched process.
    spawn("sh", ["-c", WATCH, "sh", run], {
      detached: true,
      env: { PATH },
      stdio: ["pipe", "ignore", "ignore"],
    }).unref();
  }
  process.env[RUN_VARIABLE] = run;
}

/** The variable of the run, for processes with an environment of their own. */
export function runVariable(): Record<string, string> {
  const run = process.env[RUN_VARIABLE];
  return run === undefined ? {} : { [RUN_VARIABLE]: run };
}

/** Ends this process after a kill -9 of npm, which cannot pass the signal on. */
export function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  setInterval(() => process.ppid !== npm && process.exit(1), PARENT_CHECK_MS).unref();
}
