/** The command line. Exit codes: 0 done, 1 hard failure, 2 usage (docs/contract.md, section 19.6). */
import { defineCommand, runCommand, showUsage } from "citty";
import packageJson from "../package.json" with { type: "json" };
import { grantCommand, revokeCommand } from "./commands/admin.ts";
import { verifyAuditCommand } from "./commands/audit.ts";
import { rotateConfigCommand } from "./commands/config.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { listKeysCommand, rotateKeysCommand } from "./commands/keys.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { seedCommand } from "./commands/seed.ts";
import { serveCommand } from "./commands/serve.ts";
import { findCommand, usageError } from "./commands/usage.ts";
import { importUsersCommand } from "./commands/users.ts";

const main = defineCommand({
  meta: { name: "service", version: packageJson.version, description: "Identity and access service" },
  subCommands: {
    serve: serveCommand,
    migrate: migrateCommand,
    doctor: doctorCommand,
    seed: seedCommand,
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

async function run(args: string[]): Promise<number> {
  const { command, parent, rest } = findCommand(main, args);
  if (args.includes("--help") || args.includes("-h") || args.length === 0) {
    await showUsage(command, parent);
    return args.length === 0 ? 2 : 0;
  }
  if (args.length === 1 && args[0] === "--version") {
    console.log(packageJson.version);
    return 0;
  }
  const problem = usageError(command, rest);
  if (problem !== undefined) {
    await showUsage(command, parent);
    console.error(problem);
    return 2;
  }
  try {
    await runCommand(main, { rawArgs: args });
    // citty discards what a subcommand returns, so commands set `process.exitCode`.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

process.exit(await run(process.argv.slice(2)));
