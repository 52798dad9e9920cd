/**
 * Owns: the settings of external services as this replica uses them, their secrets opened.
 * Told by: this replica's own writes (`changed`), the other replicas through a Redis stream, and a poll of Postgres, which is the
 * truth and finds what Redis lost.
 * Bound: one row for each provider of the contract; one load at a time.
 * A crash loses: nothing; start() reads Postgres again.
 */
import type { Database } from "../base/database.ts";
import type { Logger } from "../base/log.ts";
import { PROVIDER_KEYS, type Provider } from "../models/provider-config/provider.ts";
import {
  type ConfigKeys,
  type Fallbacks,
  listProviderRows,
  PROVIDER_CONFIG_STREAM,
  type ProviderSettings,
  type ProviderStates,
  resolveProviders,
} from "../models/provider-config/provider-config.ts";
import { type FollowedTable, followTable } from "../state/followed-table.ts";
import type { State } from "../state/state.ts";

export interface ProviderConfig extends FollowedTable {
  /** What to speak to a provider with; `undefined`: it is off. The same object as long as nothing changed. */
  settings(provider: Provider): ProviderSettings | undefined;
  /** Providers that are enabled and cannot be applied (contract, section 2.7). */
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
  const table = followTable({
    state,
    stream: PROVIDER_CONFIG_STREAM,
    async load() {
      const rows = await database.run("provider_config.list", listProviderRows);
      states = step(states, resolveProviders(rows, configKeys, fallbacks));
    },
    onFailure: (error) => log.debug({ err: error }, "provider settings: the ones at hand stay in use"),
  });
  return {
    ...table,
    settings: (provider) => states[provider].inUse,
    degraded: () => PROVIDER_KEYS.filter((provider) => states[provider].view.degraded),
  };
}

/** Of each provider the newer reading; of two alike the one at hand. A stale load, whenever it arrives, overwrites nothing. */
export function step(held: ProviderStates, read: ProviderStates): ProviderStates {
  const newer = PROVIDER_KEYS.map((provider) => [
    provider,
    read[provider].revision > held[provider].revision ? read[provider] : held[provider],
  ]);
  return Object.fromEntries(newer);
}
