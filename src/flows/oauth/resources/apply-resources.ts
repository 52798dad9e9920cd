/** `resources apply`: brings the registered APIs to the state of a file (docs/contract.md, section 19.6). */
import { isDeepStrictEqual } from "node:util";
import type { FieldFlaw } from "../../../base/invalid-input.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { lockName } from "../../../database/statement.ts";
import { OAUTH_RESOURCES_REGISTERED_MAX } from "../../../limits/oauth-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import {
  deleteResource,
  insertResource,
  listResources,
  type OAuthResource,
  updateResource,
} from "../../../models/oauth-resource/oauth-resource.ts";
import { resourceKey } from "../../../vocabulary/resource-key.ts";
import { systemAuditEvent } from "../../steps/audit/system-audit-event.ts";
import type { AdministerResourcesDeps, ResourceSettings } from "./administer-resources.ts";
import { endAccessTo } from "./end-access.ts";
import { isOwnIdentifier } from "./own-identifier.ts";
import { resourceFlaws, validateResource } from "./resource-rules.ts";

export interface DesiredResource {
  readonly settings: ResourceSettings;
  /** False: the state remains, so that no run enables an API that was disabled during an incident. */
  readonly setsDisabled: boolean;
}

/** The APIs of a file. Only APIs of the set can be deleted by the file. */
export interface ResourceSet {
  /** Undefined: the APIs belong to no set. */
  readonly name: string | undefined;
  readonly resources: readonly DesiredResource[];
}

export interface ResourceDifference {
  readonly setting: keyof ResourceSettings | "managedBy";
  /** Undefined: a new API. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface ResourceStep {
  readonly action: "create" | "update" | "delete";
  readonly resource: OAuthResource;
  readonly differences: readonly ResourceDifference[];
}

export interface ResourcePlan {
  /** Creations and updates in the order of the file, then deletions. */
  readonly steps: readonly ResourceStep[];
  readonly unchanged: number;
  /** APIs of the set without an entry in the file; of a file without a set, all APIs without an entry. */
  readonly unlisted: readonly OAuthResource[];
}

type Planned = Result<ResourcePlan, readonly FieldFlaw[]>;
type PlanDeps = Pick<AdministerResourcesDeps, "clock" | "config" | "database" | "random">;

/** Reads the difference between the registered APIs and a file. */
export async function readResourcePlan(deps: PlanDeps, set: ResourceSet, prune: boolean): Promise<Planned> {
  return planResources(deps, await deps.database.run("oauth_resource.list", listResources), set, prune);
}

/**
 * Makes all changes of a file in one transaction, or none. Runs and changes by administrators wait for one another.
 * `prune`: APIs of the set without an entry are deleted.
 */
export async function applyResources(
  deps: AdministerResourcesDeps,
  set: ResourceSet,
  prune: boolean,
): Promise<Planned> {
  const planned = await deps.database.transaction("oauth_resource.apply", async (sql) => {
    await lockName(sql, "oauth resources");
    await sql`select 1 from oauth_resources order by id for update`;
    const plan = planResources(deps, await listResources(sql), set, prune);
    if (!plan.ok) return plan;
    for (const step of plan.value.steps) await persistStep(deps, sql, step);
    return plan;
  });
  if (!planned.ok || planned.value.steps.length === 0) return planned;
  await deps.oauthResources.changed();
  const narrowed = planned.value.steps.filter(mayTakeAccess);
  await endAccessTo(
    deps,
    narrowed.map(({ resource }) => resource.identifier),
  );
  return planned;
}

/** Whether issued tokens may have access that the step takes. */
function mayTakeAccess({ action, differences }: ResourceStep): boolean {
  return action === "delete" || (action === "update" && differences.some(({ setting }) => NARROWING.has(setting)));
}

const NARROWING: ReadonlySet<string> = new Set(["disabled", "organizations", "scopes"]);

function planResources(
  deps: PlanDeps,
  registered: readonly OAuthResource[],
  set: ResourceSet,
  prune: boolean,
): Planned {
  const at = new Date(deps.clock.now());
  const byKey = new Map(registered.map((resource) => [resourceKey(resource.identifier), resource]));
  const seen = new Set<string>();
  const flaws: FieldFlaw[] = [];
  const steps: ResourceStep[] = [];
  for (const [index, { settings, setsDisabled }] of set.resources.entries()) {
    const key = resourceKey(settings.identifier);
    const before = byKey.get(key);
    const fixed = before ?? { id: deps.random.uuid(), createdAt: at, disabled: settings.disabled, managedBy: null };
    const { id, createdAt } = fixed;
    const managedBy = set.name ?? fixed.managedBy;
    const disabled = setsDisabled ? settings.disabled : fixed.disabled;
    // The registered spelling of the identifier stays: tokens have the identifier as audience.
    const identifier = before?.identifier ?? settings.identifier;
    // Without a product in the file the preset of the registration stays.
    const { preset, presetInputs } = settings.preset === null ? (before ?? settings) : settings;
    const kept = { identifier, disabled, managedBy, preset, presetInputs };
    const resource = { ...settings, ...kept, id, createdAt, updatedAt: at };
    const valid = validateResource(resource);
    const path = `resources.${index}`;
    if (!valid.ok) {
      flaws.push(...resourceFlaws(resource).map((flaw) => ({ ...flaw, path: `${path}.${flaw.path ?? flaw.field}` })));
    } else if (!before && isOwnIdentifier(deps.config, settings.identifier)) {
      flaws.push({ field: "identifier", rule: "conflicting", path: `${path}.identifier`, text: "names this service" });
    } else if (seen.has(key)) {
      flaws.push({ ...DUPLICATE, path: `${path}.identifier` });
    } else if (fixed.managedBy !== null && fixed.managedBy !== set.name) {
      const text = `the set ${fixed.managedBy} manages the API`;
      flaws.push({ field: "identifier", rule: "conflicting", path: `${path}.identifier`, text });
    } else {
      const differences = differencesOf(before, valid.value);
      const action = before ? "update" : "create";
      if (differences.length > 0) steps.push({ action, resource: valid.value, differences });
    }
    seen.add(key);
  }
  const created = steps.filter(({ action }) => action === "create").length;
  if (registered.length + created > OAUTH_RESOURCES_REGISTERED_MAX) flaws.push(TOO_MANY);
  if (prune && set.name === undefined) flaws.push(NO_SET);
  if (flaws.length > 0) return err(flaws);
  const unlisted = registered.filter(
    ({ identifier, managedBy }) =>
      !seen.has(resourceKey(identifier)) && (set.name === undefined || managedBy === set.name),
  );
  const deletions = prune ? unlisted.map(deletionOf) : [];
  return ok({ steps: [...steps, ...deletions], unchanged: set.resources.length - steps.length, unlisted });
}

const DUPLICATE: FieldFlaw = { field: "identifier", rule: "conflicting", text: "a second entry for the API" };
const deletionOf = (resource: OAuthResource): ResourceStep => ({ action: "delete", resource, differences: [] });

/** An API that an administrator registered belongs to no set and is deleted by no file. */
const NO_SET: FieldFlaw = { field: "managed_by", rule: "required", text: "is required with --prune" };
const TOO_MANY: FieldFlaw = {
  field: "resources",
  rule: "too_long",
  text: `more than ${OAUTH_RESOURCES_REGISTERED_MAX} APIs`,
};

/** Empty settings of a new API are no differences. */
function differencesOf(before: OAuthResource | undefined, after: OAuthResource): readonly ResourceDifference[] {
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...settings } = after;
  const names = Object.keys(settings) as ResourceDifference["setting"][];
  const isEmpty = (value: unknown) => value === null || value === false || (Array.isArray(value) && value.length === 0);
  return names
    .map((setting) => ({ setting, before: before?.[setting], after: settings[setting] }))
    .filter((each) => (before ? !isDeepStrictEqual(each.before, each.after) : !isEmpty(each.after)));
}

const AUDIT_ACTIONS = {
  create: "oauth.resource.created",
  update: "oauth.resource.updated",
  delete: "oauth.resource.deleted",
} as const;

const PERSISTED = {
  create: insertResource,
  update: updateResource,
  delete: (sql: Sql, { id }: OAuthResource) => deleteResource(sql, id),
} as const;

async function persistStep(deps: PlanDeps, sql: Sql, { action, resource }: ResourceStep): Promise<void> {
  const { id, identifier } = resource;
  const audit = systemAuditEvent(deps, {
    action: AUDIT_ACTIONS[action],
    at: new Date(deps.clock.now()),
    resource: { type: "oauth_resource", id },
    metadata: { identifier, source: "command" },
  });
  const persisted = PERSISTED[action](sql, resource);
  await sql`with persisted as (${persisted}) ${insertAudit(sql, audit, sql`from persisted`)}`;
}
