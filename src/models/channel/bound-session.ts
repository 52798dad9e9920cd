/** Bound sessions of members, and the people behind the connections that sign these members in. */
import type { Fragment, Sql } from "../../database/database.ts";
import { grantColumns } from "../conditions/member-grants.ts";
import { confirmedColumn, type HolderRow, joinPerson, personColumns, type StoredPower } from "./channel-holder.ts";

/** A connection that signs a member in, with the person behind the connection. `id` is the id of the connection. */
export interface ConnectionReach extends HolderRow {
  readonly userId: string;
  readonly memberRole: NonNullable<HolderRow["role"]>;
  readonly memberGranted: readonly string[];
  /** The power of the member at the departure of the person; null: none, or no departure. */
  readonly memberKept: StoredPower | null;
}

/** Members without a permission are above no connection. `p`: the membership. */
function hasPower(sql: Sql): Fragment {
  return sql`(p.role <> 'member' or exists (
    select 1 from member_roles h where h.organization_id = p.organization_id and h.user_id = p.user_id
  ))`;
}

/** At most `limit` members with permissions above an id, in ascending order. */
export async function listPowerfulMembers(
  sql: Sql,
  organizationId: string,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    select p.user_id as "userId" from members p
    where p.organization_id = ${organizationId} and p.user_id > ${afterId} and ${hasPower(sql)}
    order by p.user_id limit ${limit}`;
  return rows.map(({ userId }) => userId);
}

/** A member with permissions. */
export interface PowerfulMember extends StoredPower {
  readonly userId: string;
  /** Display name or address. */
  readonly name: string;
}

/** At most `limit` members with permissions and their names: owners first, then admins. */
export async function listPowerOfMembers(sql: Sql, organizationId: string, limit: number): Promise<PowerfulMember[]> {
  return await sql<PowerfulMember[]>`
    select p.user_id as "userId", coalesce(u.display_name, u.email) as name, p.role,
           ${grantColumns(sql, sql`${organizationId}::uuid`, sql`u.id`)}
    from members p join users u on u.id = p.user_id
    where p.organization_id = ${organizationId} and ${hasPower(sql)}
    order by p.role = 'member', p.role = 'admin', name, p.user_id limit ${limit}`;
}

/**
 * At most `limit` members with permissions: of the given members first, then members whom connections of the given
 * members sign in.
 */
export async function listConcernedMembers(
  sql: Sql,
  organizationId: string,
  userIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const ids = sql`${[...userIds]}::uuid[]`;
  const rows = await sql<{ userId: string }[]>`
    select p.user_id as "userId" from members p
    where p.organization_id = ${organizationId} and ${hasPower(sql)}
      and (p.user_id = any(${ids}) or p.user_id in (
        select i.user_id from sso_connections c join sso_identities i on i.connection_id = c.id
        where c.organization_id = ${organizationId} and c.activated_by = any(${ids})
      ))
    order by p.user_id = any(${ids}) desc, p.user_id limit ${limit}`;
  return rows.map(({ userId }) => userId);
}

/** A connection `c` that an owner activated who is an owner now. */
function isOwners(sql: Sql): Fragment {
  return sql`(coalesce(pm.role, '') = 'owner' and coalesce(c.set_up_power ->> 'role', 'owner') = 'owner')`;
}

/** Whether an active connection has an activator who is no owner now, or was none at the activation. */
export async function hasWeakerActivator(sql: Sql, organizationId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from sso_connections c ${joinPerson(sql, organizationId, sql`c.activated_by`)}
    where c.organization_id = ${organizationId} and c.status = 'active' and not ${isOwners(sql)} limit 1`;
  return rows.length > 0;
}

/**
 * The connections that sign members in, or have signed live bound sessions in, each with the member and the person
 * behind the connection. Left out: connections of an owner, with every power. Locks no row: sessions are locked
 * after the comparison of the powers alone.
 */
export async function listReaches(
  sql: Sql,
  organizationId: string,
  { userIds, since }: { readonly userIds: readonly string[]; readonly since: Date },
): Promise<ConnectionReach[]> {
  const ids = sql`${[...userIds]}::uuid[]`;
  return await sql<ConnectionReach[]>`
    with reach as (
      select i.connection_id, i.user_id from sso_identities i where i.user_id = any(${ids})
      union
      select s.sso_connection_id, s.user_id from sessions s
      where s.user_id = any(${ids}) and s.organization_id = ${organizationId} and s.organization_bound
        and s.revoked_at is null and s.expires_at > ${since}
    )
    select r.user_id as "userId", um.role as "memberRole", power.granted as "memberGranted",
           k.kept_power as "memberKept",
           c.id, c.name, ${personColumns(sql, organizationId, sql`c.set_up_power`)}, ${confirmedColumn(sql)}
    from reach r
    join sso_connections c on c.id = r.connection_id and c.organization_id = ${organizationId}
    join members um on um.organization_id = ${organizationId} and um.user_id = r.user_id
    left join sso_identities k on k.connection_id = r.connection_id and k.user_id = r.user_id
    cross join lateral (select ${grantColumns(sql, sql`um.organization_id`, sql`um.user_id`)}) power
    ${joinPerson(sql, organizationId, sql`c.activated_by`)}
    where not ${isOwners(sql)}`;
}

/** Pairs of a connection and a member, whose sessions or token families end. */
export interface ReachEnd {
  readonly organizationId: string;
  readonly reaches: readonly Pick<ConnectionReach, "id" | "userId">[];
  readonly limit: number;
}

/** The aliased rows `reach (connection_id, user_id)`. */
export function reachRows(sql: Sql, { reaches }: Pick<ReachEnd, "reaches">): Fragment {
  const [connectionIds, userIds] = [reaches.map(({ id }) => id), reaches.map(({ userId }) => userId)];
  return sql`unnest(${connectionIds}::uuid[], ${userIds}::uuid[]) reach (connection_id, user_id)`;
}

/**
 * At most `limit` live bound sessions of members by the given connections, locked, newest first. Left out: sessions by
 * a link that the member made in person, unless the identity provider vouched for the second factor.
 */
export async function lockReachedSessions(sql: Sql, end: ReachEnd, since: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select s.id from ${reachRows(sql, end)}
    join sessions s on s.user_id = reach.user_id and s.sso_connection_id = reach.connection_id
    left join sso_identities i
      on i.connection_id = s.sso_connection_id and i.subject_hash = s.sso_subject_hash and i.linked_by = 'user'
    where s.organization_id = ${end.organizationId} and s.organization_bound
      and s.revoked_at is null and s.expires_at > ${since}
      and (i.id is null or s.aal = 'aal2' and s.own_factor_at is null)
    order by s.id desc limit ${end.limit} for update of s`;
  return rows.map(({ id }) => id);
}
