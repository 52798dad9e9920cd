import { createHash } from "node:crypto";
import type { featureFlags } from "../../../db/schema/feature-flags.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { type DisplayedVersion, whereUnchanged } from "../../database/statement.ts";

type FeatureFlagRow = RowOf<typeof featureFlags>;

/** docs/contract.md, section 4.12. */
export interface FeatureFlag
  extends Pick<
    FeatureFlagRow,
    "key" | "description" | "enabled" | "onOrganizations" | "offOrganizations" | "updatedAt"
  > {
  /** 0 to 100: the share of organizations to which `enabled` applies. */
  readonly rolloutPercent: FeatureFlagRow["rolloutPercent"];
}

/**
 * Redis stream that announces changes to the replicas. If the stream is lost, replicas poll PostgreSQL every few
 * seconds.
 */
export const FEATURE_FLAG_STREAM = "service:feature-flags";

const KEY = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export function isFlagKey(text: string): boolean {
  return KEY.test(text);
}

/** The value of a flag for an organization (docs/contract.md, section 14.10). */
export function resolveFlag(flag: FeatureFlag, organizationId: string): boolean {
  if (flag.offOrganizations.includes(organizationId)) return false;
  if (flag.onOrganizations.includes(organizationId)) return true;
  return flag.enabled && rolloutPosition(flag.key, organizationId) < flag.rolloutPercent;
}

/** A number in [0, 100) that depends only on key and organization, so that a growing percentage switches none off. */
function rolloutPosition(key: string, organizationId: string): number {
  const hash = createHash("sha256").update(`${key}:${organizationId}`).digest();
  return (hash.readUInt32BE() / 2 ** 32) * 100;
}

function columns(sql: Sql): Fragment {
  return sql`
    key, description, enabled, rollout_percent as "rolloutPercent", on_organizations as "onOrganizations",
    off_organizations as "offOrganizations", updated_at as "updatedAt"`;
}

export async function listFlags(sql: Sql): Promise<FeatureFlag[]> {
  return await sql<FeatureFlag[]>`select ${columns(sql)} from feature_flags order by key`;
}

export async function findFlag(sql: Sql, key: string): Promise<FeatureFlag | undefined> {
  const [flag] = await sql<FeatureFlag[]>`select ${columns(sql)} from feature_flags where key = ${key}`;
  return flag;
}

/** The override of a flag for one organization; `default`: no override. */
export type FlagOverride = "default" | "on" | "off";

export function overrideOf(flag: FeatureFlag, organizationId: string): FlagOverride {
  if (flag.offOrganizations.includes(organizationId)) return "off";
  return flag.onOrganizations.includes(organizationId) ? "on" : "default";
}

/**
 * CTE fragment: moves one organization to the list of `override`, or removes the organization from the two lists,
 * regardless of concurrent changes; no row if the flag does not exist, or if the list has `max` organizations already.
 * `updated_at`, the version of the form of all settings, stays unchanged: the form does not contain the lists and
 * cannot revert this change.
 */
export function moveInFlag(
  sql: Sql,
  key: string,
  organizationId: string,
  { override, max }: { readonly override: FlagOverride; readonly max: number },
): Fragment {
  const without = (column: Fragment) => sql`array_remove(${column}, ${organizationId}::uuid)`;
  const list = (column: Fragment, chosen: boolean) =>
    chosen ? sql`array_append(${without(column)}, ${organizationId}::uuid)` : without(column);
  const chosen = override === "on" ? sql`on_organizations` : sql`off_organizations`;
  const fits = override === "default" ? sql`` : sql`and cardinality(${without(chosen)}) < ${max}`;
  return sql`
    update feature_flags
    set on_organizations = ${list(sql`on_organizations`, override === "on")},
        off_organizations = ${list(sql`off_organizations`, override === "off")}
    where key = ${key} ${fits}
    returning ${columns(sql)}`;
}

/**
 * CTE fragment: inserts or updates a flag and returns the row; no row for a new flag when there are already `max`, and
 * for a flag that differs from the version displayed in the form. Undefined members keep their values.
 */
export function upsertFlag(
  sql: Sql,
  flag: Pick<FeatureFlag, "key" | "enabled" | "updatedAt"> & Partial<FeatureFlag>,
  max: number,
  displayed: DisplayedVersion | undefined,
): Fragment {
  const on = flag.onOrganizations && [...flag.onOrganizations];
  const off = flag.offOrganizations && [...flag.offOrganizations];
  return sql`
    insert into feature_flags
      (key, description, enabled, rollout_percent, on_organizations, off_organizations, updated_at)
    select ${flag.key}::text, ${flag.description ?? ""}::text, ${flag.enabled}::boolean,
           ${flag.rolloutPercent ?? 100}::smallint, ${on ?? []}::uuid[], ${off ?? []}::uuid[],
           ${flag.updatedAt}::timestamptz
    where exists (select 1 from feature_flags where key = ${flag.key}) or (select count(*) from feature_flags) < ${max}
    on conflict (key) do update
      set enabled = excluded.enabled, updated_at = excluded.updated_at,
          description = coalesce(${flag.description ?? null}::text, feature_flags.description),
          rollout_percent = coalesce(${flag.rolloutPercent ?? null}::smallint, feature_flags.rollout_percent),
          on_organizations = coalesce(${on ?? null}::uuid[], feature_flags.on_organizations),
          off_organizations = coalesce(${off ?? null}::uuid[], feature_flags.off_organizations)
      ${whereUnchanged(sql, sql`feature_flags.updated_at`, displayed)}
    returning ${columns(sql)}`;
}
