import { runCommandLine } from "./commands/command-line.ts";

process.exit(await runCommandLine(process.argv.slice(2)));
