/**
 * Owns: the feature flags of the platform, in memory, so that resolving them costs no call.
 * Told by: this replica's own writes (`changed`), the other replicas through a Redis stream, and a poll of Postgres, which is the
 * truth and finds what Redis lost.
 * Bound: `FEATURE_FLAGS_MAX` flags; one load at a time.
 * A crash loses: nothing; start() reads Postgres again.
 */
import type { Database } from "../base/database.ts";
import { FEATURE_FLAG_POLL_MS, FEATURE_FLAG_STREAM_BLOCK_MS, FEATURE_FLAG_STREAM_MAX_ENTRIES } from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { FEATURE_FLAG_STREAM, type FeatureFlag, listFlags, resolveFlag } from "../models/feature-flag/feature-flag.ts";
import type { State } from "../state/state.ts";

export interface FeatureFlags {
  /** Loads the flags. Rejects when Postgres is away, and may then be called again. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** All flags by their keys, resolved for an organization. */
  resolve(organizationId: string): Readonly<Record<string, boolean>>;
  /** A flag was just written here: loads it, and tells the other replicas. */
  changed(): Promise<void>;
}

export interface FeatureFlagsNeeds {
  readonly database: Database;
  readonly state: State;
  readonly log: Logger;
}

export function featureFlags({ database, state, log }: FeatureFlagsNeeds): FeatureFlags {
  let flags: readonly FeatureFlag[] = [];
  let loops: readonly Loop[] = [];
  let position: string | undefined;
  let loading: Promise<void> | undefined;
  let again = false;

  async function load(): Promise<void> {
    do {
      again = false;
      flags = await database.run("feature_flag.list", listFlags);
    } while (again);
  }

  /** A write that comes while a load is under way is read by another one after it. */
  function loadOnce(): Promise<void> {
    again = loading !== undefined;
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function follow(): Promise<void> {
    position ??= await state.position(FEATURE_FLAG_STREAM);
    const read = await state.read(FEATURE_FLAG_STREAM, position, FEATURE_FLAG_STREAM_BLOCK_MS, 100);
    position = read.position;
    if (read.messages.length > 0) await loadOnce();
  }

  return {
    async start() {
      await loadOnce();
      if (loops.length > 0) return;
      const onFailure = (error: unknown) => log.debug({ err: error }, "feature flags: the ones at hand stay in use");
      loops = [
        startLoop({ pauseMs: 0, round: follow, onFailure }),
        startLoop({ pauseMs: FEATURE_FLAG_POLL_MS, round: loadOnce, onFailure }),
      ];
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    resolve: (organizationId) => Object.fromEntries(flags.map((flag) => [flag.key, resolveFlag(flag, organizationId)])),
    async changed() {
      await loadOnce();
      await state.append(FEATURE_FLAG_STREAM, "changed", FEATURE_FLAG_STREAM_MAX_ENTRIES);
    },
  };
}
