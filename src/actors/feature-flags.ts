/**
 * Owns: the feature flags of the platform, in memory, so that resolving them costs no call.
 * Told by: this replica's own writes (`changed`), the other replicas through a Redis stream, and a poll of Postgres, which is the
 * truth and finds what Redis lost.
 * Bound: `FEATURE_FLAGS_MAX` flags; one load at a time.
 * A crash loses: nothing; start() reads Postgres again.
 */
import type { Database } from "../base/database.ts";
import type { Logger } from "../base/log.ts";
import { FEATURE_FLAG_STREAM, type FeatureFlag, listFlags, resolveFlag } from "../models/feature-flag/feature-flag.ts";
import { type FollowedTable, followTable } from "../state/followed-table.ts";
import type { State } from "../state/state.ts";

export interface FeatureFlags extends FollowedTable {
  /** All flags by their keys, resolved for an organization. */
  resolve(organizationId: string): Readonly<Record<string, boolean>>;
}

export interface FeatureFlagsDeps {
  readonly database: Database;
  readonly state: State;
  readonly log: Logger;
}

export function featureFlags({ database, state, log }: FeatureFlagsDeps): FeatureFlags {
  let flags: readonly FeatureFlag[] = [];
  const table = followTable({
    state,
    stream: FEATURE_FLAG_STREAM,
    async load() {
      flags = await database.run("feature_flag.list", listFlags);
    },
    onFailure: (error) => log.debug({ err: error }, "feature flags: the ones at hand stay in use"),
  });
  return {
    ...table,
    resolve: (organizationId) => Object.fromEntries(flags.map((flag) => [flag.key, resolveFlag(flag, organizationId)])),
  };
}
