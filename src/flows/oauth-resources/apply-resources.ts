/** `resources apply`: brings the registered APIs to the state of a file (docs/contract.md, section 19.6). */
import { isDeepStrictEqual } from "node:util";
import type { FieldFlaw } from "../../base/invalid-input.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { lockName } from "../../database/statement.ts";
import { OAUTH_RESOURCES_REGISTERED_MAX } from "../../limits/oauth-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  insertResource,
  listResources,
  type OAuthResource,
  resourceKey,
  updateResource,
} from "../../models/oauth-resource/oauth-resource.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";
import type { AdministerResourcesDeps, ResourceSettings } from "./administer-resources.ts";
import { resourceFlaws, validateResource } from "./resource-rules.ts";

export interface DesiredResource {
  readonly settings: ResourceSettings;
  /** False: the state remains, so that no run enables an API that was disabled during an incident. */
  readonly setsDisabled: boolean;
}

export interface ResourceDifference {
  readonly setting: keyof ResourceSettings;
  /** Undefined: a new API. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface ResourceStep {
  readonly action: "create" | "update";
  readonly resource: OAuthResource;
  readonly differences: readonly ResourceDifference[];
}

export interface ResourcePlan {
  readonly steps: readonly ResourceStep[];
  readonly unchanged: number;
  /** Registered APIs that the file does not list, and that remain. */
  readonly unlisted: readonly OAuthResource[];
}

type Planned = Result<ResourcePlan, readonly FieldFlaw[]>;
type PlanDeps = Pick<AdministerResourcesDeps, "clock" | "database" | "random">;

/** Reads the difference between the registered APIs and a file. */
export async function readResourcePlan(deps: PlanDeps, set: readonly DesiredResource[]): Promise<Planned> {
  return planResources(deps, await deps.database.run("oauth_resource.list", listResources), set);
}

/** Makes all changes of a file in one transaction, or none. Runs and changes by administrators wait for one another. */
export async function applyResources(deps: AdministerResourcesDeps, set: readonly DesiredResource[]): Promise<Planned> {
  const planned = await deps.database.transaction("oauth_resource.apply", async (sql) => {
    await lockName(sql, "oauth resources");
    await sql`select 1 from oauth_resources order by id for update`;
    const plan = planResources(deps, await listResources(sql), set);
    if (!plan.ok) return plan;
    for (const step of plan.value.steps) await persistStep(deps, sql, step);
    return plan;
  });
  if (planned.ok && planned.value.steps.length > 0) await deps.oauthResources.changed();
  return planned;
}

function planResources(deps: PlanDeps, registered: readonly OAuthResource[], set: readonly DesiredResource[]): Planned {
  const at = new Date(deps.clock.now());
  const byKey = new Map(registered.map((resource) => [resourceKey(resource.identifier), resource]));
  const seen = new Set<string>();
  const flaws: FieldFlaw[] = [];
  const steps: ResourceStep[] = [];
  for (const [index, { settings, setsDisabled }] of set.entries()) {
    const key = resourceKey(settings.identifier);
    const before = byKey.get(key);
    const fixed = before ?? { id: deps.random.uuid(), createdAt: at, disabled: settings.disabled };
    const { id, createdAt } = fixed;
    const disabled = setsDisabled ? settings.disabled : fixed.disabled;
    // The registered spelling of the identifier stays: tokens have the identifier as audience.
    const identifier = before?.identifier ?? settings.identifier;
    const resource = { ...settings, identifier, disabled, id, createdAt, updatedAt: at };
    const valid = validateResource(resource);
    const path = `resources.${index}`;
    if (!valid.ok) {
      flaws.push(...resourceFlaws(resource).map((flaw) => ({ ...flaw, path: `${path}.${flaw.path ?? flaw.field}` })));
    } else if (seen.has(key)) {
      flaws.push({ ...DUPLICATE, path: `${path}.identifier` });
    } else {
      const differences = differencesOf(before, valid.value);
      const action = before ? "update" : "create";
      if (differences.length > 0) steps.push({ action, resource: valid.value, differences });
    }
    seen.add(key);
  }
  const created = steps.filter(({ action }) => action === "create").length;
  if (registered.length + created > OAUTH_RESOURCES_REGISTERED_MAX) flaws.push(TOO_MANY);
  if (flaws.length > 0) return err(flaws);
  const unlisted = registered.filter(({ identifier }) => !seen.has(resourceKey(identifier)));
  return ok({ steps, unchanged: set.length - steps.length, unlisted });
}

const DUPLICATE: FieldFlaw = { field: "identifier", rule: "conflicting", text: "a second entry for the API" };
const TOO_MANY: FieldFlaw = {
  field: "resources",
  rule: "too_long",
  text: `more than ${OAUTH_RESOURCES_REGISTERED_MAX} APIs`,
};

/** Empty settings of a new API are no differences. */
function differencesOf(before: OAuthResource | undefined, after: OAuthResource): readonly ResourceDifference[] {
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...settings } = after;
  const names = Object.keys(settings) as (keyof ResourceSettings)[];
  const isEmpty = (value: unknown) => value === null || value === false || (Array.isArray(value) && value.length === 0);
  return names
    .map((setting) => ({ setting, before: before?.[setting], after: settings[setting] }))
    .filter((each) => (before ? !isDeepStrictEqual(each.before, each.after) : !isEmpty(each.after)));
}

async function persistStep(deps: PlanDeps, sql: Sql, { action, resource }: ResourceStep): Promise<void> {
  const { id, identifier, updatedAt: at } = resource;
  const audit = systemAuditEvent(deps, {
    action: action === "create" ? "oauth.resource.created" : "oauth.resource.updated",
    at,
    resource: { type: "oauth_resource", id },
    metadata: { identifier, source: "command" },
  });
  const persisted = action === "create" ? insertResource(sql, resource) : updateResource(sql, resource);
  await sql`with persisted as (${persisted}) ${insertAudit(sql, audit, sql`from persisted`)}`;
}
