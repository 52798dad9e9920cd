/**
 * Owns: the social providers by configuration in the memory of this replica, with unsealed secrets.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis.
 * Bound: `SOCIAL_PROVIDERS_MAX` providers; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import type { ConfigKeys } from "../base/seal.ts";
import {
  isDegraded,
  listSocialProviders,
  SOCIAL_PROVIDER_STREAM,
  type SocialProvider,
  type SocialProviderSettings,
  settingsOf,
} from "../models/social-provider/social-provider.ts";
import { type ReplicatedRowsDeps, type ReplicatedTable, replicateRows } from "../state/replicated-table.ts";

export interface SocialProviders extends ReplicatedTable {
  /** The settings of an enabled provider that can be applied. The object stays identical until the settings change. */
  settings(provider: string): SocialProviderSettings | undefined;
  /** The enabled providers that can be applied, oldest first. */
  enabled(): readonly SocialProviderSettings[];
  /** The keys of all providers, oldest first. */
  keys(): readonly string[];
  /** The name of a provider, enabled or not. */
  name(provider: string): string | undefined;
  /** Enabled providers that cannot be applied (docs/contract.md, section 19.2). */
  degraded(): readonly string[];
}

interface Held {
  readonly row: SocialProvider;
  readonly settings: SocialProviderSettings | undefined;
}

export function socialProviders(deps: ReplicatedRowsDeps & { readonly configKeys: ConfigKeys }): SocialProviders {
  const { configKeys } = deps;
  let former: ReadonlyMap<string, Held> = new Map();

  function hold(rows: readonly SocialProvider[]): ReadonlyMap<string, Held> {
    former = new Map(rows.map((row) => [row.provider, heldRow(row)]));
    return former;
  }

  function heldRow(row: SocialProvider): Held {
    const known = former.get(row.provider);
    const isSame = known?.row.revision === row.revision && +known.row.createdAt === +row.createdAt;
    return isSame ? known : { row, settings: settingsOf(configKeys, row) };
  }

  const { held, ...table } = replicateRows(deps, {
    stream: SOCIAL_PROVIDER_STREAM,
    operation: "social_provider.list",
    list: listSocialProviders,
    hold,
    noun: "social providers",
  });
  const applicable = ({ row, settings }: Held) => (row.config.enabled ? settings : undefined);
  return {
    ...table,
    settings(provider) {
      const found = held().get(provider);
      return found && applicable(found);
    },
    enabled: () => [...held().values()].flatMap((each) => applicable(each) ?? []),
    keys: () => [...held().keys()],
    name: (provider) => held().get(provider)?.row.config.name,
    degraded: () =>
      [...held().values()].filter(({ row }) => isDegraded(configKeys, row)).map(({ row }) => row.provider),
  };
}
