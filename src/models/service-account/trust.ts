/** The trusts of service accounts in external issuers (docs/contract.md, section 35.11). */
import type { serviceAccountTrusts } from "../../../db/schema/service-accounts.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import type { TrustCondition } from "../../vocabulary/federation.ts";
import type { KeyScope } from "../../vocabulary/key-scope.ts";
import { type SetUpPeriod, setUpWithin, trustSetUpAt } from "../conditions/set-up-period.ts";
import { isManagedBy, type KeyView } from "./api-key.ts";

type TrustRow = RowOf<typeof serviceAccountTrusts>;

/** A public key of an issuer (RFC 7517). */
export type IssuerKey = Readonly<Record<string, unknown>> & { readonly kty: string; readonly kid: string };

export interface Trust
  extends Pick<
    TrustRow,
    | "id"
    | "serviceAccountId"
    | "name"
    | "issuer"
    | "jwksUri"
    | "audiences"
    | "organizations"
    | "allowedIps"
    | "tokenSeconds"
    | "maxAgeSeconds"
    | "singleUse"
    | "disabled"
    | "createdBy"
    | "createdByCredential"
    | "createdAt"
    | "updatedAt"
    | "tokensValidFrom"
    | "lastUsedAt"
  > {
  /** Null: the keys are at `jwksUri`, or found by OpenID discovery. */
  readonly keys: readonly IssuerKey[] | null;
  readonly conditions: readonly TrustCondition[];
  readonly scopes: readonly KeyScope[];
}

/** A trust, with the organization of its account; null: of the platform. */
export interface TrustOfAccount extends Trust {
  readonly organizationId: string | null;
  /** The name of the service account. */
  readonly accountName: string;
}

function trustColumns(sql: Sql): Fragment {
  return sql`
    t.id, t.service_account_id as "serviceAccountId", t.name, t.issuer, t.keys, t.jwks_uri as "jwksUri", t.audiences,
    t.conditions, t.scopes, t.organizations, t.allowed_ips as "allowedIps", t.token_seconds as "tokenSeconds",
    t.max_age_seconds as "maxAgeSeconds", t.single_use as "singleUse", t.disabled, t.created_by as "createdBy",
    t.created_by_credential as "createdByCredential", t.created_at as "createdAt", t.updated_at as "updatedAt",
    t.tokens_valid_from as "tokensValidFrom", t.last_used_at as "lastUsedAt"`;
}

function valuesOf(sql: Sql, trust: Trust) {
  return {
    keys: trust.keys === null ? null : json(sql, trust.keys),
    conditions: json(sql, trust.conditions),
    organizations: trust.organizations === null ? null : [...trust.organizations],
  };
}

/** CTE fragment: inserts a trust; one row (id). */
export function insertTrust(sql: Sql, trust: Trust): Fragment {
  const { keys, conditions, organizations } = valuesOf(sql, trust);
  return sql`
    insert into service_account_trusts (
      id, service_account_id, name, issuer, keys, jwks_uri, audiences, conditions, scopes, organizations, allowed_ips,
      token_seconds, max_age_seconds, single_use, disabled, created_by, created_by_credential, created_at, updated_at)
    values (
      ${trust.id}, ${trust.serviceAccountId}, ${trust.name}, ${trust.issuer}, ${keys}::jsonb, ${trust.jwksUri},
      ${[...trust.audiences]}::text[], ${conditions}::jsonb, ${[...trust.scopes]}::text[], ${organizations}::uuid[],
      ${[...trust.allowedIps]}::text[], ${trust.tokenSeconds}, ${trust.maxAgeSeconds}, ${trust.singleUse},
      ${trust.disabled}, ${trust.createdBy}, ${trust.createdByCredential}, ${trust.createdAt}, ${trust.updatedAt})
    returning id`;
}

/** CTE fragment: stores the settings of a trust; one row (id). */
export function updateTrust(sql: Sql, trust: Trust): Fragment {
  const { keys, conditions, organizations } = valuesOf(sql, trust);
  return sql`
    update service_account_trusts set
      name = ${trust.name}, issuer = ${trust.issuer}, keys = ${keys}::jsonb, jwks_uri = ${trust.jwksUri},
      audiences = ${[...trust.audiences]}::text[], conditions = ${conditions}::jsonb,
      scopes = ${[...trust.scopes]}::text[], organizations = ${organizations}::uuid[],
      allowed_ips = ${[...trust.allowedIps]}::text[], token_seconds = ${trust.tokenSeconds},
      max_age_seconds = ${trust.maxAgeSeconds}, single_use = ${trust.singleUse}, disabled = ${trust.disabled},
      created_by = ${trust.createdBy}, updated_at = ${trust.updatedAt},
      tokens_valid_from = ${trust.tokensValidFrom}
    where id = ${trust.id}
    returning id`;
}

/** CTE fragment: deletes a trust of an account; one row (id) if the trust existed. */
export function deleteTrust(sql: Sql, serviceAccountId: string, id: string): Fragment {
  return sql`
    delete from service_account_trusts where id = ${id} and service_account_id = ${serviceAccountId} returning id`;
}

/** A trust in a list. */
export interface ListedTrust extends Trust {
  /** Name or address of the user who created the trust; null after the deletion of the user. */
  readonly creator: string | null;
}

/** The trusts of an account, oldest first: at most `TRUSTS_MAX`. */
export async function listTrusts(sql: Sql, serviceAccountId: string): Promise<ListedTrust[]> {
  return await sql<ListedTrust[]>`
    select ${trustColumns(sql)}, coalesce(u.display_name, u.email) as creator
    from service_account_trusts t left join users u on u.id = t.created_by
    where t.service_account_id = ${serviceAccountId} order by t.created_at, t.id`;
}

export async function countTrusts(sql: Sql, serviceAccountId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from service_account_trusts where service_account_id = ${serviceAccountId}`;
  return row?.count ?? 0;
}

/** A trust of an account. */
export async function findTrust(sql: Sql, serviceAccountId: string, id: string): Promise<Trust | undefined> {
  const [row] = await sql<Trust[]>`
    select ${trustColumns(sql)} from service_account_trusts t
    where t.id = ${id} and t.service_account_id = ${serviceAccountId}`;
  return row;
}

/** As `findTrust`, locked: changes run in sequence. */
export async function lockTrust(sql: Sql, serviceAccountId: string, id: string): Promise<Trust | undefined> {
  const [row] = await sql<Trust[]>`
    select ${trustColumns(sql)} from service_account_trusts t
    where t.id = ${id} and t.service_account_id = ${serviceAccountId} for update`;
  return row;
}

/** Inside a transaction: whether the trust is live. The row is locked: a deletion waits. */
export async function lockLiveTrust(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`select 1 from service_account_trusts where id = ${id} and not disabled for share`;
  return rows.length > 0;
}

/** The trusts of an account that may act: of no suspended organization. Oldest first. */
export async function listTrustsInUse(sql: Sql, serviceAccountId: string): Promise<TrustOfAccount[]> {
  return await sql<TrustOfAccount[]>`
    select ${trustColumns(sql)}, a.organization_id as "organizationId", a.name as "accountName"
    from service_account_trusts t
    join service_accounts a on a.id = t.service_account_id
    left join organizations o on o.id = a.organization_id
    where t.service_account_id = ${serviceAccountId} and o.suspended_at is null
    order by t.created_at, t.id`;
}

/** A trust has no expiry: the last time that a `Date` can name. */
const NEVER_MS = 8.64e15;

/** The view of a trust, in the form of a key. */
export function trustView(trust: TrustOfAccount): KeyView {
  const { tokensValidFrom } = trust;
  return {
    kind: "trust",
    id: trust.id,
    serviceAccountId: trust.serviceAccountId,
    organizationId: trust.organizationId,
    name: trust.accountName,
    scopes: trust.scopes,
    isFormer: false,
    organizations: trust.organizations,
    allowedIps: trust.allowedIps,
    allowedReferrers: [],
    createdBy: trust.createdBy,
    createdAt: trust.createdAt.getTime(),
    expiresAt: NEVER_MS,
    ...(tokensValidFrom === null ? {} : { tokensFrom: Math.floor(tokensValidFrom.getTime() / 1000) + 1 }),
  };
}

/** The view of the trust if the trust may act: enabled, and of no suspended organization. */
export async function findLiveTrust(sql: Sql, id: string): Promise<KeyView | undefined> {
  const [row] = await sql<TrustOfAccount[]>`
    select ${trustColumns(sql)}, a.organization_id as "organizationId", a.name as "accountName"
    from service_account_trusts t
    join service_accounts a on a.id = t.service_account_id
    left join organizations o on o.id = a.organization_id
    where t.id = ${id} and not t.disabled and o.suspended_at is null`;
  return row && trustView(row);
}

/** CTE fragment: the trusts (id) of an account. */
export function trustsOf(sql: Sql, serviceAccountId: string): Fragment {
  return sql`select id from service_account_trusts where service_account_id = ${serviceAccountId}`;
}

/** CTE fragment: the trusts (id) of an organization. */
export function trustsIn(sql: Sql, organizationId: string): Fragment {
  return sql`
    select t.id from service_account_trusts t join service_accounts a on a.id = t.service_account_id
    where a.organization_id = ${organizationId}`;
}

/** CTE fragment: deletes the trusts that a user created; returns the trusts (id, organization_id, name). */
export function deleteTrustsOf(
  sql: Sql,
  userId: string,
  { managedOnly, period = {} }: { readonly managedOnly: boolean; readonly period?: SetUpPeriod | undefined },
): Fragment {
  return sql`
    delete from service_account_trusts t using service_accounts a
    where t.created_by = ${userId} and a.id = t.service_account_id
      and (not ${managedOnly}::boolean or ${isManagedBy(sql, userId)})
      and ${setUpWithin(sql, trustSetUpAt(sql), period)}
    returning t.id, a.organization_id, a.name || ' (' || t.name || ')' as name`;
}

/** An assertion that a trust accepts once. */
export interface FederationUse {
  readonly trustId: string;
  readonly jtiHash: Buffer;
  readonly expiresAt: Date;
}

/** CTE fragment: records the use of an assertion; no row for a used one. One of parallel uses inserts the row. */
export function insertFederationUse(sql: Sql, { trustId, jtiHash, expiresAt }: FederationUse): Fragment {
  return sql`
    insert into federation_uses (trust_id, jti_hash, expires_at) values (${trustId}, ${jtiHash}, ${expiresAt})
    on conflict do nothing returning 1 as used`;
}

/** Deletes a bounded batch of expired uses; returns how many. */
export const deleteExpiredFederationUses = deleteRowsBefore("federation_uses", "expires_at");

/** Records when trusts were last used. A time before the stored time has no effect. */
export async function recordTrustUse(sql: Sql, uses: ReadonlyMap<string, number>): Promise<void> {
  const times = [...uses.values()].map((time) => new Date(time).toISOString());
  await sql`
    update service_account_trusts t set last_used_at = u.at
    from unnest(${[...uses.keys()]}::uuid[], ${times}::timestamptz[]) u (id, at)
    where t.id = u.id and (t.last_used_at is null or t.last_used_at < u.at)`;
}
