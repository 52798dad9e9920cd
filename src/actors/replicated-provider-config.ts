/**
 * Owns: the settings of external services in the memory of this replica, with unsealed secrets.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis.
 * Bound: one row for each provider (docs/contract.md, section 15.1); one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import type { ConfigKeys } from "../base/seal.ts";
import type { Database } from "../database/database.ts";
import { PROVIDER_KEYS, type Provider } from "../models/provider-config/provider.ts";
import {
  type Fallbacks,
  listProviderRows,
  PROVIDER_CONFIG_STREAM,
  type ProviderSettings,
  type ProviderStates,
  resolveProviders,
} from "../models/provider-config/provider-config.ts";
import { type ReplicatedTable, replicateTable } from "../state/replicated-table.ts";
import type { State } from "../state/state.ts";
import type { Logger } from "../telemetry/log.ts";

export interface ProviderConfig extends ReplicatedTable {
  /** The settings of an enabled provider, else `undefined`. The object stays identical until the settings change. */
  settings(provider: Provider): ProviderSettings | undefined;
  /** Enabled providers with settings that cannot be applied (docs/contract.md, section 19.2). */
  degraded(): readonly Provider[];
}

export interface ProviderConfigDeps {
  readonly database: Database;
  readonly state: State;
  readonly log: Logger;
  readonly configKeys: ConfigKeys;
  readonly fallbacks: Fallbacks;
}

export function providerConfig({ database, state, log, configKeys, fallbacks }: ProviderConfigDeps): ProviderConfig {
  let states = resolveProviders([], configKeys, fallbacks);
  const table = replicateTable({
    state,
    stream: PROVIDER_CONFIG_STREAM,
    async load() {
      const rows = await database.run("provider_config.list", listProviderRows);
      states = step(states, resolveProviders(rows, configKeys, fallbacks));
    },
    onFailure: (error) =>
      log.debug({ err: error }, "provider settings could not be read; the last known ones stay in use"),
  });
  return {
    ...table,
    settings: (provider) => states[provider].inUse,
    degraded: () => PROVIDER_KEYS.filter((provider) => states[provider].view.degraded),
  };
}

/** Keeps the higher revision of each provider, so a late result of a stale load overwrites no newer settings. */
export function step(held: ProviderStates, read: ProviderStates): ProviderStates {
  const newer = PROVIDER_KEYS.map((provider) => [
    provider,
    read[provider].revision > held[provider].revision ? read[provider] : held[provider],
  ]);
  return Object.fromEntries(newer);
}
