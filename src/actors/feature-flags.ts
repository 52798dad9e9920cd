/**
 * Owns: the feature flags of the platform in memory, so resolving them needs no query.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis.
 * Bound: `FEATURE_FLAGS_MAX` flags; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import { FEATURE_FLAG_STREAM, listFlags, resolveFlag } from "../models/feature-flag/feature-flag.ts";
import { type ReplicatedRowsDeps, type ReplicatedTable, replicateRows } from "../state/replicated-table.ts";

export interface FeatureFlags extends ReplicatedTable {
  /** All flags by key, resolved for an organization. */
  resolve(organizationId: string): Readonly<Record<string, boolean>>;
}

export function featureFlags(deps: ReplicatedRowsDeps): FeatureFlags {
  const { held, ...table } = replicateRows(deps, {
    stream: FEATURE_FLAG_STREAM,
    operation: "feature_flag.list",
    list: listFlags,
    hold: (flags) => flags,
    noun: "feature flags",
  });
  return {
    ...table,
    resolve: (organizationId) =>
      Object.fromEntries(held().map((flag) => [flag.key, resolveFlag(flag, organizationId)])),
  };
}
