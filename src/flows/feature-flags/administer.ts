import { invalidInput } from "../../base/invalid-input.ts";
import { changedMeanwhile, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type BoundedSearch, type ListedItem, pageOf, searchBounded } from "../../database/bounded-list.ts";
import type { Listing, Page } from "../../database/listing.ts";
import { type DisplayedVersion, lockName } from "../../database/statement.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { FEATURE_FLAGS_MAX, FLAG_ORGANIZATIONS_MAX } from "../../limits/console-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  type FeatureFlag,
  type FlagOverride,
  findFlag,
  isFlagKey,
  listFlags,
  moveInFlag,
  overrideOf,
  resolveFlag,
  upsertFlag,
} from "../../models/feature-flag/feature-flag.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

const NO_SUCH_FLAG = refusal("not_found", "There is no such feature flag.");
const TOO_MANY = refusal("conflict", `There are already ${FEATURE_FLAGS_MAX} feature flags.`);
/** Problems of forms only: the flag differs from the displayed flag. */
const FLAG_EXISTS = {
  ...refusal("conflict", "There is a feature flag of this key already."),
  reason: "flag_exists",
} as const;
const FLAG_CHANGED = changedMeanwhile("The feature flag has changed meanwhile.");

/** GET /v1/admin/feature-flags (docs/contract.md, section 14.8). */
export async function listFeatureFlags(
  deps: Pick<Deps, "database">,
  { page, ...input }: SearchFlags & { readonly page: Page },
): Promise<Result<Listing<FeatureFlag>, never>> {
  return ok(pageOf(await searchFlags(deps, input), page));
}

export interface SearchFlags {
  readonly caller: PlatformCaller;
  readonly search?: BoundedSearch;
}

/** The matching flags, of at most `FEATURE_FLAGS_MAX`, by key without an order. */
export async function searchFlags(
  deps: Pick<Deps, "database">,
  { search = {} }: SearchFlags,
): Promise<readonly FeatureFlag[]> {
  return searchBounded(await deps.database.run("feature_flag.list", listFlags), listedFlag, search);
}

function listedFlag({ key, description, enabled, updatedAt }: FeatureFlag): ListedItem {
  return { name: key, text: description ?? "", isOn: enabled, at: updatedAt };
}

export interface PutFlagInput {
  /** An Admin or higher. */
  readonly caller: PlatformCaller;
  readonly key: string;
  readonly enabled: boolean;
  readonly description: string | undefined;
  readonly rolloutPercent: number | undefined;
  readonly onOrganizations: readonly string[] | undefined;
  readonly offOrganizations: readonly string[] | undefined;
  readonly client: RequestContext;
}

/**
 * PUT /v1/admin/feature-flags (docs/contract.md, section 14.9): creates or updates a flag; absent members keep their
 * values.
 */
export async function putFeatureFlag(
  deps: PutFlagDeps,
  input: PutFlagInput,
): Promise<Result<FeatureFlag, Refusal<"conflict" | "invalid_input">>> {
  return await writeFlag(deps, input, undefined);
}

/**
 * Saves a form, which has every setting and displays one flag or a new flag. A concurrent change is a problem
 * (`FLAG_CHANGED`, `FLAG_EXISTS`), so no administrator undoes a change just made by another.
 */
export async function putDisplayedFlag(
  deps: PutFlagDeps,
  { displayed, ...input }: PutFlagInput & { readonly displayed: DisplayedVersion },
): Promise<Result<FeatureFlag, Refusal<"conflict" | "invalid_input">>> {
  const written = await writeFlag(deps, input, displayed);
  if (written.ok || written.error.code !== "conflict") return written;
  const exists = (await readFeatureFlag(deps, input.caller, input.key)).ok;
  return exists ? err(displayed === "none" ? FLAG_EXISTS : FLAG_CHANGED) : written;
}

type PutFlagDeps = StoreDeps & Pick<Deps, "featureFlags">;

async function writeFlag(
  deps: PutFlagDeps,
  input: PutFlagInput,
  displayed: DisplayedVersion | undefined,
): Promise<Result<FeatureFlag, Refusal<"conflict" | "invalid_input">>> {
  const { caller, key, enabled, description, rolloutPercent, onOrganizations, offOrganizations, client } = input;
  if (!isFlagKey(key)) return err(invalidInput("key", "format", "1 to 64 of a-z, 0-9, dot, hyphen, underscore"));
  const updatedAt = new Date(deps.clock.now());
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "feature_flag.updated",
    at: updatedAt,
    resource: { type: "feature_flag", id: key },
    metadata: { enabled, ...(rolloutPercent === undefined ? {} : { rollout_percent: rolloutPercent }) },
  });
  const given = withoutUndefined({ description, rolloutPercent, onOrganizations, offOrganizations });
  const flag = { key, enabled, updatedAt, ...given };
  const [written] = await deps.database.transaction("feature_flag.upsert", async (sql) => {
    await lockName(sql, "feature flags");
    return await sql<FeatureFlag[]>`
      with written as (${upsertFlag(sql, flag, FEATURE_FLAGS_MAX, displayed)}),
      audit as (${insertAudit(sql, entry, sql`from written`)})
      select * from written`;
  });
  if (!written) return err(TOO_MANY);
  await deps.featureFlags.changed();
  return ok(written);
}

export interface OrganizationFlag {
  readonly flag: FeatureFlag;
  readonly override: FlagOverride;
  /** The value for the organization. */
  readonly value: boolean;
}

/** The flags with their values for one organization, for the console. */
export async function listOrganizationFlags(
  deps: Pick<Deps, "database">,
  input: { readonly caller: PlatformCaller; readonly organizationId: string; readonly page: Page },
): Promise<Listing<OrganizationFlag>> {
  const { organizationId } = input;
  const flags = pageOf(await deps.database.run("feature_flag.list", listFlags), input.page);
  const items = flags.items.map((flag) => ({
    flag,
    override: overrideOf(flag, organizationId),
    value: resolveFlag(flag, organizationId),
  }));
  return { ...flags, items };
}

/** One flag, for the console. */
export async function readFeatureFlag(
  deps: Pick<Deps, "database">,
  _caller: PlatformCaller,
  key: string,
): Promise<Result<FeatureFlag, Refusal<"not_found">>> {
  const flag = isFlagKey(key) ? await deps.database.run("feature_flag.find", (sql) => findFlag(sql, key)) : undefined;
  return flag ? ok(flag) : err(NO_SUCH_FLAG);
}

export interface OverrideInput {
  /** An Admin or higher. */
  readonly caller: PlatformCaller;
  readonly key: string;
  readonly organizationId: string;
  readonly override: FlagOverride;
  readonly client: RequestContext;
}

/**
 * Switches a flag on or off for one organization, or back to the general value; for the console. All further entries of
 * the lists stay unchanged.
 */
export async function overrideFeatureFlag(
  deps: Pick<Deps, "database" | "clock" | "random" | "featureFlags">,
  { caller, key, organizationId, override, client }: OverrideInput,
): Promise<Result<FeatureFlag, Refusal<"conflict" | "not_found">>> {
  const found = await readFeatureFlag(deps, caller, key);
  if (!found.ok) return found;
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "feature_flag.updated",
    at: new Date(deps.clock.now()),
    resource: { type: "feature_flag", id: key },
    metadata: { organization_id: organizationId, override },
  });
  const change = { override, max: FLAG_ORGANIZATIONS_MAX };
  const [written] = await deps.database.run(
    "feature_flag.override",
    (sql) => sql<FeatureFlag[]>`
      with written as (${moveInFlag(sql, key, organizationId, change)}),
      audit as (${insertAudit(sql, entry, sql`from written`)})
      select * from written`,
  );
  if (!written) return err(refusal("conflict", `A list has at most ${FLAG_ORGANIZATIONS_MAX} organizations.`));
  await deps.featureFlags.changed();
  return ok(written);
}

function withoutUndefined<T extends object>(members: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
