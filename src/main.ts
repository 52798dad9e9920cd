import { trustExtraAuthorities } from "./base/runtime.ts";
import { runCommandLine } from "./commands/command-line.ts";

/** A function in place of statements with `await`, which a build to bytecode cannot contain. */
async function main(): Promise<void> {
  await trustExtraAuthorities();
  process.exit(await runCommandLine(process.argv.slice(2)));
}

void main();
