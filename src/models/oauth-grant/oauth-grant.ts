import type { oauthGrants } from "../../../db/schema/oauth-provider.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import type { Cte } from "../../database/statement.ts";
import { type ClientIdentity, clientIdentity, clientLabel } from "../conditions/client-identity.ts";
import { isConsentCurrent } from "../conditions/current-consent.ts";
import { resourcesUnited, resourcesWithin } from "../conditions/resource-comparison.ts";
import { type SetUpPeriod, setUpWithin } from "../conditions/set-up-period.ts";

type OauthGrantRow = RowOf<typeof oauthGrants>;

/** The scopes and resources that a user allowed a client. */
export type Grant = Pick<OauthGrantRow, "id" | "scopes" | "resources">;

/** `data`: the data behind claim mappings that the page named. */
export type Consent = Pick<Grant, "scopes" | "resources"> & { readonly data: readonly string[] };

/** The scopes, resources and data of a grant to which the user consented on a page, for the present identity. */
export async function findConsent(sql: Sql, userId: string, clientId: string): Promise<Consent | undefined> {
  const [row] = await sql<Consent[]>`
    select consented_scopes as scopes, consented_resources as resources, consented_data as data
    from oauth_grants g
    where g.user_id = ${userId} and g.client_id = ${clientId}
      and ${isConsentCurrent(sql, sql`g.updated_at`, sql`g.client_id`)}`;
  return row;
}

export interface AllowedGrant extends Grant {
  readonly userId: string;
  readonly clientId: string;
  readonly at: Date;
  /** The data behind claim mappings that the scopes disclose. */
  readonly data: readonly string[];
  /** Whether the user consented on a page. A first-party client needs no consent. */
  readonly asked: boolean;
  /** Whether the identity provider of an organization allows the access. */
  readonly byOrganization?: boolean;
}

/** CTE fragment: inserts a grant, or extends the existing grant; for a row of `from` if given. */
export function allowGrant(sql: Sql, grant: AllowedGrant, from = sql``): Fragment {
  const [scopes, resources] = [[...grant.scopes], [...grant.resources]];
  const union = (column: string) =>
    sql`array(select distinct unnest(oauth_grants.${sql(column)} || excluded.${sql(column)}) order by 1)`;
  // A consent for an earlier identity of the client does not return by a later consent.
  const isCurrent = isConsentCurrent(sql, sql`oauth_grants.updated_at`, sql`excluded.client_id`);
  const unitedResources = (column: string) =>
    resourcesUnited(sql, sql`oauth_grants.${sql(column)}`, sql`excluded.${sql(column)}`);
  const consented = (column: string, united: Fragment) =>
    sql`case when ${isCurrent} then ${united} else excluded.${sql(column)} end`;
  return sql`
    insert into oauth_grants (id, user_id, client_id, scopes, resources, consented_scopes, consented_resources,
                              consented_data, by_organization, created_at, updated_at)
    select ${grant.id}::uuid, ${grant.userId}::uuid, ${grant.clientId}::uuid, ${scopes}::text[], ${resources}::text[],
           ${grant.asked ? scopes : []}::text[], ${grant.asked ? resources : []}::text[],
           ${grant.asked ? [...grant.data] : []}::text[],
           ${grant.byOrganization ?? false}::boolean, ${grant.at}::timestamptz, ${grant.at}::timestamptz ${from}
    on conflict (user_id, client_id) do update
      set scopes = ${union("scopes")}, resources = ${unitedResources("resources")},
          by_organization = oauth_grants.by_organization or excluded.by_organization,
          consented_scopes = ${consented("consented_scopes", union("consented_scopes"))},
          consented_resources = ${consented("consented_resources", unitedResources("consented_resources"))},
          consented_data = ${consented("consented_data", union("consented_data"))},
          updated_at = excluded.updated_at
    returning id`;
}

/**
 * CTE fragment: the existing grant, if the user consented to every requested scope and resource; for a row of `other`
 * if given. Locked: a grant that is being revoked does not count.
 */
export function coveringGrant(
  sql: Sql,
  { userId, clientId, scopes, resources, data }: Omit<AllowedGrant, "asked">,
  other = sql``,
): Fragment {
  return sql`
    select g.id from oauth_grants g ${other}
    where g.user_id = ${userId} and g.client_id = ${clientId} and g.consented_scopes @> ${[...scopes]}::text[]
      and ${resourcesWithin(sql, sql`${[...resources]}::text[]`, sql`g.consented_resources`)}
      and g.consented_data @> ${[...data]}::text[]
      and ${isConsentCurrent(sql, sql`g.updated_at`, sql`g.client_id`)}
    for key share of g`;
}

export interface NewCode {
  /** A value, or an SQL expression over a CTE of the statement. */
  readonly codeHash: Buffer | Fragment;
  readonly clientId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly organizationId: string;
  /** Null: the code of a device. */
  readonly redirectUri: string | null;
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly subject: string;
  /** The data behind claim mappings that the consent covers. */
  readonly data: readonly string[];
  /** The thumbprint of the only key for which the code gives tokens (RFC 9449, section 10); null: of no key. */
  readonly dpopJkt: string | null;
  readonly expiresAt: Date;
}

/**
 * CTE fragment: one row (credentials_epoch) if the session that authorizes a client is live, not older than
 * `signedInSince`, and still in the organization of the consent page. Locks user and session: a controlling proof, a
 * revocation and a change of the organization wait.
 */
export function lockAuthorizingSession(
  sql: Sql,
  { userId, sessionId, organizationId }: Pick<NewCode, "userId" | "sessionId" | "organizationId">,
  at: Date,
  signedInSince: Date,
): Fragment {
  return sql`
    select u.credentials_epoch from users u join sessions s on s.user_id = u.id
    where u.id = ${userId} and u.disabled_at is null and s.id = ${sessionId} and s.revoked_at is null
      and s.expires_at > ${at} and s.organization_id = ${organizationId} and s.auth_time >= ${signedInSince}
    for share of u, s`;
}

/**
 * CTE fragment: inserts a code of the grant that `granted` returned, at the credentials epoch of `acting`. `further`:
 * the CTE of an expression in `code`.
 */
export function insertCode(sql: Sql, code: NewCode, granted: Cte, acting: Cte, further = sql``): Fragment {
  return sql`
    insert into oauth_codes (code_hash, grant_id, client_id, user_id, session_id, organization_id, redirect_uri,
                             code_challenge, nonce, scopes, resources, subject, credentials_epoch, expires_at, dpop_jkt,
                             consented_data)
    select ${code.codeHash}::bytea, ${granted}.id, ${code.clientId}::uuid, ${code.userId}::uuid,
           ${code.sessionId}::uuid, ${code.organizationId}::uuid, ${code.redirectUri}::text,
           ${code.codeChallenge}::text, ${code.nonce}::text, ${[...code.scopes]}::text[],
           ${[...code.resources]}::text[], ${code.subject}, ${acting}.credentials_epoch,
           ${code.expiresAt}::timestamptz, ${code.dpopJkt}::text, ${[...code.data]}::text[]
    from ${granted}, ${acting}${further}
    returning code_hash`;
}

/** Deletes the codes of a client, which live for a minute and so are few. */
export async function deleteCodesOfClient(sql: Sql, clientId: string): Promise<void> {
  await sql`delete from oauth_codes where client_id = ${clientId}`;
}

/** Deletes the codes of a client for organizations beyond the given. */
export async function deleteCodesOutside(sql: Sql, clientId: string, organizations: readonly string[]): Promise<void> {
  await sql`
    delete from oauth_codes
    where client_id = ${clientId} and organization_id <> all(${[...organizations]}::uuid[])`;
}

/** Deletes a bounded batch of expired codes; returns how many. */
export const deleteExpiredCodes = deleteRowsBefore("oauth_codes", "expires_at");

/** An item of GET /v1/users/me/grants. */
export interface GrantItem extends Grant {
  readonly client: ClientIdentity;
  readonly redirectUris: readonly string[];
  /** Whether the identity provider of an organization allowed the access, and the user was never asked. */
  readonly byOrganization: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When tokens were last issued; null: never. */
  readonly lastUsedAt: Date | null;
}

/** An application with tokens of members of an organization. */
export interface OrganizationApplication {
  readonly client: ClientIdentity;
  /** Members with live tokens. */
  readonly users: number;
  readonly lastUsedAt: Date;
}

/**
 * A page of the applications with live tokens of members of an organization, most users first, and the total. Reads the
 * tokens of the first `membersMax` members, so that a large organization costs a bounded number of index reads.
 */
export async function listOrganizationApplications(
  sql: Sql,
  { organizationId, at, membersMax }: { organizationId: string; at: Date; membersMax: number },
  page: PageBounds,
): Promise<{ items: OrganizationApplication[]; total: number }> {
  const rows = await sql<(OrganizationApplication & { total: number })[]>`
    with first_members as (
      select user_id from members where organization_id = ${organizationId} order by user_id limit ${membersMax}
    ),
    used as (
      select f.client_id, count(distinct f.user_id)::int as users, max(f.rotated_at) as last_used_at
      from first_members m join oauth_token_families f on f.user_id = m.user_id
      where f.organization_id = ${organizationId} and f.revoked_at is null and f.expires_at > ${at}
      group by f.client_id
    )
    select count(*) over ()::int as total, ${clientIdentity(sql)} as client, u.users, u.last_used_at as "lastUsedAt"
    from used u join oauth_clients c on c.id = u.client_id
    order by u.users desc, c.id limit ${page.limit} offset ${page.offset}`;
  return { items: rows, total: rows[0]?.total ?? 0 };
}

/** A page of the grants of a user, newest first, and the total. */
export async function listGrants(
  sql: Sql,
  userId: string,
  page: PageBounds,
): Promise<{ items: GrantItem[]; total: number }> {
  const rows = await sql<(GrantItem & { total: number })[]>`
    with own as (select * from oauth_grants where user_id = ${userId})
    select counted.total, g.id, g.scopes, g.resources, g.created_at as "createdAt", g.updated_at as "updatedAt",
           ${clientIdentity(sql)} as client, c.redirect_uris as "redirectUris",
           g.by_organization and g.consented_scopes = '{}' as "byOrganization",
           (select max(f.rotated_at) from oauth_token_families f where f.grant_id = g.id) as "lastUsedAt"
    from (select count(*)::int as total from own) counted
    left join lateral (
      select * from own order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
    ) g on true
    left join oauth_clients c on c.id = g.client_id
    order by g.created_at desc, g.id desc`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** The client of a grant of the user. */
export async function findClientOfGrant(sql: Sql, id: string, userId: string): Promise<ClientIdentity | undefined> {
  const [row] = await sql<{ client: ClientIdentity }[]>`
    select ${clientIdentity(sql)} as client from oauth_grants g join oauth_clients c on c.id = g.client_id
    where g.id = ${id} and g.user_id = ${userId}`;
  return row?.client;
}

/** CTE fragment: revokes a grant, with the codes and the rows of the families. */
export function deleteGrant(sql: Sql, grantId: string, userId: string): Fragment {
  return sql`delete from oauth_grants where id = ${grantId} and user_id = ${userId} returning id, client_id`;
}

/**
 * CTE fragment: deletes the grants of a user with codes and families, in the period; returns id,
 * organization_id (null) and the label of the client.
 */
export function deleteGrantsOfUser(sql: Sql, userId: string, period: SetUpPeriod = {}): Fragment {
  return sql`
    delete from oauth_grants g using oauth_clients c
    where g.user_id = ${userId} and c.id = g.client_id
      and ${setUpWithin(sql, sql`g.created_at`, period)}
    returning g.id, null::uuid as organization_id, ${clientLabel(sql)} as name`;
}

/** At most `limit` grants of a client, in the order of their ids, after one of them. */
export async function grantIdsOfClient(sql: Sql, clientId: string, after: string, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from oauth_grants where client_id = ${clientId} and id > ${after} order by id limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Deletes grants, with their remaining codes and families. */
export async function deleteGrants(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`delete from oauth_grants where id = any(${[...ids]}::uuid[])`;
}
