import type { Fragment, Sql } from "../../base/database.ts";
import type { Random } from "../../base/random.ts";
import { open, type SealingKey, seal } from "../../base/seal.ts";
import { isComplete, PROVIDER_KEYS, type Provider, type PublicConfig } from "./provider.ts";

/** A row, its secret still sealed. */
export interface ProviderRow {
  readonly provider: Provider;
  readonly enabled: boolean;
  readonly publicConfig: PublicConfig;
  readonly sealedSecret: Buffer | null;
  readonly keyId: string | null;
  readonly revision: number;
  readonly updatedAt: Date;
}

/** The keys of `SERVICE_CONFIG_KEY` and `SERVICE_CONFIG_KEYS_PREVIOUS`. */
export interface ConfigKeys {
  /** Seals; undefined: secrets cannot be stored. */
  readonly current: SealingKey | undefined;
  /** Only open. */
  readonly previous: readonly SealingKey[];
}

/** What a provider is spoken to with. */
export interface ProviderSettings {
  readonly publicConfig: PublicConfig;
  readonly secret: string;
}

/** What the environment says of a provider that has no row, or whose row cannot be applied. */
export type Fallbacks = { readonly [Each in Provider]?: ProviderSettings | undefined };

/** The masked view of the contract, section 2.7. */
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
  /** What the row holds, if it opens and nothing is missing. */
  readonly stored: ProviderSettings | undefined;
  /** What is spoken with now: the row where it is enabled and can be applied, else the environment's. */
  readonly inUse: ProviderSettings | undefined;
}

export type ProviderStates = { readonly [Each in Provider]: ProviderState };

/** Redis stream on which replicas tell each other that a provider changed. Gone: they read Postgres every few seconds. */
export const PROVIDER_CONFIG_STREAM = "service:provider-config";

/** What a sealed secret is bound to (decisions, section 8): a row copied to another provider does not open. */
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

/** `undefined` when no key at hand opens it: unset, rotated away, or the row was tampered with. */
export function openSecret(keys: ConfigKeys, row: ProviderRow): string | undefined {
  const { sealedSecret } = row;
  if (sealedSecret === null) return undefined;
  const key = [keys.current, ...keys.previous].find((each) => each?.id === row.keyId);
  return key && open(key, identity(row.provider), sealedSecret)?.toString();
}

/**
 * What a row means (contract, sections 3 and 4.12). No row, or an enabled one that cannot be applied: the environment's settings. A
 * disabled row turns an identity provider off; e-mails then go the environment's way, since there is no service without them.
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
  const otherwise = enabled || provider === "email_transport" ? fallback : undefined;
  return {
    view: { provider, enabled, publicConfig, secretSet: sealedSecret !== null, keyId, updatedAt, degraded },
    revision,
    stored,
    inUse: (enabled ? stored : undefined) ?? otherwise,
  };
}

function absent(provider: Provider): ProviderView {
  const nothing = { publicConfig: {}, secretSet: false, keyId: null, updatedAt: null };
  return { provider, enabled: false, degraded: false, ...nothing };
}

/** Every provider, in the order of the contract. */
export function resolveProviders(rows: readonly ProviderRow[], keys: ConfigKeys, fallbacks: Fallbacks): ProviderStates {
  const judged = PROVIDER_KEYS.map((provider) => {
    const row = rows.find((each) => each.provider === provider);
    return [provider, resolveProvider(provider, row, keys, fallbacks)] as const;
  });
  return Object.fromEntries(judged) as unknown as ProviderStates;
}

function columns(sql: Sql): Fragment {
  return sql`
    provider, enabled, public_config as "publicConfig", sealed_secret as "sealedSecret", key_id as "keyId", revision,
    updated_at as "updatedAt"`;
}

export async function listProviderRows(sql: Sql): Promise<ProviderRow[]> {
  return await sql<ProviderRow[]>`select ${columns(sql)} from provider_configs`;
}

/** What becomes of the stored secret: kept, removed, or replaced. */
export type SecretChange = "keep" | "clear" | { readonly sealed: Buffer; readonly keyId: string };

/** CTE fragment `written` of the writing statement. */
export function upsertProvider(
  sql: Sql,
  row: Pick<ProviderRow, "provider" | "enabled" | "publicConfig" | "updatedAt">,
  secret: SecretChange,
): Fragment {
  const replaced = typeof secret === "object" ? secret : undefined;
  const keep = secret === "keep";
  return sql`
    insert into provider_configs as stored (provider, enabled, public_config, sealed_secret, key_id, revision, updated_at)
    values (${row.provider}, ${row.enabled}, ${sql.json(row.publicConfig)}, ${replaced?.sealed ?? null},
            ${replaced?.keyId ?? null}, 1, ${row.updatedAt})
    on conflict (provider) do update
      set enabled = excluded.enabled, public_config = excluded.public_config, updated_at = excluded.updated_at,
          revision = stored.revision + 1,
          sealed_secret = case when ${keep} then stored.sealed_secret else excluded.sealed_secret end,
          key_id = case when ${keep} then stored.key_id else excluded.key_id end
    returning ${columns(sql)}`;
}

/** CTE fragment `resealed` of the resealing statement: no row if somebody wrote meanwhile. The content stays as it was. */
export function resealProvider(
  sql: Sql,
  { provider, revision }: Pick<ProviderRow, "provider" | "revision">,
  { sealed, keyId }: { readonly sealed: Buffer; readonly keyId: string },
): Fragment {
  return sql`
    update provider_configs set sealed_secret = ${sealed}, key_id = ${keyId}, revision = revision + 1
    where provider = ${provider} and revision = ${revision}
    returning provider`;
}
