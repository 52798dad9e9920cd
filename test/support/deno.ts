import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
let found: string | undefined;

/** The program that `npm run start:deno` uses, fetched if it is missing. Throws in one line where it cannot be. */
export function findDeno(): string {
  found ??= fetchDeno();
  return found;
}

function fetchDeno(): string {
  try {
    const args = [join(ROOT, "ops/deno.sh"), "eval", "console.log(Deno.execPath())"];
    return execFileSync("sh", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string };
    throw new Error(`The tests need Deno: ${stderr.trim().split("\n").at(-1)}`);
  }
}

/** The command line before the arguments of the service. */
export function denoCommand(): string[] {
  return [findDeno(), "run", "--allow-all", "--no-prompt", "--quiet", join(ROOT, "src/main.ts")];
}
