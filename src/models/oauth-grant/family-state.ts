/** Owner, state and end of a token family. */

import type { oauthTokenFamilies } from "../../../db/schema/oauth-provider.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import { admitsFamily, familyAccess } from "../conditions/organization-access.ts";
import { accessMayBeValid, isNamedFamily, mayAct } from "./token-family.ts";

type TokenFamilyRow = RowOf<typeof oauthTokenFamilies>;

/** The state of a family without tokens: enough to decide whether an access token of the family is live. */
export interface FamilyOwner
  extends Pick<TokenFamilyRow, "clientId" | "userId" | "organizationId" | "authMethod" | "aal" | "consentedData"> {
  /** Null: the family is offline and does not end with a session. */
  readonly sessionId: string | null;
  /** The email address of the user, as it was read. */
  readonly email: string;
  /** As it was read. */
  readonly live: boolean;
  /** Milliseconds: the rules of the organization admit the family until then as read. Null: no end. */
  readonly accessUntil: number | null;
  /** The revision of the rules of the organization, as it was read: later rules make the values stale. */
  readonly rulesRevision: number;
}

export async function findFamilyOwner(sql: Sql, familyId: string, at: Date): Promise<FamilyOwner | undefined> {
  const [row] = await sql<(Omit<FamilyOwner, "accessUntil"> & { readonly accessUntil: Date | null })[]>`
    select f.client_id as "clientId", f.user_id as "userId", f.organization_id as "organizationId",
           f.auth_method as "authMethod", f.aal, f.consented_data as "consentedData",
           nullif(greatest(least(access.access_until, access.changes_at), 'epoch'), 'infinity') as "accessUntil",
           coalesce((select p.revision from sso_policies p where p.organization_id = f.organization_id), 0)
             + coalesce((select p.revision from organization_policies p where p.organization_id = f.organization_id), 0)
             as "rulesRevision",
           case when f.offline then null else f.session_id end as "sessionId", account.email,
           exists (select 1 from users u, organizations o, members m, oauth_clients c where ${mayAct(sql, at)}) as live
    from oauth_token_families f join users account on account.id = f.user_id
    cross join lateral ${familyAccess(sql, at)} access
    where f.id = ${familyId}`;
  return row && { ...row, accessUntil: row.accessUntil?.getTime() ?? null };
}

/** The session from which a family was issued, live or ended: for an id_token_hint. */
export async function findSessionOfFamily(
  sql: Sql,
  familyId: string,
): Promise<{ readonly sessionId: string } | undefined> {
  const [row] = await sql<{ sessionId: string }[]>`
    select f.session_id as "sessionId" from oauth_token_families f where ${isNamedFamily(sql, familyId)}`;
  return row;
}

/** CTE fragment: ends the live families among the given families. `which`: a condition. */
function endLive(sql: Sql, which: Fragment, reason: string, at: Date): Fragment {
  return sql`
    update oauth_token_families set revoked_at = ${at}, revoked_reason = ${reason}
    where ${which} and revoked_at is null
    returning id, access_expires_at, organization_id`;
}

/** CTE fragment: ends one live family. */
export function endFamily(sql: Sql, familyId: string, reason: string, at: Date): Fragment {
  return endLive(sql, sql`id = ${familyId}`, reason, at);
}

/** CTE fragment: ends the live families of a user, offline families too. */
export function endFamiliesOfUser(sql: Sql, userId: string, reason: string, at: Date): Fragment {
  return endLive(sql, sql`user_id = ${userId} and ends_at > ${at}`, reason, at);
}

/** CTE fragment: ends the live families of a member in an organization, offline families too. */
export function endFamiliesOfMember(
  sql: Sql,
  organizationId: string,
  userId: string,
  reason: string,
  at: Date,
): Fragment {
  return endLive(sql, sql`user_id = ${userId} and organization_id = ${organizationId} and ends_at > ${at}`, reason, at);
}

/** CTE fragment: ends the live families of a grant of this user. */
export function endFamiliesOfGrant(sql: Sql, grantId: string, userId: string, at: Date): Fragment {
  return endLive(sql, sql`grant_id = ${grantId} and user_id = ${userId}`, "grant_revoked", at);
}

/** The live families of a client to end: all, or the families whose access token may still be valid. */
export type FamiliesToEnd = "all" | "with_access";

/** CTE fragment: ends at most `limit` live families of these grants of a client. */
export function endFamiliesOfClient(
  sql: Sql,
  {
    grantIds,
    which,
    at,
    limit,
  }: {
    readonly grantIds: readonly string[];
    readonly which: FamiliesToEnd;
    readonly at: Date;
    readonly limit: number;
  },
): Fragment {
  const some = sql`
    select id from oauth_token_families where grant_id = any(${[...grantIds]}::uuid[]) and revoked_at is null
      ${which === "all" ? sql`` : sql`and ${accessMayBeValid(sql, at)}`}
    limit ${limit} for update`;
  return endLive(sql, sql`id in (${some})`, "client_ended", at);
}

/** CTE fragment: ends at most `limit` live families of these grants of a client, of organizations beyond the given. */
export function endFamiliesOutside(
  sql: Sql,
  {
    grantIds,
    organizations,
    at,
    limit,
  }: {
    readonly grantIds: readonly string[];
    readonly organizations: readonly string[];
    readonly at: Date;
    readonly limit: number;
  },
): Fragment {
  const some = sql`
    select id from oauth_token_families where grant_id = any(${[...grantIds]}::uuid[]) and revoked_at is null
      and organization_id <> all(${[...organizations]}::uuid[])
    limit ${limit} for update`;
  return endLive(sql, sql`id in (${some})`, "organization_excluded", at);
}

/** Deletes at most `limit` families of these grants, ended or not; returns how many. */
export async function deleteFamiliesOfGrants(sql: Sql, grantIds: readonly string[], limit: number): Promise<number> {
  const deleted = await sql`
    delete from oauth_token_families where id in (
      select id from oauth_token_families where grant_id = any(${[...grantIds]}::uuid[]) limit ${limit}
    )`;
  return deleted.count;
}

/**
 * CTE fragment: ends at most `limit` live families of an organization, except offline families. The members of the
 * organization lead to the families: a removal ends the families of the member.
 */
export function endFamiliesOfOrganization(sql: Sql, organizationId: string, at: Date, limit: number): Fragment {
  const some = sql`
    select f.id from members m join oauth_token_families f on f.user_id = m.user_id
    where m.organization_id = ${organizationId} and f.organization_id = m.organization_id and not f.offline
      and f.revoked_at is null and f.ends_at > ${at}
    limit ${limit} for update of f`;
  return endLive(sql, sql`id in (${some})`, "organization_suspended", at);
}

export interface FamiliesWithoutAccess {
  /** A page of members: a statement judges the families of these users alone. */
  readonly userIds: readonly string[];
  readonly reason: string;
  readonly at: Date;
  readonly limit: number;
}

/**
 * CTE fragment: ends at most `limit` live families of members, offline families too, to which the rules of an
 * organization no longer give access.
 */
export function endFamiliesWithoutAccess(
  sql: Sql,
  organizationId: string,
  { userIds, reason, at, limit }: FamiliesWithoutAccess,
): Fragment {
  const some = sql`
    select f.id from oauth_token_families f
    where f.user_id = any(${[...userIds]}::uuid[]) and f.organization_id = ${organizationId} and f.revoked_at is null
      and f.ends_at > ${at} and not (${admitsFamily(sql, at)})
    limit ${limit} for update of f skip locked`;
  return endLive(sql, sql`id in (${some})`, reason, at);
}

/** Deletes at most `batch` families that ended before `before`; returns how many. */
export const deleteEndedFamilies = deleteRowsBefore("oauth_token_families", "ends_at");

/** Queues the logout tokens of at most `batch` sessions that expired before `before`; returns how many. */
export async function queueExpiredLogouts(sql: Sql, before: Date, batch: number): Promise<number> {
  const rows = await sql`
    select queue_client_logouts(expired.id, ${before}) from (
      select distinct s.id from sessions s join oauth_token_families f on f.session_id = s.id
      where f.logged_out_at is null and s.expires_at < ${before} limit ${batch}
    ) expired`;
  return rows.length;
}
