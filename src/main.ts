import { trustExtraAuthorities } from "./base/runtime.ts";
import { runCommandLine } from "./commands/command-line.ts";

await trustExtraAuthorities();
process.exit(await runCommandLine(process.argv.slice(2)));
