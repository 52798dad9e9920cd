/** Links by which a person without an account sets up single sign-on (docs/contract.md, section 29.50). */
import type { ssoSetupLinks } from "../../../db/schema/sso-setup-links.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import { SETUP_BROWSER_LIFETIME_SECONDS } from "../../limits/setup-link-limits.ts";
import type { SetupIntent, SetupLinkStatus } from "../../vocabulary/setup-intent.ts";
import { type SetUpPeriod, setUpWithin } from "../conditions/set-up-period.ts";

type SetupLinkRow = RowOf<typeof ssoSetupLinks>;

export interface SetupLink
  extends Pick<
    SetupLinkRow,
    | "id"
    | "organizationId"
    | "email"
    | "createdBy"
    | "byPlatform"
    | "createdAt"
    | "expiresAt"
    | "begunAt"
    | "connectionId"
    | "directoryTokenAt"
  > {
  readonly intents: readonly SetupIntent[];
  readonly status: SetupLinkStatus;
}

export type NewSetupLink = Pick<
  SetupLinkRow,
  "id" | "organizationId" | "email" | "createdBy" | "createdByCredential" | "byPlatform" | "createdAt" | "expiresAt"
> & { readonly intents: readonly SetupIntent[]; readonly token: string };

/** The end of a link without a further event: the expiry, or for a begun link the end of the browser's time. */
function endsAt(sql: Sql): Fragment {
  return sql`
    least(l.expires_at, l.begun_at + make_interval(secs => ${SETUP_BROWSER_LIFETIME_SECONDS}::double precision))`;
}

function columns(sql: Sql, at: Date): Fragment {
  return sql`
    l.id, l.organization_id as "organizationId", l.intents, l.email, l.created_by as "createdBy",
    l.by_platform as "byPlatform", l.created_at as "createdAt", l.expires_at as "expiresAt", l.begun_at as "begunAt",
    l.connection_id as "connectionId", l.directory_token_at as "directoryTokenAt",
    case when l.end_reason is not null then l.end_reason when ${endsAt(sql)} <= ${at} then 'expired'
         when l.begun_at is not null then 'begun' else 'pending' end as status`;
}

/** Condition on a link: neither ended nor expired. */
function isLive(sql: Sql, at: Date): Fragment {
  return sql`l.ended_at is null and ${endsAt(sql)} > ${at}`;
}

/** CTE fragment: inserts a link. */
export function insertSetupLink(sql: Sql, link: NewSetupLink): Fragment {
  return sql`
    insert into sso_setup_links (id, organization_id, intents, token_hash, email, created_by, created_by_credential,
                                 by_platform, created_at, expires_at)
    values (${link.id}, ${link.organizationId}, ${[...link.intents]}::text[], ${hashToken(link.token)}, ${link.email},
            ${link.createdBy}, ${link.createdByCredential}, ${link.byPlatform}, ${link.createdAt}, ${link.expiresAt})
    returning id`;
}

export async function countLiveSetupLinks(sql: Sql, organizationId: string, at: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from sso_setup_links l
    where l.organization_id = ${organizationId} and ${isLive(sql, at)}`;
  return row?.count ?? 0;
}

/** A page of the links of an organization, newest first, and the total. */
export async function listSetupLinks(
  sql: Sql,
  organizationId: string,
  at: Date,
  page: PageBounds,
): Promise<{ items: SetupLink[]; total: number }> {
  const rows = await sql<(SetupLink & { total: number })[]>`
    with found as (select * from sso_setup_links where organization_id = ${organizationId})
    select counted.total, ${columns(sql, at)}
    from (select count(*)::int as total from found) counted
    left join lateral (
      select * from found order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
    ) l on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** A link of an organization, in any status. */
export async function findSetupLink(
  sql: Sql,
  organizationId: string,
  id: string,
  at: Date,
): Promise<SetupLink | undefined> {
  const [row] = await sql<SetupLink[]>`
    select ${columns(sql, at)} from sso_setup_links l where l.id = ${id} and l.organization_id = ${organizationId}`;
  return row;
}

/** The link that created a connection, in any status; undefined after the retention of links. */
export async function findLinkOfConnection(sql: Sql, connectionId: string, at: Date): Promise<SetupLink | undefined> {
  const [row] = await sql<SetupLink[]>`
    select ${columns(sql, at)} from sso_setup_links l where l.connection_id = ${connectionId}`;
  return row;
}

/** The live link of a token that no browser has begun. */
export async function findWaitingSetupLink(sql: Sql, token: string, at: Date): Promise<SetupLink | undefined> {
  const [row] = await sql<SetupLink[]>`
    select ${columns(sql, at)} from sso_setup_links l
    where l.token_hash = ${hashToken(token)} and l.begun_at is null and ${isLive(sql, at)}`;
  return row;
}

/** The live link that a browser began. */
export async function findBegunSetupLink(sql: Sql, browserToken: string, at: Date): Promise<SetupLink | undefined> {
  const [row] = await sql<SetupLink[]>`
    select ${columns(sql, at)} from sso_setup_links l
    where l.browser_hash = ${hashToken(browserToken)} and ${isLive(sql, at)}`;
  return row;
}

/** Locks a link that is begun and live, for a change by the link; a revocation waits for the change or comes first. */
export async function lockBegunSetupLink(sql: Sql, id: string, at: Date): Promise<SetupLink | undefined> {
  const [row] = await sql<SetupLink[]>`
    select ${columns(sql, at)} from sso_setup_links l
    where l.id = ${id} and l.begun_at is not null and ${isLive(sql, at)} for update`;
  return row;
}

/** CTE fragment: binds a waiting link to a browser, once. */
export function beginSetupLink(sql: Sql, id: string, browserToken: string, at: Date): Fragment {
  return sql`
    update sso_setup_links l set begun_at = ${at}, browser_hash = ${hashToken(browserToken)}
    where l.id = ${id} and l.begun_at is null and ${isLive(sql, at)} returning l.id`;
}

/** CTE fragment: releases a begun link from its browser, and gives the link a new token. */
export function passSetupLinkOn(sql: Sql, id: string, token: string, at: Date): Fragment {
  return sql`
    update sso_setup_links l set token_hash = ${hashToken(token)}, begun_at = null, browser_hash = null
    where l.id = ${id} and l.begun_at is not null and ${isLive(sql, at)} returning l.id`;
}

/** CTE fragment: ends a link that has not ended. */
export function endSetupLink(
  sql: Sql,
  { id, reason, at }: { readonly id: string; readonly reason: "revoked" | "completed"; readonly at: Date },
): Fragment {
  return sql`
    update sso_setup_links l set ended_at = ${at}, end_reason = ${reason}
    where l.id = ${id} and l.ended_at is null returning l.id`;
}

/** CTE fragment: ends the live links of programs, named by their keys and trusts. */
export function endSetupLinksBy(sql: Sql, credentialIds: readonly string[], at: Date): Fragment {
  return sql`
    update sso_setup_links l set ended_at = ${at}, end_reason = 'revoked'
    where l.created_by_credential = any(${[...credentialIds]}::uuid[]) and ${isLive(sql, at)}
    returning l.id, l.organization_id`;
}

/** CTE fragment: ends the links of a creator, in the period. */
export function endSetupLinksOf(sql: Sql, userId: string, at: Date, period: SetUpPeriod = {}): Fragment {
  return sql`
    update sso_setup_links l set ended_at = ${at}, end_reason = 'revoked'
    where l.created_by = ${userId} and ${isLive(sql, at)}
      and ${setUpWithin(sql, sql`l.created_at`, period)}
    returning l.id, l.organization_id`;
}

/** Records the connection that a link created; false if the link has a connection. */
export async function saveSetupConnection(sql: Sql, id: string, connectionId: string): Promise<boolean> {
  const rows = await sql`
    update sso_setup_links set connection_id = ${connectionId} where id = ${id} and connection_id is null returning id`;
  return rows.length > 0;
}

/** Records the directory token of a locked link; false if the link has created one before. */
export async function claimDirectoryToken(sql: Sql, id: string, at: Date): Promise<boolean> {
  const rows = await sql`
    update sso_setup_links set directory_token_at = ${at}
    where id = ${id} and directory_token_at is null returning id`;
  return rows.length > 0;
}

/** Releases the claim of a directory token that could not be created. */
export async function releaseDirectoryToken(sql: Sql, id: string): Promise<void> {
  await sql`update sso_setup_links set directory_token_at = null where id = ${id}`;
}

export const deleteOldSetupLinks = deleteRowsBefore("sso_setup_links", "expires_at");
