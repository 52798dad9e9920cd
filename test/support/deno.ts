import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** The name of Deno among the missing programs. Deno comes from npm and is no Debian package. */
export const DENO = "deno";

const ROOT = join(import.meta.dir, "../..");
/** The path, or the error of the only attempt. */
let found: string | Error | undefined;

/**
 * Finds the program of `npm run start:deno`, and downloads the program if absent. Throws an error of a single line if
 * the download fails.
 */
export function findDeno(): string {
  found ??= fetchDeno();
  if (found instanceof Error) throw found;
  return found;
}

function fetchDeno(): string | Error {
  try {
    const args = [join(ROOT, "ops/deno.sh"), "eval", "console.log(Deno.execPath())"];
    return execFileSync("sh", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string };
    return new Error(`The tests need Deno: ${stderr.trim().split("\n").at(-1)}`);
  }
}

/** Returns the command line that precedes the arguments of the service. */
export function denoCommand(): string[] {
  return [findDeno(), "run", "--allow-all", "--no-prompt", "--quiet", join(ROOT, "src/main.ts")];
}
