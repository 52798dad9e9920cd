import { requireProgram } from "./packages.ts";

/**
 * True if programs that tests start end with the test process even in a separate session, which Ctrl-C at the terminal
 * does not reach.
 */
export const leashIsPresent = process.platform === "linux" && Bun.which("setpriv") !== null;

/**
 * Wraps a command so that the kernel ends the program together with this process, even after kill -9; no program
 * outlives a test run. setpriv replaces itself by the command, so the process id stays. Without setpriv, only the
 * ordinary end of a run ends the program.
 */
export function dieWithParent(command: string, args: readonly string[]): [command: string, args: string[]] {
  requireProgram(command);
  return leashIsPresent ? ["setpriv", ["--pdeathsig", "KILL", command, ...args]] : [command, [...args]];
}
