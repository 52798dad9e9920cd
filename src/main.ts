/** The command line. Exit codes: 0 done, 1 hard failure, 2 usage (decisions, section 10). */
import { type CommandDef, defineCommand, runCommand, showUsage } from "citty";
import packageJson from "../package.json" with { type: "json" };
import { grantCommand, revokeCommand } from "./commands/admin.ts";
import { verifyAuditCommand } from "./commands/audit.ts";
import { rotateConfigCommand } from "./commands/config.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { listKeysCommand, rotateKeysCommand } from "./commands/keys.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { serveCommand } from "./commands/serve.ts";
import { importUsersCommand } from "./commands/users.ts";

const main = defineCommand({
  meta: { name: "service", version: packageJson.version, description: "Identity and access service" },
  subCommands: {
    serve: serveCommand,
    migrate: migrateCommand,
    doctor: doctorCommand,
    admin: defineCommand({
      meta: { name: "admin", description: "Platform roles" },
      subCommands: { grant: grantCommand, revoke: revokeCommand },
    }),
    users: defineCommand({
      meta: { name: "users", description: "Users of other services" },
      subCommands: { import: importUsersCommand },
    }),
    audit: defineCommand({
      meta: { name: "audit", description: "Audit exports" },
      subCommands: { verify: verifyAuditCommand },
    }),
    config: defineCommand({
      meta: { name: "config", description: "Secrets of providers" },
      subCommands: { rotate: rotateConfigCommand },
    }),
    keys: defineCommand({
      meta: { name: "keys", description: "Signing keys" },
      subCommands: { list: listKeysCommand, rotate: rotateKeysCommand },
    }),
  },
});

// biome-ignore lint/suspicious/noExplicitAny: citty's own type for a command of any arguments.
type AnyCommand = CommandDef<any>;

/** The command that the words name, and the one above it. */
async function findCommand(words: readonly string[]): Promise<[AnyCommand, AnyCommand | undefined]> {
  let command: AnyCommand = main;
  let parent: AnyCommand | undefined;
  for (const word of words) {
    const children = (command.subCommands ?? {}) as Record<string, AnyCommand>;
    const child = children[word];
    if (!child) break;
    [command, parent] = [child, command];
  }
  return [command, parent];
}

async function run(words: string[]): Promise<number> {
  if (words.includes("--help") || words.includes("-h") || words.length === 0) {
    await showUsage(...(await findCommand(words)));
    return words.length === 0 ? 2 : 0;
  }
  if (words[0] === "--version") {
    console.log(packageJson.version);
    return 0;
  }
  try {
    await runCommand(main, { rawArgs: words });
    // citty keeps what a subcommand returns to itself; commands say their exit code here.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const usage = error instanceof Error && error.name === "CLIError";
    if (usage) await showUsage(...(await findCommand(words)));
    console.error(error instanceof Error ? error.message : error);
    return usage ? 2 : 1;
  }
}

process.exit(await run(process.argv.slice(2)));
