/** Who a token family belongs to, whether it is live, and its end. */
import type { Fragment, Sql } from "../../base/database.ts";
import { mayAct } from "./token-family.ts";

/** What is known of a family without its tokens: enough to tell whether one of its access tokens is live. */
export interface FamilyOwner {
  readonly clientId: string;
  readonly userId: string;
  readonly organizationId: string;
  /** Null: the family is offline and does not end with it. */
  readonly sessionId: string | null;
  /** As it was read. */
  readonly live: boolean;
}

export async function findFamilyOwner(sql: Sql, familyId: string, at: Date): Promise<FamilyOwner | undefined> {
  const [row] = await sql<FamilyOwner[]>`
    select f.client_id as "clientId", f.user_id as "userId", f.organization_id as "organizationId",
           case when f.offline then null else f.session_id end as "sessionId",
           exists (select 1 from users u, organizations o, members m, oauth_clients c where ${mayAct(sql, at)}) as live
    from oauth_token_families f where f.id = ${familyId}`;
  return row;
}

/** The session that a family came of, live or not: for an id_token_hint. */
export async function findSessionOfFamily(
  sql: Sql,
  familyId: string,
): Promise<{ readonly sessionId: string } | undefined> {
  const [row] = await sql<{ sessionId: string }[]>`
    select session_id as "sessionId" from oauth_token_families where id = ${familyId}`;
  return row;
}

/** CTE fragment: ends one family if it is live, of this client if one is given. */
export function endFamily(sql: Sql, familyId: string, reason: string, at: Date): Fragment {
  return sql`
    update oauth_token_families set revoked_at = ${at}, revoked_reason = ${reason}
    where id = ${familyId} and revoked_at is null
    returning id, access_expires_at, organization_id`;
}

/** CTE fragment: ends the live families of a grant of this user. */
export function endFamiliesOfGrant(sql: Sql, grantId: string, userId: string, at: Date): Fragment {
  return sql`
    update oauth_token_families set revoked_at = ${at}, revoked_reason = 'grant_revoked'
    where grant_id = ${grantId} and user_id = ${userId} and revoked_at is null
    returning id, access_expires_at, organization_id`;
}

/** CTE fragment: ends at most `limit` live families of a client. */
export function endFamiliesOfClient(sql: Sql, clientId: string, at: Date, limit: number): Fragment {
  return sql`
    update oauth_token_families set revoked_at = ${at}, revoked_reason = 'client_ended'
    where id in (
      select f.id from oauth_token_families f join oauth_grants g on g.id = f.grant_id
      where g.client_id = ${clientId} and f.revoked_at is null limit ${limit} for update of f
    )
    returning id, access_expires_at, organization_id`;
}

/** Deletes at most `batch` families that ended before `before`; returns how many. */
export async function deleteEndedFamilies(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from oauth_token_families where id in (
      select id from oauth_token_families where ends_at < ${before} order by ends_at limit ${batch}
      for update skip locked
    )`;
  return deleted.count;
}

/** Queues the logout tokens of at most `batch` sessions that expired before `before`; returns how many. */
export async function queueExpiredLogouts(sql: Sql, before: Date, batch: number): Promise<number> {
  const rows = await sql`
    select queue_client_logouts(expired.id, ${before}) from (
      select distinct s.id from sessions s join oauth_token_families f on f.session_id = s.id
      where f.logged_out_at is null and s.expires_at < ${before} limit ${batch}
    ) expired`;
  return rows.length;
}
