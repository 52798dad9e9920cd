/** Token families of applications from bound sessions of members, with the person behind each connection. */
import type { Fragment, Sql } from "../../database/database.ts";
import { grantColumns } from "../conditions/member-grants.ts";
import { type BoundSessionRow, concernedUsers } from "./bound-session.ts";
import { confirmedColumn, joinPerson, personColumns } from "./channel-holder.ts";

export interface BoundFamilyRow extends Omit<BoundSessionRow, "sessionId"> {
  readonly familyId: string;
}

/**
 * The live token families from bound sessions of `concernedUsers`, locked, with each connection that may have begun the
 * session: an offline family outlives the row of its session, and the identities of the member lead to the connections
 * then. Left out, as for sessions: connections of an owner, and links that the member made in person, unless the
 * identity provider may have vouched for the second factor.
 */
export async function lockBoundFamilies(
  sql: Sql,
  { organizationId, userIds, at }: { organizationId: string; userIds: readonly string[]; at: Date },
): Promise<BoundFamilyRow[]> {
  return await sql<BoundFamilyRow[]>`
    with live as (
      select f.id, f.user_id, f.session_id, f.aal from oauth_token_families f
      where f.user_id in (${concernedUsers(sql, organizationId, userIds)}) and f.organization_id = ${organizationId}
        and f.auth_method = 'sso' and f.revoked_at is null and f.ends_at > ${at}
      order by f.id for update of f
    )
    select l.id as "familyId", l.user_id as "userId", um.role as "memberRole", power.granted as "memberGranted",
           c.id, c.name, ${personColumns(sql, organizationId)}, ${confirmedColumn(sql)}
    from live l
    left join sessions s on s.id = l.session_id
    join sso_identities i on i.user_id = l.user_id
      and (s.sso_connection_id is null or i.connection_id = s.sso_connection_id)
    join sso_connections c on c.id = i.connection_id and c.organization_id = ${organizationId}
    join members um on um.organization_id = ${organizationId} and um.user_id = l.user_id
    cross join lateral (select ${grantColumns(sql, sql`um.organization_id`, sql`um.user_id`)}) power
    ${joinPerson(sql, organizationId, sql`c.activated_by`)}
    where pm.role is distinct from 'owner'
      and (i.linked_by <> 'user' or l.aal = 'aal2' and s.own_factor_at is null)`;
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
