/**
 * Grants within the reach of a session of single sign-on (docs/contract.md, section 3.13): the grants with live token
 * families in the organization of the session. A grant has one row for all organizations of a user, so every value here
 * comes from the token families of the organization.
 */

import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import { clientIdentity } from "../conditions/client-identity.ts";
import { isConsentCurrent } from "../conditions/current-consent.ts";
import { resourcesWithin } from "../conditions/resource-comparison.ts";
import type { AllowedGrant, Consent, GrantItem } from "./oauth-grant.ts";

/** The organization that bounds the grants of a user. */
export interface OrganizationReach {
  readonly userId: string;
  readonly organizationId: string;
}

/** A condition on the alias `f`: a live token family of the user in the organization. */
function isWithin(sql: Sql, { userId, organizationId }: OrganizationReach, at: Date): Fragment {
  return sql`
    f.user_id = ${userId} and f.organization_id = ${organizationId} and f.revoked_at is null and f.ends_at > ${at}`;
}

/**
 * The access that a client has in the organization. A consent for other organizations does not count: an identity
 * provider must not learn which applications the user allowed elsewhere.
 */
export async function findConsentWithin(
  sql: Sql,
  { clientId, at, ...reach }: OrganizationReach & Pick<AllowedGrant, "clientId" | "at">,
): Promise<Consent> {
  const isCurrent = isConsentCurrent(sql, sql`f.created_at`, sql`f.client_id`);
  const families = sql`
    oauth_token_families f where f.client_id = ${clientId} and ${isWithin(sql, reach, at)} and ${isCurrent}`;
  const [row] = await sql<Consent[]>`
    select array(select distinct unnest(f.scopes) from ${families}) as scopes,
           array(select distinct unnest(f.resources) from ${families}) as resources,
           array(select distinct unnest(f.consented_data) from ${families}) as data`;
  return row ?? { scopes: [], resources: [], data: [] };
}

/** CTE fragment: the existing grant, if one token family in the organization has every requested scope and resource. */
export function coveringGrantWithin(
  sql: Sql,
  { clientId, scopes, resources, data, at, ...reach }: OrganizationReach & Omit<AllowedGrant, "id" | "asked">,
  other = sql``,
): Fragment {
  const isCurrent = isConsentCurrent(sql, sql`f.created_at`, sql`f.client_id`);
  const granted = (column: string) => sql`
    array(select unnest(f.${sql(column)}) from oauth_token_families f
          where f.grant_id = g.id and ${isWithin(sql, reach, at)} and ${isCurrent})`;
  return sql`
    select g.id from oauth_grants g ${other}
    where g.user_id = ${reach.userId} and g.client_id = ${clientId}
      and exists (select 1 from oauth_token_families f where f.grant_id = g.id and ${isWithin(sql, reach, at)})
      and ${granted("scopes")} @> ${[...scopes]}::text[]
      and ${resourcesWithin(sql, sql`${[...resources]}::text[]`, granted("resources"))}
      and ${granted("consented_data")} @> ${[...data]}::text[]
    for key share of g`;
}

/** A page of the grants with live token families in the organization, newest first, and the total. */
export async function listGrantsWithin(
  sql: Sql,
  reach: OrganizationReach,
  at: Date,
  page: PageBounds,
): Promise<{ items: GrantItem[]; total: number }> {
  const access = (column: string) => sql`
    array(select distinct unnest(f.${sql(column)}) from oauth_token_families f
          where f.grant_id = g.grant_id and ${isWithin(sql, reach, at)} order by 1)`;
  const rows = await sql<(GrantItem & { total: number })[]>`
    with within as (
      select f.grant_id, f.client_id, min(f.created_at) as created_at, max(f.created_at) as updated_at,
             max(f.rotated_at) as last_used_at
      from oauth_token_families f where ${isWithin(sql, reach, at)} group by f.grant_id, f.client_id
    )
    select counted.total, g.grant_id as id, ${access("scopes")} as scopes, ${access("resources")} as resources,
           g.created_at as "createdAt", g.updated_at as "updatedAt", g.last_used_at as "lastUsedAt",
           ${clientIdentity(sql)} as client, c.redirect_uris as "redirectUris",
           (select o.by_organization and o.consented_scopes = '{}' from oauth_grants o where o.id = g.grant_id)
             as "byOrganization"
    from (select count(*)::int as total from within) counted
    left join lateral (
      select * from within order by created_at desc, grant_id desc limit ${page.limit} offset ${page.offset}
    ) g on true
    left join oauth_clients c on c.id = g.client_id
    order by g.created_at desc, g.grant_id desc`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** CTE fragment: deletes the codes of a grant for the organization: a later exchange would issue a new family. */
export function deleteCodesWithin(sql: Sql, grantId: string, { userId, organizationId }: OrganizationReach): Fragment {
  return sql`
    delete from oauth_codes
    where grant_id = ${grantId} and user_id = ${userId} and organization_id = ${organizationId} returning code_hash`;
}

/** CTE fragment: ends the live token families of a grant in the organization. */
export function endFamiliesWithin(sql: Sql, grantId: string, reach: OrganizationReach, at: Date): Fragment {
  return sql`
    update oauth_token_families f set revoked_at = ${at}, revoked_reason = 'grant_revoked'
    where f.grant_id = ${grantId} and ${isWithin(sql, reach, at)}
    returning f.id, f.access_expires_at, f.organization_id, f.client_id`;
}

/** The bound sessions whose token families end: of a connection, a subject, or a session of the identity provider. */
export interface BoundFamilies {
  readonly connectionId: string;
  readonly organizationId: string;
  readonly subjectHash?: Buffer | undefined;
  readonly sessionIndex?: string | undefined;
}

/**
 * CTE fragment: ends at most `limit` live token families of bound sessions, offline families too. An offline family can
 * outlive the row of its session; without a session index, the identities of the connection lead to these families.
 */
export function endBoundFamilies(
  sql: Sql,
  { connectionId, organizationId, subjectHash, sessionIndex }: BoundFamilies,
  { reason, at, limit }: { readonly reason: string; readonly at: Date; readonly limit: number },
): Fragment {
  const [subject, index] = [subjectHash ?? null, sessionIndex ?? null];
  return sql`
    update oauth_token_families set revoked_at = ${at}, revoked_reason = ${reason}
    where id in (
      select f.id from oauth_token_families f
      where f.organization_id = ${organizationId} and f.auth_method = 'sso' and f.revoked_at is null
        and f.ends_at > ${at} and (
          f.session_id in (
            select s.id from sessions s where s.sso_connection_id = ${connectionId}
              and (${subject}::bytea is null or s.sso_subject_hash = ${subject})
              and (${index}::text is null or s.sso_session_index = ${index})
          )
          or ${index}::text is null and f.user_id in (
            select i.user_id from sso_identities i where i.connection_id = ${connectionId}
              and (${subject}::bytea is null or i.subject_hash = ${subject})
          )
        )
      limit ${limit} for update of f
    )
    returning id, access_expires_at, organization_id`;
}

export interface ClientOfOrganization {
  readonly organizationId: string;
  readonly clientId: string;
}

/** CTE fragment: ends at most `limit` live token families of members of an organization for a client. */
export function endFamiliesOfClientIn(
  sql: Sql,
  { organizationId, clientId }: ClientOfOrganization,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Fragment {
  return sql`
    update oauth_token_families set revoked_at = ${at}, revoked_reason = 'grant_revoked'
    where id in (
      select f.id from members m join oauth_token_families f on f.user_id = m.user_id
      where m.organization_id = ${organizationId} and f.organization_id = ${organizationId}
        and f.client_id = ${clientId} and f.revoked_at is null and f.ends_at > ${at}
      limit ${limit} for update of f
    )
    returning id, access_expires_at, organization_id, client_id`;
}

/** Deletes the codes of a client for an organization: a later exchange would issue a new family. */
export async function deleteCodesOfClientIn(
  sql: Sql,
  { organizationId, clientId }: ClientOfOrganization,
): Promise<void> {
  await sql`delete from oauth_codes where organization_id = ${organizationId} and client_id = ${clientId}`;
}
