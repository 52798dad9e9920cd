/** All commands, and the processing of the arguments. */
import { stripVTControlCharacters } from "node:util";
import { type CommandDef, defineCommand, renderUsage, runCommand } from "citty";
import packageJson from "../../package.json" with { type: "json" };
import { grantCommand, revokeCommand } from "./admin.ts";
import { verifyAuditCommand } from "./audit.ts";
import {
  createClientCommand,
  deleteClientCommand,
  listClientsCommand,
  rotateClientCommand,
  updateClientCommand,
} from "./clients.ts";
import { applyClientsCommand } from "./clients-apply.ts";
import { hasColours } from "./colours.ts";
import { rotateConfigCommand } from "./config.ts";
import { exportDeletionsCommand, replayDeletionsCommand } from "./deletions.ts";
import { doctorCommand } from "./doctor.ts";
import { explainCommand } from "./explain.ts";
import { listKeysCommand, rotateKeysCommand } from "./keys.ts";
import { migrateCommand } from "./migrate.ts";
import { applyResourcesCommand } from "./resources-apply.ts";
import { seedCommand } from "./seed.ts";
import { serveCommand } from "./serve.ts";
import { findCommand, usageError } from "./usage.ts";
import { importUsersCommand } from "./users.ts";
import { listenWebhooksCommand } from "./webhooks.ts";

export const commandLine = defineCommand({
  meta: { name: "service", version: packageJson.version, description: "Identity and access service" },
  subCommands: {
    serve: serveCommand,
    migrate: migrateCommand,
    doctor: doctorCommand,
    explain: explainCommand,
    seed: seedCommand,
    admin: defineCommand({
      meta: { name: "admin", description: "Platform roles" },
      subCommands: { grant: grantCommand, revoke: revokeCommand },
    }),
    users: defineCommand({
      meta: { name: "users", description: "Users of other services" },
      subCommands: { import: importUsersCommand },
    }),
    deletions: defineCommand({
      meta: { name: "deletions", description: "The deletion log of backups" },
      subCommands: { export: exportDeletionsCommand, replay: replayDeletionsCommand },
    }),
    erasures: defineCommand({
      meta: { name: "erasures", description: "Deprecated alias of deletions" },
      subCommands: { export: exportDeletionsCommand, replay: replayDeletionsCommand },
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
    clients: defineCommand({
      meta: { name: "clients", description: "Applications that sign users in with the service" },
      subCommands: {
        list: listClientsCommand,
        create: createClientCommand,
        update: updateClientCommand,
        rotate: rotateClientCommand,
        delete: deleteClientCommand,
        apply: applyClientsCommand,
      },
    }),
    resources: defineCommand({
      meta: { name: "resources", description: "APIs, for which applications request access tokens" },
      subCommands: { apply: applyResourcesCommand },
    }),
    webhooks: defineCommand({
      meta: { name: "webhooks", description: "Webhooks during development" },
      subCommands: { listen: listenWebhooksCommand },
    }),
  },
});

/**
 * Runs the command named by the arguments. Returns the exit code: 0 done, 1 hard failure, 2 usage (docs/contract.md,
 * section 19.6).
 */
export async function runCommandLine(args: string[]): Promise<number> {
  const { command, parent, rest } = findCommand(commandLine, args);
  if (args.includes("--help") || args.includes("-h") || args.length === 0) {
    await printUsage(command, parent);
    return args.length === 0 ? 2 : 0;
  }
  if (args.length === 1 && args[0] === "--version") {
    console.log(packageJson.version);
    return 0;
  }
  const problem = usageError(command, rest);
  if (problem !== undefined) {
    await printUsage(command, parent);
    console.error(problem);
    return 2;
  }
  try {
    await runCommand(commandLine, { rawArgs: args });
    // citty discards the result of a subcommand, so commands set `process.exitCode`.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

/** citty colours the usage in a pipe and a file too, and knows one of the values of `NO_COLOR`. */
async function printUsage(command: CommandDef, parent: CommandDef | undefined): Promise<void> {
  const usage = await renderUsage(command, parent);
  console.log(`${hasColours() ? usage : stripVTControlCharacters(usage)}\n`);
}
