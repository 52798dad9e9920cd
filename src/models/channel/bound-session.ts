/** Bound sessions of members, with the person behind the connection of each session. */
import type { Fragment, Sql } from "../../database/database.ts";
import { grantColumns } from "../conditions/member-grants.ts";
import { confirmedColumn, type HolderRow, joinPerson, personColumns } from "./channel-holder.ts";

export interface BoundSessionRow extends HolderRow {
  readonly sessionId: string;
  readonly userId: string;
  readonly memberRole: NonNullable<HolderRow["role"]>;
  readonly memberGranted: readonly string[];
}

/** The given members, and the members with permissions whom connections of the given members may sign in. */
export function concernedUsers(sql: Sql, organizationId: string, userIds: readonly string[]): Fragment {
  const ids = sql`${[...userIds]}::uuid[]`;
  return sql`
    select unnest(${ids}) union
    select i.user_id from sso_connections a join sso_identities i on i.connection_id = a.id
    join members p on p.organization_id = a.organization_id and p.user_id = i.user_id
    where a.organization_id = ${organizationId} and a.activated_by = any(${ids}) and (p.role <> 'member' or exists (
      select 1 from member_roles h where h.organization_id = p.organization_id and h.user_id = p.user_id
    ))`;
}

/**
 * The live bound sessions of `concernedUsers`, locked, newest first. Sessions by a connection whose activator is an
 * owner are left out, since an owner has every power; so are sessions by a link that the member made in person, unless
 * the identity provider vouched for the second factor.
 */
export async function lockBoundSessions(
  sql: Sql,
  organizationId: string,
  userIds: readonly string[],
  since: Date,
): Promise<BoundSessionRow[]> {
  return await sql<BoundSessionRow[]>`
    with bound as (
      select s.id, s.user_id, s.sso_connection_id from sessions s
      left join sso_identities i
        on i.connection_id = s.sso_connection_id and i.subject_hash = s.sso_subject_hash and i.linked_by = 'user'
      where s.organization_id = ${organizationId} and s.organization_bound
        and s.revoked_at is null and s.expires_at > ${since}
        and s.user_id in (${concernedUsers(sql, organizationId, userIds)})
        and (i.id is null or s.aal = 'aal2' and s.own_factor_at is null)
      order by s.id desc for update of s
    )
    select b.id as "sessionId", b.user_id as "userId", um.role as "memberRole", power.granted as "memberGranted",
           c.id, c.name, ${personColumns(sql, organizationId)}, ${confirmedColumn(sql)}
    from bound b
    join members um on um.organization_id = ${organizationId} and um.user_id = b.user_id
    cross join lateral (select ${grantColumns(sql, sql`um.organization_id`, sql`um.user_id`)}) power
    join sso_connections c on c.id = b.sso_connection_id
    ${joinPerson(sql, organizationId, sql`c.activated_by`)}
    where pm.role is distinct from 'owner'
    order by b.id desc`;
}
