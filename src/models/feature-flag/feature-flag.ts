import { createHash } from "node:crypto";
import type { Fragment, Sql } from "../../base/database.ts";

/** A switch of the platform (decisions, section 8). */
export interface FeatureFlag {
  readonly key: string;
  readonly description: string;
  readonly enabled: boolean;
  /** 0 to 100: the part of all organizations for which `enabled` counts. */
  readonly rolloutPercent: number;
  readonly onOrganizations: readonly string[];
  readonly offOrganizations: readonly string[];
  readonly updatedAt: Date;
}

/** Redis stream on which replicas tell each other that flags changed. Gone: they read Postgres every few seconds. */
export const FEATURE_FLAG_STREAM = "service:feature-flags";

const KEY = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export function isFlagKey(text: string): boolean {
  return KEY.test(text);
}

/** Off-list, on-list, then enabled and within the percentage. An organization stays on its side while the percentage grows. */
export function resolveFlag(flag: FeatureFlag, organizationId: string): boolean {
  if (flag.offOrganizations.includes(organizationId)) return false;
  if (flag.onOrganizations.includes(organizationId)) return true;
  return flag.enabled && share(flag.key, organizationId) < flag.rolloutPercent;
}

/** A number from 0 up to 100 that key and organization alone decide. */
function share(key: string, organizationId: string): number {
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

/**
 * CTE fragment `written` of the upserting statement: no row when there are `max` flags already and this is another one. Undefined
 * members stay as they are.
 */
export function upsertFlag(
  sql: Sql,
  flag: Pick<FeatureFlag, "key" | "enabled" | "updatedAt"> & Partial<FeatureFlag>,
  max: number,
): Fragment {
  const on = flag.onOrganizations && [...flag.onOrganizations];
  const off = flag.offOrganizations && [...flag.offOrganizations];
  return sql`
    insert into feature_flags (key, description, enabled, rollout_percent, on_organizations, off_organizations, updated_at)
    select ${flag.key}::text, ${flag.description ?? ""}::text, ${flag.enabled}::boolean, ${flag.rolloutPercent ?? 100}::smallint,
           ${on ?? []}::uuid[], ${off ?? []}::uuid[], ${flag.updatedAt}::timestamptz
    where exists (select 1 from feature_flags where key = ${flag.key}) or (select count(*) from feature_flags) < ${max}
    on conflict (key) do update
      set enabled = excluded.enabled, updated_at = excluded.updated_at,
          description = coalesce(${flag.description ?? null}::text, feature_flags.description),
          rollout_percent = coalesce(${flag.rolloutPercent ?? null}::smallint, feature_flags.rollout_percent),
          on_organizations = coalesce(${on ?? null}::uuid[], feature_flags.on_organizations),
          off_organizations = coalesce(${off ?? null}::uuid[], feature_flags.off_organizations)
    returning ${columns(sql)}`;
}
