import type { ssoConnections } from "../../../db/schema/sso-connections.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import type { Preset } from "../../vocabulary/sso/preset.ts";
import type { ProtocolConfig } from "../../vocabulary/sso/protocol-config.ts";
import type { MetadataReport } from "./metadata-report.ts";

type ConnectionRow = RowOf<typeof ssoConnections>;

export const CONNECTION_STATUSES = ["draft", "active", "inactive"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** Read by the rollover of certificates alone (`certificate-rollover.ts`). */
type RolloverColumn = "metadataCheckedAt" | "metadataFetchedAt" | "absentCertificates";
/** Typed by this file. */
type TypedColumn = "protocol" | "preset" | "config" | "metadataReport";
/** Read with the people behind connections alone (`models/channel`). */
type ChannelColumn = "claimsPower" | "claimsSetAt" | "claimsSetBy" | "confirmedPower" | "setUpPower";

/** A connection of an organization to an identity provider (docs/contract.md, chapter 29). */
export type SsoConnection = Omit<ConnectionRow, TypedColumn | RolloverColumn | ChannelColumn> & {
  readonly preset: Preset;
  /** Null: no metadata were read. */
  readonly metadataReport: MetadataReport | null;
} & ProtocolConfig;

/** Columns of `SsoConnection`, of the table alias `c`. */
export function connectionColumns(sql: Sql): Fragment {
  return sql`
    c.id, c.organization_id as "organizationId", c.protocol, c.name, c.preset, c.status, c.config,
    c.sealed_secret as "sealedSecret", c.key_id as "keyId", c.revision, c.tested_at as "testedAt",
    c.last_test_at as "lastTestAt", c.last_success_at as "lastSuccessAt", c.activated_by as "activatedBy",
    c.activation_requested_at as "activationRequestedAt", c.metadata_report as "metadataReport",
    c.created_by as "createdBy", c.created_at as "createdAt", c.updated_at as "updatedAt"`;
}

/** CTE fragment: inserts a draft and returns the connection. */
export function insertConnection(
  sql: Sql,
  row: Pick<
    SsoConnection,
    "id" | "organizationId" | "protocol" | "name" | "preset" | "config" | "sealedSecret" | "keyId" | "createdBy"
  > & { readonly at: Date },
): Fragment {
  return sql`
    insert into sso_connections as c (id, organization_id, protocol, name, preset, status, config, sealed_secret,
                                      key_id, revision, created_by, created_at, updated_at)
    values (${row.id}, ${row.organizationId}, ${row.protocol}, ${row.name}, ${row.preset}, 'draft',
            ${json(sql, row.config)}, ${row.sealedSecret}, ${row.keyId}, 1, ${row.createdBy}, ${row.at},
            ${row.at})
    returning ${connectionColumns(sql)}`;
}

/** Members that a change replaces. */
export type ConnectionState = Pick<
  SsoConnection,
  | "name"
  | "preset"
  | "status"
  | "config"
  | "sealedSecret"
  | "keyId"
  | "revision"
  | "testedAt"
  | "activatedBy"
  | "activationRequestedAt"
> & {
  /** Who has chosen the claims that the rules for roles read; null: the activator. Undefined: unchanged. */
  readonly claims?: { readonly setBy: string; readonly at: Date } | null;
  /** `activatedBy` acts now, and is responsible with the power of now. Else the power of the earlier act counts. */
  readonly renewsPower?: boolean;
};

/**
 * CTE fragment: replaces the members of a locked connection and returns the connection. `updated_at` increases with
 * every write, so that a replica notices two writes of one millisecond.
 */
export function updateConnection(sql: Sql, id: string, state: ConnectionState, at: Date): Fragment {
  return sql`
    update sso_connections c
    set name = ${state.name}, preset = ${state.preset}, status = ${state.status},
        config = ${json(sql, state.config)}, sealed_secret = ${state.sealedSecret}, key_id = ${state.keyId},
        revision = ${state.revision}, tested_at = ${state.testedAt}, activated_by = ${state.activatedBy},
        activation_requested_at = ${state.activationRequestedAt}, ${claimsColumns(sql, state)}
        set_up_power = case when not ${state.renewsPower === true}::boolean then c.set_up_power end,
        confirmed_power = case when ${keepsConfirmation(sql, state)} then c.confirmed_power end,
        updated_at = ${nextUpdate(sql, at)}
    where c.id = ${id} returning ${connectionColumns(sql)}`;
}

function claimsColumns(sql: Sql, { claims }: ConnectionState): Fragment {
  if (claims === undefined) return sql``;
  return sql`claims_set_by = ${claims?.setBy ?? null}, claims_set_at = ${claims?.at ?? null},
    claims_power = null,`;
}

/** The power that a person confirmed counts for the tested settings, and ends with the next activation. */
function keepsConfirmation(sql: Sql, { status, testedAt, activatedBy }: ConnectionState): Fragment {
  return sql`
    c.activated_by is not distinct from ${activatedBy}::uuid and ${testedAt}::timestamptz is not null
    and (c.status = 'active' or ${status}::text <> 'active')`;
}

/** Increases `updated_at` after a change of the service keys, for the replicas; a requested activation ends. */
export async function touchConnection(sql: Sql, id: string, at: Date): Promise<void> {
  await sql`
    update sso_connections c set activation_requested_at = null, updated_at = ${nextUpdate(sql, at)}
    where c.id = ${id}`;
}

function nextUpdate(sql: Sql, at: Date): Fragment {
  return sql`greatest(${at}::timestamptz, c.updated_at + interval '1 millisecond')`;
}

/** CTE fragment: deletes a connection and returns the id. */
export function deleteConnection(sql: Sql, id: string): Fragment {
  return sql`delete from sso_connections where id = ${id} returning id`;
}

/** A connection of an organization. */
export async function findConnection(sql: Sql, organizationId: string, id: string): Promise<SsoConnection | undefined> {
  const [row] = await sql<SsoConnection[]>`
    select ${connectionColumns(sql)} from sso_connections c
    where c.id = ${id} and c.organization_id = ${organizationId}`;
  return row;
}

/** Locks a connection of an organization until the end of the transaction. */
export async function lockConnection(sql: Sql, organizationId: string, id: string): Promise<SsoConnection | undefined> {
  const [row] = await sql<SsoConnection[]>`
    select ${connectionColumns(sql)} from sso_connections c
    where c.id = ${id} and c.organization_id = ${organizationId} for no key update`;
  return row;
}

export async function countConnections(sql: Sql, organizationId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from sso_connections where organization_id = ${organizationId}`;
  return row?.count ?? 0;
}

/** A page of the connections of an organization, oldest first, and the total. */
export async function listConnections(
  sql: Sql,
  organizationId: string,
  page: PageBounds,
): Promise<{ items: SsoConnection[]; total: number }> {
  const rows = await sql<(SsoConnection & { total: number })[]>`
    with found as (select * from sso_connections where organization_id = ${organizationId})
    select counted.total, ${connectionColumns(sql)}
    from (select count(*)::int as total from found) counted
    left join lateral (
      select * from found order by created_at, id limit ${page.limit} offset ${page.offset}
    ) c on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** Whether users are linked to subjects of the connection. */
export async function hasIdentities(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`select 1 from sso_identities where connection_id = ${id} limit 1`;
  return rows.length > 0;
}

/** Unlinks all users from subjects of the connection. */
export async function deleteIdentities(sql: Sql, id: string): Promise<void> {
  await sql`delete from sso_identities where connection_id = ${id}`;
}
