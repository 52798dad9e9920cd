/**
 * Owns: the feature flags of the platform in memory, so resolving them needs no query.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis.
 * Bound: `FEATURE_FLAGS_MAX` flags; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import type { Database } from "../database/database.ts";
import { FEATURE_FLAG_STREAM, type FeatureFlag, listFlags, resolveFlag } from "../models/feature-flag/feature-flag.ts";
import { type ReplicatedTable, replicateTable } from "../state/replicated-table.ts";
import type { State } from "../state/state.ts";
import type { Logger } from "../telemetry/log.ts";

export interface FeatureFlags extends ReplicatedTable {
  /** All flags by key, resolved for an organization. */
  resolve(organizationId: string): Readonly<Record<string, boolean>>;
}

export interface FeatureFlagsDeps {
  readonly database: Database;
  readonly state: State;
  readonly log: Logger;
}

export function featureFlags({ database, state, log }: FeatureFlagsDeps): FeatureFlags {
  let flags: readonly FeatureFlag[] = [];
  const table = replicateTable({
    state,
    stream: FEATURE_FLAG_STREAM,
    async load() {
      flags = await database.run("feature_flag.list", listFlags);
    },
    onFailure: (error) => log.debug({ err: error }, "feature flags could not be read; the last known ones stay in use"),
  });
  return {
    ...table,
    resolve: (organizationId) => Object.fromEntries(flags.map((flag) => [flag.key, resolveFlag(flag, organizationId)])),
  };
}
