import type { organizationDomains } from "../../../db/schema/organization-domains.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import { lockName } from "../../database/statement.ts";
import { heldStatuses } from "../conditions/held-domain-condition.ts";
import { domainOfAddress } from "./domain-name.ts";

type DomainRow = RowOf<typeof organizationDomains>;

export const DOMAIN_STATUSES = ["pending", "verified", "failing", "lost"] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** docs/contract.md, section 29.2. */
export interface OrganizationDomain extends Omit<DomainRow, "setUpPower" | "status"> {
  readonly status: DomainStatus;
  /** A pending claim of a domain that another organization holds. */
  readonly conflict: boolean;
}

/** The members that a check changes. */
export type DomainState = Pick<
  OrganizationDomain,
  "status" | "verifiedAt" | "checkedAt" | "seenAt" | "missingSince" | "warnings"
>;

/** Whether an organization with a claim in this status holds the domain. */
export function isHeldStatus(status: DomainStatus): boolean {
  return status === "verified" || status === "failing";
}

function columns(sql: Sql): Fragment {
  return sql`
    d.id, d.organization_id as "organizationId", d.domain, d.token, d.status, d.claimed_by as "claimedBy",
    d.verified_at as "verifiedAt", d.checked_at as "checkedAt", d.seen_at as "seenAt",
    d.missing_since as "missingSince", d.warnings, d.connection_id as "connectionId", d.created_at as "createdAt",
    d.status = 'pending' and exists (
      select 1 from organization_domains h
      where h.domain = d.domain and h.id <> d.id and h.status in ${heldStatuses(sql)}
    ) as conflict`;
}

/** Changes of the status of a domain run in sequence, over all organizations that claim the domain. */
export async function lockDomain(sql: Sql, domain: string): Promise<void> {
  await lockName(sql, `domain ${domain}`);
}

export type NewDomain = Pick<DomainRow, "id" | "organizationId" | "domain" | "token" | "createdAt"> & {
  readonly claimedBy: string;
  /** The set-up link that claims the domain, whose power bounds the claim; null: the claimant acts. */
  readonly setupLinkId: string | null;
};

/** Whether an organization holds the domain of an address, for this connection or for all connections. */
export async function acceptsConnection(
  sql: Sql,
  { organizationId, connectionId, email }: { organizationId: string; connectionId: string; email: string },
): Promise<boolean> {
  const domain = domainOfAddress(email);
  if (domain === undefined) return false;
  const rows = await sql`
    select 1 from organization_domains
    where organization_id = ${organizationId} and domain = ${domain} and status in ${heldStatuses(sql)}
      and (connection_id is null or connection_id = ${connectionId})`;
  return rows.length > 0;
}

/** Which addresses are in domains that an organization holds, also where the memory of the replica is behind. */
export async function findOwnAddresses(sql: Sql, organizationId: string): Promise<(email: string) => boolean> {
  const rows = await sql<{ domain: string }[]>`
    select domain from organization_domains
    where organization_id = ${organizationId} and status in ${heldStatuses(sql)}`;
  const held = new Set(rows.map(({ domain }) => domain));
  return (email) => held.has(domainOfAddress(email) ?? "");
}

/** CTE fragment: inserts a pending claim and returns the id; no row if the organization has the domain already. */
export function insertDomain(sql: Sql, claim: NewDomain): Fragment {
  return sql`
    insert into organization_domains (id, organization_id, domain, token, status, claimed_by, set_up_power, created_at)
    values (${claim.id}, ${claim.organizationId}, ${claim.domain}, ${claim.token}, 'pending', ${claim.claimedBy},
            (select l.set_up_power from sso_setup_links l where l.id = ${claim.setupLinkId}), ${claim.createdAt})
    on conflict (organization_id, domain) do nothing
    returning id`;
}

export async function countDomains(sql: Sql, organizationId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from organization_domains where organization_id = ${organizationId}`;
  return row?.count ?? 0;
}

/** A page of the domains of an organization, by name, and the total. */
export async function listDomains(
  sql: Sql,
  organizationId: string,
  page: PageBounds,
): Promise<{ items: OrganizationDomain[]; total: number }> {
  const rows = await sql<(OrganizationDomain & { total: number })[]>`
    with found as (select * from organization_domains where organization_id = ${organizationId})
    select counted.total, ${columns(sql)}
    from (select count(*)::int as total from found) counted
    left join lateral (
      select * from found order by domain limit ${page.limit} offset ${page.offset}
    ) d on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** `organizationId` undefined: of any organization. */
export async function findDomain(
  sql: Sql,
  id: string,
  organizationId?: string,
): Promise<OrganizationDomain | undefined> {
  const [row] = await sql<OrganizationDomain[]>`
    select ${columns(sql)} from organization_domains d
    where d.id = ${id} and (${organizationId ?? null}::uuid is null or d.organization_id = ${organizationId ?? null})`;
  return row;
}

/** The row of the organization that holds a domain. Call after `lockDomain`. */
export async function findHolder(sql: Sql, domain: string): Promise<OrganizationDomain | undefined> {
  const [row] = await sql<OrganizationDomain[]>`
    select ${columns(sql)} from organization_domains d where d.domain = ${domain} and d.status in ${heldStatuses(sql)}`;
  return row;
}

/**
 * CTE fragment: stores the state of a domain and returns the id. `claimedBy`: a person who acts now, and is responsible
 * with the power of now; null: unchanged.
 */
export function updateDomainState(sql: Sql, id: string, state: DomainState, claimedBy: string | null = null): Fragment {
  return sql`
    update organization_domains
    set status = ${state.status}, verified_at = ${state.verifiedAt}, checked_at = ${state.checkedAt},
        seen_at = ${state.seenAt}, missing_since = ${state.missingSince}, warnings = ${state.warnings},
        claimed_by = coalesce(${claimedBy}::uuid, claimed_by),
        set_up_power = case when ${claimedBy}::uuid is null then set_up_power end
    where id = ${id} returning id`;
}

/** CTE fragment: assigns a domain to a connection, or to every active connection, and returns the id. */
export function assignDomain(sql: Sql, id: string, connectionId: string | null): Fragment {
  return sql`update organization_domains set connection_id = ${connectionId} where id = ${id} returning id`;
}

/** Assigns the domains of a connection to every active connection of the organization. */
export async function unassignConnection(sql: Sql, connectionId: string): Promise<void> {
  await sql`update organization_domains set connection_id = null where connection_id = ${connectionId}`;
}

/** Whether an organization holds a domain. */
export async function hasHeldDomain(sql: Sql, organizationId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from organization_domains
    where organization_id = ${organizationId} and status in ${heldStatuses(sql)} limit 1`;
  return rows.length > 0;
}

/** CTE fragment: deletes a domain and returns the id. */
export function deleteDomain(sql: Sql, id: string): Fragment {
  return sql`delete from organization_domains where id = ${id} returning id`;
}

/** Domains whose last check, or claim, is older than `before`, the oldest first. A lost domain is not checked. */
export async function listDueDomains(sql: Sql, before: Date, limit: number): Promise<OrganizationDomain[]> {
  return await sql<OrganizationDomain[]>`
    select ${columns(sql)} from organization_domains d
    where d.status <> 'lost' and coalesce(d.checked_at, d.created_at) <= ${before}
    order by coalesce(d.checked_at, d.created_at) limit ${limit}`;
}

/**
 * CTE fragment: deletes pending claims made before `claimedBefore` whose record was not seen since `seenBefore`;
 * returns id, organization_id and domain.
 */
export function deleteExpiredClaims(sql: Sql, claimedBefore: Date, seenBefore: Date, batch: number): Fragment {
  return sql`
    delete from organization_domains where id in (
      select id from organization_domains
      where status = 'pending' and created_at <= ${claimedBefore} and (seen_at is null or seen_at <= ${seenBefore})
      limit ${batch} for update skip locked
    )
    returning id, organization_id, domain`;
}

/** The number of domains by status. */
export async function countDomainsByStatus(sql: Sql): Promise<Partial<Record<DomainStatus, number>>> {
  const rows = await sql<{ status: DomainStatus; count: number }[]>`
    select status, count(*)::int as count from organization_domains group by status`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
