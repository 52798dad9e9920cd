import { requireProgram } from "./packages.ts";

/**
 * Whether what tests start ends with them even when it has a session of its own, which Ctrl-C at the terminal does not
 * reach.
 */
export const leashIsPresent = process.platform === "linux" && Bun.which("setpriv") !== null;

/**
 * A command that the kernel ends with this process, even after kill -9: nothing that a test run starts outlives it.
 * setpriv becomes the command, so the process id stays. Elsewhere only the ordinary end of a run is covered.
 */
export function dieWithParent(command: string, args: readonly string[]): [command: string, args: string[]] {
  requireProgram(command);
  return leashIsPresent ? ["setpriv", ["--pdeathsig", "KILL", command, ...args]] : [command, [...args]];
}
