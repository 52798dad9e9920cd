import { defineCommand } from "citty";
import {
  applyResources,
  type ResourceDifference,
  type ResourcePlan,
  type ResourceStep,
  readResourcePlan,
} from "../flows/oauth/resources/apply-resources.ts";
import { withClientAdministration } from "./client-administration.ts";
import { readResourceFile } from "./client-file.ts";
import { configured, withFoundation } from "./configured.ts";

export const applyResourcesCommand = defineCommand({
  meta: { name: "apply", description: "Register, change and, with --prune, delete APIs as a file says, all or none" },
  args: {
    file: { type: "positional", required: true, description: "YAML or JSON (docs/guides/clients-as-code.md)" },
    "dry-run": { type: "boolean", description: "Print the difference and change nothing" },
    prune: { type: "boolean", description: "Delete the APIs of the set that the file does not list" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    process.exitCode = await apply(args.file, args);
  },
});

interface ApplyArgs {
  readonly "dry-run"?: boolean | undefined;
  readonly prune?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Returns the exit code. The file is validated before the connection to the database. */
async function apply(path: string, args: ApplyArgs): Promise<number> {
  const set = await readResourceFile(path, configured());
  if (!set.ok) {
    for (const problem of set.error) console.error(problem);
    return 1;
  }
  const prune = args.prune ?? false;
  const planned = args["dry-run"]
    ? await withFoundation((foundation) => readResourcePlan(foundation, set.value, prune))
    : await withClientAdministration((deps) => applyResources(deps, set.value, prune));
  if (!planned.ok) {
    for (const { field, path: member = field, text } of planned.error) console.error(`${path}: ${member}: ${text}`);
    return 1;
  }
  console.log(args.json ? JSON.stringify(planBody(planned.value), null, 2) : describePlan(planned.value, prune));
  return 0;
}

function describePlan({ steps, unchanged, unlisted }: ResourcePlan, prune: boolean): string {
  const rest = !prune && unlisted.length > 0 ? [`${unlisted.length} not in the file: unchanged.`] : [];
  if (steps.length === 0) return ["No changes.", ...rest].join("\n");
  const count = (action: ResourceStep["action"]) => steps.filter((step) => step.action === action).length;
  const deletions = prune ? `, ${count("delete")} to delete` : "";
  const total = `${count("create")} to create, ${count("update")} to update${deletions}, ${unchanged} unchanged.`;
  return [...steps.flatMap(linesOf), total, ...rest].join("\n");
}

const SIGNS = { create: "+", update: "~", delete: "-" } as const;

function linesOf({ action, resource, differences }: ResourceStep): readonly string[] {
  const head = `${SIGNS[action]} ${action} ${resource.identifier}  ${resource.name}`;
  return [head, ...differences.map(differenceLine)];
}

function differenceLine({ setting, before, after }: ResourceDifference): string {
  const change = before === undefined ? "" : `${JSON.stringify(before)} -> `;
  return `    ${memberOf(setting)}: ${change}${JSON.stringify(after)}`;
}

/** The name in the API. */
function memberOf(setting: string): string {
  return setting.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function planBody({ steps, unchanged, unlisted }: ResourcePlan): object {
  return {
    changes: steps.map(({ action, resource: { id, identifier, name }, differences }) => ({
      action,
      id,
      identifier,
      name,
      differences: differences.map(({ setting, before, after }) => ({
        member: memberOf(setting),
        before: before ?? null,
        after,
      })),
    })),
    unchanged,
    unlisted: unlisted.map(({ id, identifier, name }) => ({ id, identifier, name })),
  };
}
