import { setTimeout as sleep } from "node:timers/promises";
import { defineCommand } from "citty";
import type { Clock } from "../base/clock.ts";
import type { AdministerClientsDeps, DisplayedClient } from "../flows/oauth/clients/administer-clients.ts";
import {
  type ApplyInput,
  type ApplyOutcome,
  type ApplyProblem,
  applyClients,
  readPlan,
} from "../flows/oauth/clients/apply-clients.ts";
import type { ClientPlan, ClientSet, PlanStep } from "../flows/oauth/clients/client-plan.ts";
import { CLIENT_APPLY_RETRY_MS, CLIENT_APPLY_WAIT_MS } from "../limits/oauth-limits.ts";
import { withClientAdministration } from "./client-administration.ts";
import { readClientFile } from "./client-file.ts";
import { describePlan, describeStep, planBody } from "./client-plan-output.ts";
import { configured, withFoundation } from "./configured.ts";
import { openSecretsFile, type SecretsFile } from "./secrets-file.ts";

export const applyClientsCommand = defineCommand({
  meta: { name: "apply", description: "Create, change and, with --prune, delete applications as a file says" },
  args: {
    file: { type: "positional", required: true, description: "YAML or JSON (docs/guides/clients-as-code.md)" },
    "dry-run": { type: "boolean", description: "Print the difference and change nothing" },
    prune: { type: "boolean", description: "Delete the applications of the set that the file does not list" },
    "secrets-to": { type: "string", description: "File for new secrets, mode 0600, in place of the output" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    process.exitCode = await apply(args.file, args);
  },
});

interface ApplyArgs {
  readonly "dry-run"?: boolean | undefined;
  readonly prune?: boolean | undefined;
  readonly "secrets-to"?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Returns the exit code. The file is validated before the connection to the database. */
async function apply(path: string, args: ApplyArgs): Promise<number> {
  const set = await readClientFile(path, configured());
  if (!set.ok) {
    for (const problem of set.error) console.error(problem);
    return 1;
  }
  const outcome = args["dry-run"]
    ? await withFoundation((foundation) => readPlan(foundation, set.value, args.prune ?? false))
    : await applyWithSecrets(set.value, args);
  if (!outcome.ok) return refuse(path, outcome.error);
  if (args["dry-run"]) printPlan(outcome.value, args);
  return 0;
}

/** The file of secrets is opened before the first change: a path that cannot be written loses no secret. */
async function applyWithSecrets(set: ClientSet, args: ApplyArgs): Promise<ApplyOutcome> {
  const path = args["secrets-to"];
  const file = path === undefined ? undefined : openSecretsFile(path);
  const made: DisplayedClient[] = [];
  let planned: ClientPlan | undefined;
  try {
    return await withClientAdministration((deps, { clock }) =>
      applyInTurn(deps, clock, {
        set,
        prune: args.prune ?? false,
        onPlan(plan) {
          planned = plan;
          if (!args.json) printPlan(plan, args);
        },
        onStep(step, changed) {
          if (changed?.secret !== undefined) keep(changed, file, made);
          if (!args.json) console.log(describeStep(step, file ? undefined : changed));
        },
      }),
    );
  } finally {
    file?.close();
    // Also after a failure half way: the secrets of the created applications are displayed only here.
    if (args.json && planned) console.log(JSON.stringify(planBody(planned, made), null, 2));
  }
}

function keep(changed: DisplayedClient, file: SecretsFile | undefined, made: DisplayedClient[]): void {
  if (file) file.append(changed);
  else made.push(changed);
}

/** Waits while another run holds the lease. */
async function applyInTurn(deps: AdministerClientsDeps, clock: Clock, input: ApplyInput): Promise<ApplyOutcome> {
  const giveUpAt = clock.monotonic() + CLIENT_APPLY_WAIT_MS;
  for (;;) {
    const outcome = await applyClients(deps, input);
    if (outcome.ok || outcome.error.kind !== "busy" || clock.monotonic() > giveUpAt) return outcome;
    await sleep(CLIENT_APPLY_RETRY_MS);
  }
}

function printPlan(plan: ClientPlan, { json, prune }: ApplyArgs): void {
  console.log(json ? JSON.stringify(planBody(plan, []), null, 2) : describePlan(plan, prune ?? false));
}

function refuse(path: string, problem: ApplyProblem): number {
  switch (problem.kind) {
    case "busy":
      console.error("Another run of clients apply has not ended. Nothing was changed.");
      break;
    case "invalid":
      for (const { field, path: member = field, text } of problem.flaws) console.error(`${path}: ${member}: ${text}`);
      break;
    case "refused":
      console.error(`${nameOf(problem.step)}: ${problem.refusal.message}`);
      console.error("The changes above are made. Run the command again for the remaining changes.");
  }
  return 1;
}

function nameOf(step: PlanStep): string {
  return step.action === "create" ? step.desired.settings.name : `${step.client.id} (${step.client.name})`;
}
