/** Token families of applications from bound sessions of members. */
import type { Fragment, Sql } from "../../database/database.ts";
import { type ReachEnd, reachRows } from "./bound-session.ts";

/**
 * At most `limit` live token families from bound sessions of members by the given connections, locked. An offline
 * family outlives the row of its session, and the identities of the member lead to the connections then. Left out, as
 * for sessions: links that the member made in person, unless the identity provider may have vouched for the second
 * factor.
 */
export async function lockReachedFamilies(sql: Sql, end: ReachEnd, at: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select f.id from oauth_token_families f left join sessions s on s.id = f.session_id
    where f.organization_id = ${end.organizationId} and f.auth_method = 'sso'
      and f.revoked_at is null and f.ends_at > ${at}
      and f.user_id = any(${[...new Set(end.reaches.map(({ userId }) => userId))]}::uuid[])
      and exists (
        select 1 from ${reachRows(sql, end)}
        join sso_identities i on i.connection_id = reach.connection_id and i.user_id = reach.user_id
        where reach.user_id = f.user_id
          and (s.sso_connection_id is null or s.sso_connection_id = reach.connection_id)
          and (i.linked_by <> 'user' or f.aal = 'aal2' and s.own_factor_at is null)
      )
    order by f.id limit ${end.limit} for update of f`;
  return rows.map(({ id }) => id);
}

/** CTE fragment: ends locked token families. */
export function endLockedFamilies(
  sql: Sql,
  familyIds: readonly string[],
  { reason, at }: { readonly reason: string; readonly at: Date },
): Fragment {
  return sql`
    update oauth_token_families set revoked_at = ${at}, revoked_reason = ${reason}
    where id = any(${[...familyIds]}::uuid[])
    returning id, access_expires_at, organization_id`;
}
