/** Bound sessions of members, with the person behind the connection of each session. */
import type { Sql } from "../../database/database.ts";
import { grantColumns } from "../../database/member-grants.ts";
import { confirmedColumn, type HolderRow, joinPerson, personColumns } from "./channel-holder.ts";

export interface BoundSessionRow extends HolderRow {
  readonly sessionId: string;
  readonly userId: string;
  readonly memberRole: NonNullable<HolderRow["role"]>;
  readonly memberGranted: readonly string[];
}

/**
 * The live bound sessions of members, locked, newest first. Sessions by a connection whose activator is an owner are
 * left out, since an owner has every power; so are sessions by a link that the member made in person, unless the
 * identity provider vouched for the second factor.
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
      where s.organization_id = ${organizationId} and s.user_id = any(${[...userIds]}::uuid[]) and s.organization_bound
        and s.revoked_at is null and s.expires_at > ${since}
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
