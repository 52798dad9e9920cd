import type { members } from "../../../db/schema/members.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { likePattern, type PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import {
  hasPermission,
  isAtLeast,
  MEMBER_ROLES,
  type MemberPower,
  type MemberRole,
} from "../../vocabulary/member-power.ts";
import type { Permission } from "../../vocabulary/permissions.ts";
import {
  type AssignedRole,
  assignedRolesColumn,
  grantColumns,
  type MemberGrants,
} from "../conditions/member-grants.ts";

type MemberRow = RowOf<typeof members>;

/** An item of GET /v1/orgs/:org_id/members (docs/contract.md, section 4.9). */
export interface Member extends Pick<MemberRow, "userId" | "role" | "joinedAt"> {
  readonly email: string;
  readonly displayName: string | null;
  readonly avatarHash: string | null;
  readonly mfaEnabled: boolean;
  /** The account of the user is disabled, in every organization. */
  readonly disabled: boolean;
  /** From the identity provider of the organization; null: no attributes. */
  readonly attributes: Readonly<Record<string, string>> | null;
  /** Additional roles. */
  readonly roles: readonly AssignedRole[];
  /** False: the directory of the organization has deactivated the membership. */
  readonly active: boolean;
}

function columns(sql: Sql, organizationId: string): Fragment {
  return sql`
    m.user_id as "userId", u.email, u.display_name as "displayName", u.avatar_hash as "avatarHash", m.role,
    exists (select 1 from totp_factors t where t.user_id = u.id and t.confirmed_at is not null) as "mfaEnabled",
    u.disabled_at is not null as disabled, m.joined_at as "joinedAt", m.attributes, m.active,
    ${assignedRolesColumn(sql, organizationId, sql`m.user_id`)}`;
}

/** The memberships of an organization, the alias `m`, with the memberships that a directory deactivated on request. */
function memberships(sql: Sql, organizationId: string, withDeactivated: boolean): Fragment {
  return sql`(
    select user_id, role, joined_at, attributes, true as active from members where organization_id = ${organizationId}
    union all
    select r.user_id, r.former_role, r.former_joined_at, null, false
    from directories d join directory_users r on r.directory_id = d.id
    where d.organization_id = ${organizationId} and ${withDeactivated}::boolean
      and not r.active and r.former_role is not null and r.user_id is not null
      and not exists (
        select 1 from members e where e.organization_id = d.organization_id and e.user_id = r.user_id
      )
  ) m`;
}

/** A page of members, longest membership first, and the total. */
export async function listMembers(
  sql: Sql,
  organizationId: string,
  { q, withDeactivated = false }: { readonly q: string | undefined; readonly withDeactivated?: boolean },
  page: PageBounds,
): Promise<{ items: Member[]; total: number }> {
  const listed = memberships(sql, organizationId, withDeactivated);
  const matches = q ? sql`and lower(u.email || ' ' || coalesce(u.display_name, '')) like ${likePattern(q)}` : sql``;
  const [counted, items] = await Promise.all([
    sql<{ total: number }[]>`
      select count(*)::int as total from ${listed} join users u on u.id = m.user_id where true ${matches}`,
    sql<Member[]>`
      select ${columns(sql, organizationId)} from ${listed} join users u on u.id = m.user_id where true ${matches}
      order by m.joined_at, m.user_id limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total: counted[0]?.total ?? 0 };
}

/** Members after a user id, in the order of ids: one more than `limit`, if there are more; and the total. */
export async function listMembersAfter(
  sql: Sql,
  organizationId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<{ items: Member[]; total: number }> {
  const listed = memberships(sql, organizationId, false);
  const [counted, items] = await Promise.all([
    sql<{ total: number }[]>`
      select count(*)::int as total from members where organization_id = ${organizationId}`,
    sql<Member[]>`
      select ${columns(sql, organizationId)} from ${listed} join users u on u.id = m.user_id
      where ${after}::uuid is null or m.user_id > ${after}
      order by m.user_id limit ${limit + 1}`,
  ]);
  return { items, total: counted[0]?.total ?? 0 };
}

export async function findMember(sql: Sql, organizationId: string, userId: string): Promise<Member | undefined> {
  const [row] = await sql<Member[]>`
    select ${columns(sql, organizationId)}
    from ${memberships(sql, organizationId, false)} join users u on u.id = m.user_id
    where m.user_id = ${userId}`;
  return row;
}

/**
 * The owners of an organization without a pending deletion. All owners are locked by ascending user id, so that no
 * owner is demoted or removed or leaves meanwhile.
 */
export async function lockOwners(sql: Sql, organizationId: string): Promise<string[]> {
  await sql`
    select user_id from members where organization_id = ${organizationId} and role = 'owner'
    order by user_id for no key update`;
  const rows = await sql<{ userId: string }[]>`
    select m.user_id as "userId" from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.role = 'owner' and u.deletion_at is null`;
  return rows.map(({ userId }) => userId);
}

/**
 * Locks memberships by ascending user id, so that two members who change each other wait in one order. Callers with
 * owners among the members lock the owners first (`lockOwners`).
 */
export async function lockMemberships(sql: Sql, organizationId: string, userIds: readonly string[]): Promise<void> {
  await sql`
    select 1 from members where organization_id = ${organizationId} and user_id = any(${[...userIds]}::uuid[])
    order by user_id for no key update`;
}

/** At most `limit` ids of members above an id, in ascending order. */
export async function listMemberIdsAfter(
  sql: Sql,
  organizationId: string,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    select user_id as "userId" from members where organization_id = ${organizationId} and user_id > ${afterId}
    order by user_id limit ${limit}`;
  return rows.map(({ userId }) => userId);
}

/** The current built-in role of a member, locked. */
export async function lockMembership(
  sql: Sql,
  organizationId: string,
  userId: string,
): Promise<MemberRole | undefined> {
  const [row] = await sql<{ role: MemberRole }[]>`
    select role from members where organization_id = ${organizationId} and user_id = ${userId} for no key update`;
  return row?.role;
}

/** Whether a user is an owner with an account that is neither disabled nor about to be deleted. */
export async function isActiveOwner(sql: Sql, organizationId: string, userId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${userId} and m.role = 'owner'
      and u.disabled_at is null`;
  return rows.length > 0;
}

/** The power of a member. Read in a statement after the locks, so that the snapshot has every committed change. */
export async function findPower(
  sql: Sql,
  organizationId: string,
  userId: string,
): Promise<(MemberPower & MemberGrants) | undefined> {
  const [row] = await sql<(MemberPower & MemberGrants)[]>`
    select m.role, ${grantColumns(sql)} from members m
    where m.organization_id = ${organizationId} and m.user_id = ${userId}`;
  return row;
}

/** The powers of members, as `findPower`. */
export async function listPowers(
  sql: Sql,
  organizationId: string,
  userIds: readonly string[],
): Promise<(MemberPower & { readonly userId: string })[]> {
  return await sql<(MemberPower & { userId: string })[]>`
    select m.user_id as "userId", m.role, ${grantColumns(sql)} from members m
    where m.organization_id = ${organizationId} and m.user_id = any(${[...userIds]}::uuid[]) order by m.user_id`;
}

/**
 * CTE fragment: the subset of `userIds` (`user_id`) who may grant `role` now, as members or as administrators of the
 * platform, locked until the transaction ends. The locks wait for concurrent removals, demotions and suspensions and
 * block new changes. Deadlocks are avoided by order: owners first, as in `lockOwners`, and memberships before
 * invitations everywhere.
 */
export function lockGrantors(sql: Sql, organizationId: string, userIds: readonly string[], role: MemberRole): Fragment {
  const roles = MEMBER_ROLES.filter((each) => isAtLeast(each, role));
  const inviting = MEMBER_ROLES.filter((each) => hasPermission(each, "members.invite"));
  return sql`
    with by_membership as (
      select m.user_id
      from members m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
      where m.organization_id = ${organizationId} and m.user_id = any(${[...userIds]}::uuid[])
        and m.role = any(${roles}::text[]) and (m.role = any(${inviting}::text[]) or ${invitesByRole(sql)})
        and u.disabled_at is null and o.suspended_at is null
      order by (m.role = 'owner') desc, m.user_id
      for share of m, u for key share of o
    ),
    by_platform as (
      select u.id as user_id from users u join organizations o on o.id = ${organizationId}
      where u.id = any(${[...userIds]}::uuid[]) and u.platform_role in ('admin', 'owner')
        and u.disabled_at is null and o.suspended_at is null
      order by u.id
      for share of u for key share of o
    )
    select user_id from by_membership union select user_id from by_platform`;
}

/**
 * CTE fragment: the sender of an invitation (`user_id`), locked, if the sender may still grant the role (G36).
 * `invitedBy` null: the organization, unless suspended; `user_id` is null.
 */
export function lockInviter(sql: Sql, organizationId: string, invitedBy: string | null, role: MemberRole): Fragment {
  if (invitedBy !== null) return lockGrantors(sql, organizationId, [invitedBy], role);
  return sql`
    select null::uuid as user_id from organizations
    where id = ${organizationId} and suspended_at is null for key share`;
}

/** Whether the membership `m` has `members.invite` by an additional role. */
function invitesByRole(sql: Sql): Fragment {
  return sql`exists (
    select 1 from member_roles h join organization_roles r on r.id = h.role_id
    where h.organization_id = m.organization_id and h.user_id = m.user_id
      and ${INVITE}::text = any(r.permissions)
  )`;
}

const INVITE: Permission = "members.invite";

/** CTE fragment: updates the role of a member; one row (user_id). */
export function updateMemberRole(sql: Sql, organizationId: string, userId: string, role: MemberRole): Fragment {
  return sql`
    update members set role = ${role} where organization_id = ${organizationId} and user_id = ${userId}
    returning user_id`;
}

export async function deleteMember(sql: Sql, organizationId: string, userId: string): Promise<void> {
  await sql`delete from members where organization_id = ${organizationId} and user_id = ${userId}`;
}
