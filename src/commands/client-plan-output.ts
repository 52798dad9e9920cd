/** The difference of `clients apply`, as text and as JSON. */
import type { DisplayedClient } from "../flows/oauth/clients/administer-clients.ts";
import { SETTING_MEMBERS } from "../flows/oauth/clients/client-change.ts";
import type { ClientPlan, Difference, PlanStep } from "../flows/oauth/clients/client-plan.ts";

const MARKS: Readonly<Record<PlanStep["action"], string>> = { create: "+", update: "~", delete: "-" };
const DONE: Readonly<Record<PlanStep["action"], string>> = {
  create: "created",
  update: "changed",
  delete: "deleted",
};

/** Deletions first: a reader of a long difference must see the loss. */
export function describePlan({ steps, unchanged, unlisted }: ClientPlan, prune: boolean): string {
  if (steps.length === 0) return ["No changes.", ...describeUnlisted(unlisted.length, prune)].join("\n");
  const deletions = steps.filter(({ action }) => action === "delete");
  const rest = steps.filter(({ action }) => action !== "delete");
  const counts = (["create", "update", "delete"] as const).map(
    (action) => `${steps.filter((step) => step.action === action).length} to ${action}`,
  );
  const total = `${[...counts, `${unchanged} unchanged`].join(", ")}.`;
  return [...[...deletions, ...rest].flatMap(linesOf), total, ...describeUnlisted(unlisted.length, prune)].join("\n");
}

function describeUnlisted(count: number, prune: boolean): readonly string[] {
  return count > 0 && !prune ? [`${count} of the set not in the file: remains without --prune.`] : [];
}

/** A change that was made, with the text of a new secret. */
export function describeStep(step: PlanStep, changed: DisplayedClient | undefined): string {
  const id = changed?.client.id ?? (step.action === "create" ? step.desired.id : step.client.id);
  const line = `${id ?? nameOf(step)}: ${DONE[step.action]}`;
  return changed?.secret === undefined ? line : `${line}, client_secret (not displayed again): ${changed.secret}`;
}

function linesOf(step: PlanStep): readonly string[] {
  const id = step.action === "create" ? (step.desired.id ?? "(new client_id)") : step.client.id;
  return [`${MARKS[step.action]} ${step.action} ${id}  ${nameOf(step)}`, ...differencesOf(step).map(differenceLine)];
}

function nameOf(step: PlanStep): string {
  return step.action === "create" ? step.desired.settings.name : step.client.name;
}

/** The settings of a new client are differences too, except empty settings. */
function differencesOf(step: PlanStep): readonly Difference[] {
  if (step.action === "delete") return [];
  if (step.action === "update") return step.differences;
  const { settings, disabled } = step.desired;
  const entries = Object.entries({ ...settings, ...(disabled ? { disabled } : {}) });
  return entries
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([setting, after]) => ({ setting, before: undefined, after }) as Difference);
}

function differenceLine({ setting, before, after }: Difference): string {
  const value = before === undefined ? textOf(after) : `${textOf(before)} -> ${textOf(after)}`;
  return `    ${SETTING_MEMBERS[setting]}: ${value}`;
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}

/** The members of `--json`. */
export function planBody({ steps, unchanged, unlisted }: ClientPlan, made: readonly DisplayedClient[]): object {
  return {
    changes: steps.map((step) => ({
      action: step.action,
      client_id: step.action === "create" ? (step.desired.id ?? null) : step.client.id,
      name: nameOf(step),
      differences: differencesOf(step).map(({ setting, before, after }) => ({
        member: SETTING_MEMBERS[setting],
        before: before ?? null,
        after,
      })),
    })),
    unchanged,
    unlisted: unlisted.map(({ id, name }) => ({ client_id: id, name })),
    secrets: made.map(({ client, secret }) => ({ client_id: client.id, name: client.name, client_secret: secret })),
  };
}
