import type { providerConfigs } from "../../../db/schema/provider-configs.ts";
import type { Random } from "../../base/random.ts";
import { type ConfigKeys, open, openingKey, type SealingKey, seal } from "../../base/seal.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { type DisplayedVersion, whereUnchanged } from "../../database/statement.ts";
import { reseal, type SealedForm, type SealedRow } from "../conditions/reseal.ts";
import { isComplete, PROVIDER_KEYS, type Provider, type PublicConfig } from "./provider.ts";

type ProviderConfigRow = RowOf<typeof providerConfigs>;

/** A row with the secret still sealed. */
export interface ProviderRow
  extends Pick<ProviderConfigRow, "enabled" | "sealedSecret" | "keyId" | "revision" | "updatedAt"> {
  readonly provider: Provider;
  readonly publicConfig: PublicConfig;
}

/** The settings for calls to a provider. */
export interface ProviderSettings {
  readonly publicConfig: PublicConfig;
  readonly secret: string;
}

/** The settings of the environment, for providers without a row or with an inapplicable row. */
export type Fallbacks = { readonly [Each in Provider]?: ProviderSettings | undefined };

/** The masked view (docs/contract.md, section 4.11). */
export interface ProviderView {
  readonly provider: Provider;
  readonly enabled: boolean;
  readonly publicConfig: PublicConfig;
  readonly secretSet: boolean;
  readonly keyId: string | null;
  readonly updatedAt: Date | null;
  readonly degraded: boolean;
}

export interface ProviderState {
  readonly view: ProviderView;
  readonly revision: number;
  /** The settings of the row, if the secret opens and no field is missing. */
  readonly stored: ProviderSettings | undefined;
  /** The settings in use: an enabled, applicable row, else the environment. */
  readonly inUse: ProviderSettings | undefined;
}

export type ProviderStates = { readonly [Each in Provider]: ProviderState };

/**
 * Redis stream that announces changes to the replicas. If the stream is lost, replicas poll PostgreSQL every few
 * seconds.
 */
export const PROVIDER_CONFIG_STREAM = "service:provider-config";

/** Associated data of a sealed secret: a row copied to another provider does not open (G22). */
function identity(provider: Provider): string {
  return provider;
}

export function sealSecret(
  deps: { readonly random: Random },
  key: SealingKey,
  provider: Provider,
  secret: string,
): Buffer {
  return seal(key, deps.random, identity(provider), Buffer.from(secret));
}

/** `undefined` when no configured key opens it: the key is unset or was removed, or the row was tampered with. */
export function openSecret(keys: ConfigKeys, row: ProviderRow): string | undefined {
  const { sealedSecret } = row;
  if (sealedSecret === null) return undefined;
  const key = openingKey(keys, row.keyId);
  return key && open(key, identity(row.provider), sealedSecret)?.toString();
}

/**
 * Resolves a row (docs/contract.md, section 15.1). Without a row, or with an enabled row that cannot be applied, the
 * environment's settings are in use. A disabled row switches an identity provider off; email then uses the
 * environment's settings, since the service does not work without email.
 */
export function resolveProvider(
  provider: Provider,
  row: ProviderRow | undefined,
  keys: ConfigKeys,
  fallbacks: Fallbacks,
): ProviderState {
  const fallback = fallbacks[provider];
  if (!row) return { view: absent(provider), revision: 0, stored: undefined, inUse: fallback };
  const { enabled, publicConfig, sealedSecret, keyId, updatedAt, revision } = row;
  const secret = openSecret(keys, row);
  const stored =
    secret !== undefined && isComplete(provider, publicConfig, secret) ? { publicConfig, secret } : undefined;
  const degraded = enabled && stored === undefined;
  const alternative = enabled || provider === "email_transport" ? fallback : undefined;
  return {
    view: { provider, enabled, publicConfig, secretSet: sealedSecret !== null, keyId, updatedAt, degraded },
    revision,
    stored,
    inUse: (enabled ? stored : undefined) ?? alternative,
  };
}

function absent(provider: Provider): ProviderView {
  const defaults = { publicConfig: {}, secretSet: false, keyId: null, updatedAt: null };
  return { provider, enabled: false, degraded: false, ...defaults };
}

/** The state of every provider, in the order of `PROVIDERS`. */
export function resolveProviders(rows: readonly ProviderRow[], keys: ConfigKeys, fallbacks: Fallbacks): ProviderStates {
  const states = PROVIDER_KEYS.map((provider) => {
    const row = rows.find((each) => each.provider === provider);
    return [provider, resolveProvider(provider, row, keys, fallbacks)] as const;
  });
  return Object.fromEntries(states) as unknown as ProviderStates;
}

function columns(sql: Sql): Fragment {
  return sql`
    provider, enabled, public_config as "publicConfig", sealed_secret as "sealedSecret", key_id as "keyId", revision,
    updated_at as "updatedAt"`;
}

export async function listProviderRows(sql: Sql): Promise<ProviderRow[]> {
  return await sql<ProviderRow[]>`select ${columns(sql)} from provider_configs`;
}

export type SecretChange = "keep" | "clear" | { readonly sealed: Buffer; readonly keyId: string };

/**
 * CTE fragment: inserts or updates a row and returns the row; no row if the stored version differs from the displayed
 * version.
 */
export function upsertProvider(
  sql: Sql,
  row: Pick<ProviderRow, "provider" | "enabled" | "publicConfig" | "updatedAt">,
  secret: SecretChange,
  displayed: DisplayedVersion | undefined,
): Fragment {
  const replaced = typeof secret === "object" ? secret : undefined;
  const keep = secret === "keep";
  return sql`
    insert into provider_configs as stored
      (provider, enabled, public_config, sealed_secret, key_id, revision, updated_at)
    values (${row.provider}, ${row.enabled}, ${sql.json(row.publicConfig)}, ${replaced?.sealed ?? null},
            ${replaced?.keyId ?? null}, 1, ${row.updatedAt})
    on conflict (provider) do update
      set enabled = excluded.enabled, public_config = excluded.public_config, updated_at = excluded.updated_at,
          revision = stored.revision + 1,
          sealed_secret = case when ${keep} then stored.sealed_secret else excluded.sealed_secret end,
          key_id = case when ${keep} then stored.key_id else excluded.key_id end
      ${whereUnchanged(sql, sql`stored.updated_at`, displayed)}
    returning ${columns(sql)}`;
}

/** CTE fragment (`reseal`). */
export function resealProvider(sql: Sql, row: SealedRow, secret: SealedForm): Fragment {
  return reseal(sql, sql`provider_configs`, row, secret);
}
