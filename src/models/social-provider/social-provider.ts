import type { socialProviders } from "../../../db/schema/social-providers.ts";
import type { Random } from "../../base/random.ts";
import { type ConfigKeys, open, openingKey, type SealingKey, seal } from "../../base/seal.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import type { RowOf } from "../../database/row.ts";
import type { SocialProviderConfig } from "../../vocabulary/social-provider-config.ts";
import { reseal, type SealedForm, type SealedRow } from "../conditions/reseal.ts";

type StoredProvider = RowOf<typeof socialProviders>;

/** A social provider by configuration (docs/contract.md, section 15.5), with the secret still sealed. */
export interface SocialProvider extends Omit<StoredProvider, "config"> {
  readonly config: SocialProviderConfig;
}

/** Redis stream that announces changes to the replicas. If the stream is lost, replicas poll PostgreSQL. */
export const SOCIAL_PROVIDER_STREAM = "service:social-providers";

/** Associated data of a sealed secret: a row copied to another provider does not open (G22). */
function associatedData(provider: string): string {
  return `social:${provider}`;
}

export function sealSocialSecret(
  deps: { readonly random: Random },
  key: SealingKey,
  provider: string,
  secret: string,
): Buffer {
  return seal(key, deps.random, associatedData(provider), Buffer.from(secret));
}

/** `undefined` without a secret, and when no configured key opens the secret. */
export function openSocialSecret(
  keys: ConfigKeys,
  { provider, sealedSecret, keyId }: Pick<SocialProvider, "provider" | "sealedSecret" | "keyId">,
): string | undefined {
  if (sealedSecret === null) return undefined;
  const key = openingKey(keys, keyId);
  return key && open(key, associatedData(provider), sealedSecret)?.toString();
}

/** The settings for calls to a provider. */
export interface SocialProviderSettings extends Pick<SocialProvider, "provider" | "config" | "revision"> {
  /** Undefined: the provider has no secret (`token_auth: none`). */
  readonly secret: string | undefined;
  readonly identityEpoch: number;
}

/** Undefined: a required secret is absent or cannot be opened, or the row has no client id. */
export function settingsOf(keys: ConfigKeys, row: SocialProvider): SocialProviderSettings | undefined {
  const { provider, config, revision, identityEpoch } = row;
  const secret = openSocialSecret(keys, row);
  const needsSecret = config.token_auth !== "none";
  if (config.client_id === null || (needsSecret && secret === undefined)) return undefined;
  return { provider, config, revision, identityEpoch, secret: needsSecret ? secret : undefined };
}

/** Whether an enabled provider cannot be applied. */
export function isDegraded(keys: ConfigKeys, row: SocialProvider): boolean {
  return row.config.enabled && settingsOf(keys, row) === undefined;
}

function columns(sql: Sql): Fragment {
  return sql`
    provider, config, sealed_secret as "sealedSecret", key_id as "keyId", identity_epoch as "identityEpoch", revision,
    created_at as "createdAt", updated_at as "updatedAt"`;
}

/** All providers, oldest first. */
export async function listSocialProviders(sql: Sql): Promise<SocialProvider[]> {
  return await sql<SocialProvider[]>`select ${columns(sql)} from social_providers order by created_at, provider`;
}

/** Locks a provider, so that changes of a provider run in sequence. */
export async function lockSocialProvider(sql: Sql, provider: string): Promise<SocialProvider | undefined> {
  const [row] = await sql<SocialProvider[]>`
    select ${columns(sql)} from social_providers where provider = ${provider} for update`;
  return row;
}

/** CTE fragment: inserts a provider; no row for a taken key. */
export function insertSocialProvider(sql: Sql, row: SocialProvider): Fragment {
  return sql`
    insert into social_providers
      (provider, config, sealed_secret, key_id, identity_epoch, revision, created_at, updated_at)
    values (${row.provider}, ${json(sql, row.config)}, ${row.sealedSecret}, ${row.keyId}, ${row.identityEpoch},
            ${row.revision}, ${row.createdAt}, ${row.updatedAt})
    on conflict do nothing
    returning provider`;
}

/** CTE fragment. */
export function updateSocialProvider(sql: Sql, row: SocialProvider): Fragment {
  return sql`
    update social_providers
    set config = ${json(sql, row.config)}, sealed_secret = ${row.sealedSecret}, key_id = ${row.keyId},
        identity_epoch = ${row.identityEpoch}, revision = ${row.revision}, updated_at = ${row.updatedAt}
    where provider = ${row.provider}
    returning provider`;
}

/** CTE fragment (`reseal`). */
export function resealSocialProvider(sql: Sql, row: SealedRow, secret: SealedForm): Fragment {
  return reseal(sql, sql`social_providers`, row, secret);
}

/** CTE fragment. */
export function deleteSocialProvider(sql: Sql, provider: string): Fragment {
  return sql`delete from social_providers where provider = ${provider} returning provider`;
}
