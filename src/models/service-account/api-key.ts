import type { apiKeys } from "../../../db/schema/service-accounts.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import {
  type EndpointPermission,
  includesPermission,
  type KeyScope,
  scopesOfFormerRelease,
} from "../../vocabulary/key-scope.ts";
import { type SetUpPeriod, setUpWithin } from "../conditions/set-up-period.ts";

type ApiKeyRow = RowOf<typeof apiKeys>;

export function hasScope({ scopes }: Pick<KeyView, "scopes">, scope: EndpointPermission): boolean {
  return includesPermission(scopes, scope);
}

/** A key that requests may use. Cached by the revocations actor. */
export interface KeyView
  extends Pick<ApiKeyRow, "id" | "serviceAccountId" | "allowedIps" | "allowedReferrers" | "createdBy"> {
  readonly name: string;
  /** Null: of the platform. */
  readonly organizationId: string | null;
  readonly scopes: readonly KeyScope[];
  /** True: made by a former release, so the key reaches the endpoints of the former release alone. */
  readonly isFormer: boolean;
  /** The organizations in which a key of the platform acts; null: every organization. */
  readonly organizations: readonly string[] | null;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The kind of the credential with `id`. Absent: an API key. */
  readonly kind?: "trust";
  /** The first second of valid access tokens (Unix seconds). Absent: every second. */
  readonly tokensFrom?: number;
  /** The request presents an access token that was issued for the credential. Absent: the key itself. */
  readonly isToken?: true;
}

/** docs/contract.md, section 25.3. The key itself is not stored. */
export interface ApiKey
  extends Pick<
    ApiKeyRow,
    | "id"
    | "serviceAccountId"
    | "keyId"
    | "name"
    | "allowedIps"
    | "allowedReferrers"
    | "expiresAt"
    | "revokedAt"
    | "lastUsedAt"
    | "createdBy"
    | "createdAt"
  > {
  readonly scopes: readonly KeyScope[];
  /** The organizations in which a key of the platform acts; null: every organization. */
  readonly organizations: readonly string[] | null;
}

export type NewApiKey = Omit<ApiKey, "revokedAt" | "lastUsedAt"> &
  Pick<ApiKeyRow, "createdByCredential" | "setupLinkId"> & { readonly keyHash: Buffer };

/** The members of `ApiKey`, of the table alias `k`. */
export function apiKeyColumns(sql: Sql): Fragment {
  return sql`
    k.id, k.service_account_id as "serviceAccountId", k.key_id as "keyId", k.name,
    coalesce(k.permissions, k.scopes) as scopes, k.organizations,
    k.allowed_ips as "allowedIps", k.allowed_referrers as "allowedReferrers", k.expires_at as "expiresAt",
    k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt", k.created_by as "createdBy",
    k.created_at as "createdAt"`;
}

export function insertApiKey(sql: Sql, key: NewApiKey): Fragment {
  return sql`
    insert into api_keys (id, service_account_id, key_id, key_hash, name, scopes, permissions, organizations,
                          allowed_ips, allowed_referrers, expires_at, created_by, created_by_credential, setup_link_id,
                          created_at)
    values (${key.id}, ${key.serviceAccountId}, ${key.keyId}, ${key.keyHash}, ${key.name},
            ${scopesOfFormerRelease(key)}::text[], ${[...key.scopes]}::text[],
            ${key.organizations && [...key.organizations]}::uuid[], ${[...key.allowedIps]}::text[],
            ${[...key.allowedReferrers]}::text[], ${key.expiresAt}, ${key.createdBy}, ${key.createdByCredential},
            ${key.setupLinkId}, ${key.createdAt})
    returning id`;
}

/** A key in a list. */
export interface ListedApiKey extends ApiKey {
  /** Name or address of the user who created the key; null after the deletion of the user. */
  readonly creator: string | null;
}

/** The keys of an account, live ones before revoked and expired ones, then newest first, at most `limit`. */
export async function listApiKeys(
  sql: Sql,
  serviceAccountId: string,
  at: Date,
  limit: number,
): Promise<ListedApiKey[]> {
  return await sql<ListedApiKey[]>`
    select ${apiKeyColumns(sql)}, coalesce(u.display_name, u.email) as creator
    from api_keys k left join users u on u.id = k.created_by where k.service_account_id = ${serviceAccountId}
    order by (k.revoked_at is null and k.expires_at > ${at}) desc, k.created_at desc, k.id desc limit ${limit}`;
}

export async function countLiveKeys(sql: Sql, serviceAccountId: string, at: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from api_keys
    where service_account_id = ${serviceAccountId} and revoked_at is null and expires_at > ${at}`;
  return row?.count ?? 0;
}

/** CTE fragment: revokes a key of an account; one row (id) if it was not revoked. */
export function revokeApiKey(sql: Sql, serviceAccountId: string, id: string, at: Date): Fragment {
  return sql`
    update api_keys set revoked_at = ${at}
    where id = ${id} and service_account_id = ${serviceAccountId} and revoked_at is null
    returning id`;
}

/**
 * CTE fragment: revokes the live keys that a user created; returns the keys (id, organization_id, name). `managedOnly`:
 * only keys of organizations, or of the platform, in which the user is an administrator now.
 */
export function revokeApiKeysOf(
  sql: Sql,
  userId: string,
  { at, managedOnly, period = {} }: { readonly at: Date; readonly managedOnly: boolean; readonly period?: SetUpPeriod },
): Fragment {
  return sql`
    update api_keys k set revoked_at = ${at}
    from service_accounts a
    where k.created_by = ${userId} and a.id = k.service_account_id and k.revoked_at is null and k.expires_at > ${at}
      and (not ${managedOnly}::boolean or ${isManagedBy(sql, userId)})
      and ${setUpWithin(sql, sql`k.created_at`, period)}
    returning k.id, a.organization_id, a.name || ' (' || k.key_id || '…)' as name`;
}

/** CTE fragment: as `revokeApiKeysOf`, for the live keys that keys created. */
export function revokeKeysCreatedBy(sql: Sql, keyIds: readonly string[], at: Date): Fragment {
  return sql`
    update api_keys k set revoked_at = ${at}
    from service_accounts a
    where k.created_by_credential = any(${[...keyIds]}::uuid[]) and a.id = k.service_account_id
      and k.revoked_at is null and k.expires_at > ${at}
    returning k.id, a.organization_id, a.name || ' (' || k.key_id || '…)' as name`;
}

/** CTE fragment: as `revokeApiKeysOf`, for the live keys of a set-up link that was not completed. */
export function revokeKeysOfSetupLink(sql: Sql, linkId: string, at: Date): Fragment {
  return sql`
    update api_keys k set revoked_at = ${at}
    from service_accounts a, sso_setup_links l
    where k.setup_link_id = ${linkId} and a.id = k.service_account_id and l.id = k.setup_link_id
      and l.end_reason is distinct from 'completed' and k.revoked_at is null and k.expires_at > ${at}
    returning k.id, a.organization_id, a.name || ' (' || k.key_id || '…)' as name`;
}

/** Whether a user administers the organization of the service account `a`, or the platform. */
export function isManagedBy(sql: Sql, userId: string): Fragment {
  return sql`
    case when a.organization_id is null
      then exists (select 1 from users where id = ${userId} and platform_role in ('admin', 'owner'))
      else exists (
        select 1 from members m
        where m.user_id = ${userId} and m.organization_id = a.organization_id and m.role in ('owner', 'admin')
      )
    end`;
}

/** Whether a user administers an organization or the platform: the role in which a user can create API keys. */
export async function canCreateKeys(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from users u
    where u.id = ${userId} and (
      u.platform_role in ('admin', 'owner')
      or exists (select 1 from members m where m.user_id = u.id and m.role in ('owner', 'admin'))
    )`;
  return rows.length > 0;
}

/** Inside a transaction: whether the key is live. The row is locked: a revocation waits. */
export async function lockLiveKey(sql: Sql, id: string, at: Date): Promise<boolean> {
  const rows = await sql`
    select 1 from api_keys where id = ${id} and revoked_at is null and expires_at > ${at} for share`;
  return rows.length > 0;
}

export async function apiKeyExists(sql: Sql, serviceAccountId: string, id: string): Promise<boolean> {
  const rows = await sql`select 1 from api_keys where id = ${id} and service_account_id = ${serviceAccountId}`;
  return rows.length > 0;
}

/** CTE fragment: the keys (id) of an account that may be in use. */
export function liveKeysOf(sql: Sql, serviceAccountId: string, at: Date): Fragment {
  return sql`
    select id from api_keys
    where service_account_id = ${serviceAccountId} and revoked_at is null and expires_at > ${at}`;
}

/** CTE fragment: the keys (id) of an organization that may be in use. */
export function liveKeysIn(sql: Sql, organizationId: string, at: Date): Fragment {
  return sql`
    select k.id from api_keys k join service_accounts a on a.id = k.service_account_id
    where a.organization_id = ${organizationId} and k.revoked_at is null and k.expires_at > ${at}`;
}

/** The id of the key with this hash, in any state. */
export async function findKeyId(sql: Sql, keyHash: Buffer): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`select id from api_keys where key_hash = ${keyHash}`;
  return row?.id;
}

type KeyRow = Omit<KeyView, "createdAt" | "expiresAt"> & { readonly createdAt: Date; readonly expiresAt: Date };

/** The key if it may act: not revoked, not expired, of no suspended organization (G55). */
export async function findLiveKey(sql: Sql, id: string, at: Date): Promise<KeyView | undefined> {
  const [row] = await sql<KeyRow[]>`
    select k.id, k.service_account_id as "serviceAccountId", a.name, a.organization_id as "organizationId",
           coalesce(k.permissions, k.scopes) as scopes, k.permissions is null as "isFormer", k.organizations,
           k.allowed_ips as "allowedIps", k.allowed_referrers as "allowedReferrers", k.created_by as "createdBy",
           k.created_at as "createdAt", k.expires_at as "expiresAt"
    from api_keys k
    join service_accounts a on a.id = k.service_account_id
    left join organizations o on o.id = a.organization_id
    where k.id = ${id} and k.revoked_at is null and k.expires_at > ${at} and o.suspended_at is null`;
  return row && { ...row, createdAt: row.createdAt.getTime(), expiresAt: row.expiresAt.getTime() };
}

/** Records when keys were last used. A time before the stored time has no effect. */
export async function recordKeyUse(sql: Sql, uses: ReadonlyMap<string, number>): Promise<void> {
  // As text: for a list of dates the driver declares the type of its first element, and the statement is refused.
  const times = [...uses.values()].map((time) => new Date(time).toISOString());
  await sql`
    update api_keys k set last_used_at = u.at
    from unnest(${[...uses.keys()]}::uuid[], ${times}::timestamptz[]) u (id, at)
    where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`;
}

/** Deletes at most `batch` keys that ended before `before`; returns how many. */
export async function deleteEndedKeys(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from api_keys where id in (
      select id from api_keys where least(expires_at, revoked_at) < ${before} limit ${batch} for update skip locked
    )`;
  return deleted.count;
}
