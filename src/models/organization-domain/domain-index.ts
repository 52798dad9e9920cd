/** The held domains of all organizations, in the memory of every replica. */
import type { Sql } from "../../database/database.ts";
import { heldStatuses } from "../conditions/held-domain-condition.ts";
import { domainOfAddress } from "./domain-name.ts";

/**
 * Redis stream that announces changes of held domains to the replicas. If the stream is lost, replicas poll PostgreSQL
 * every few seconds.
 */
export const ORGANIZATION_DOMAIN_STREAM = "service:organization-domains";

/** A domain that an organization holds: verified, or failing for less than seven days. */
export interface HeldDomain {
  readonly id: string;
  readonly domain: string;
  readonly organizationId: string;
  /** The only connection of the domain; null: every active connection of the organization. */
  readonly connectionId: string | null;
}

export interface DomainIndex {
  /** The holder of the domain of a normalised email address; no subdomain is included. */
  findByAddress(email: string): HeldDomain | undefined;
  /** Whether an organization holds the domain of an address. */
  includesAddress(organizationId: string, email: string): boolean;
}

export async function listHeldDomains(sql: Sql): Promise<HeldDomain[]> {
  return await sql<HeldDomain[]>`
    select id, domain, organization_id as "organizationId", connection_id as "connectionId"
    from organization_domains where status in ${heldStatuses(sql)}`;
}

/** The held domains of organizations. */
export async function listHeldDomainsOf(sql: Sql, organizationIds: readonly string[]): Promise<HeldDomain[]> {
  return await sql<HeldDomain[]>`
    select id, domain, organization_id as "organizationId", connection_id as "connectionId"
    from organization_domains
    where organization_id = any(${[...organizationIds]}::uuid[]) and status in ${heldStatuses(sql)}`;
}

/** The held domains of the given names, from PostgreSQL. */
export async function listHeldDomainsNamed(sql: Sql, domains: readonly string[]): Promise<HeldDomain[]> {
  return await sql<HeldDomain[]>`
    select id, domain, organization_id as "organizationId", connection_id as "connectionId"
    from organization_domains where domain = any(${[...domains]}::text[]) and status in ${heldStatuses(sql)}`;
}

/** An index that follows the changes of single organizations. */
export interface FollowingDomainIndex extends DomainIndex {
  /** Replaces the rows of organizations. `rows`: all held domains of these organizations, which alone cost time. */
  reindex(organizationIds: readonly string[], rows: readonly HeldDomain[]): void;
}

export function indexDomains(rows: readonly HeldDomain[]): FollowingDomainIndex {
  const held = new Map(rows.map((row) => [row.domain, row]));
  const ofOrganization = Map.groupBy(rows, ({ organizationId }) => organizationId);
  const findByAddress = (email: string) => {
    const domain = domainOfAddress(email);
    return domain === undefined ? undefined : held.get(domain);
  };
  return {
    findByAddress,
    includesAddress: (organizationId, email) => findByAddress(email)?.organizationId === organizationId,
    reindex(organizationIds, changed) {
      for (const id of organizationIds) {
        for (const { domain } of ofOrganization.get(id) ?? []) {
          // The domain may have moved to another organization, whose rows were read before.
          if (held.get(domain)?.organizationId === id) held.delete(domain);
        }
        ofOrganization.delete(id);
      }
      for (const row of changed) held.set(row.domain, row);
      for (const [id, domains] of Map.groupBy(changed, ({ organizationId }) => organizationId)) {
        ofOrganization.set(id, domains);
      }
    },
  };
}
