import type { Lease } from "../../base/batches.ts";
import type { Sql } from "../../database/database.ts";
import type { ProviderAlgorithm } from "../../vocabulary/provider-algorithm.ts";

/** A logout token to send (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
export interface DueLogout {
  /** The `sid` of the client's tokens. */
  readonly familyId: string;
  readonly clientId: string;
  readonly subject: string;
  readonly uri: string | null;
  readonly algorithm: ProviderAlgorithm;
  /** Trace context of the request that ended the session, if there is a trace. */
  readonly traceparent: string | null;
  /** Attempts so far, including the present attempt. */
  readonly attempts: number;
}

/**
 * Leases due logout tokens to this replica until `leaseEnds`, client by client in turns; after the lease, any replica
 * finds the tokens again. A disabled client receives no request. The last condition is evaluated again on rows that a
 * concurrent replica has just leased.
 */
export async function leaseDueLogouts(
  sql: Sql,
  { at, leaseEnds, busy, turns, limit, batch }: Lease,
): Promise<DueLogout[]> {
  return await sql<DueLogout[]>`
    with due as materialized (
      select d.family_id
      from (
        select id from oauth_clients where id <> all(${[...busy]}::uuid[]) and disabled_at is null
        order by coalesce(array_position(${[...turns]}::uuid[], id), 0), id
      ) t
      cross join lateral (
        select family_id from oauth_logouts
        where client_id = t.id and next_attempt_at <= ${at} and expires_at > ${at}
        order by next_attempt_at limit ${batch}
      ) d
      limit ${limit}
    )
    update oauth_logouts l set next_attempt_at = ${leaseEnds}, attempts = l.attempts + 1
    from due, oauth_clients c
    where l.family_id = due.family_id and c.id = l.client_id and c.disabled_at is null and l.next_attempt_at <= ${at}
    returning l.family_id as "familyId", l.client_id as "clientId", l.subject, l.attempts, l.traceparent,
              c.backchannel_logout_uri as uri, c.id_token_signed_response_alg as algorithm`;
}

export async function deleteLogout(sql: Sql, familyId: string): Promise<void> {
  await sql`delete from oauth_logouts where family_id = ${familyId}`;
}

export async function postponeLogout(sql: Sql, familyId: string, until: Date): Promise<void> {
  await sql`update oauth_logouts set next_attempt_at = ${until} where family_id = ${familyId}`;
}

/** Deletes a bounded batch of logout tokens that were not delivered in time; returns how many. */
export async function deleteExpiredLogouts(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from oauth_logouts where family_id in (
      select family_id from oauth_logouts where expires_at < ${before} order by next_attempt_at limit ${batch}
      for update skip locked
    )`;
  return deleted.count;
}

/** Deletes at most `limit` logout tokens for a client; returns how many. */
export async function deleteLogoutsOfClient(sql: Sql, clientId: string, limit: number): Promise<number> {
  const deleted = await sql`
    delete from oauth_logouts where family_id in (
      select family_id from oauth_logouts where client_id = ${clientId} limit ${limit}
    )`;
  return deleted.count;
}
