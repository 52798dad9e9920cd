/** Memberships and accounts that a directory creates, ends and changes. */
import type { Fragment, Sql } from "../../database/database.ts";
import type { DirectoryRole } from "../../vocabulary/directory-settings.ts";

type Role = "owner" | "admin" | "member";

/** The user of an address, with the membership in the organization. */
export interface AddressedUser {
  readonly userId: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly isMailboxOwner: boolean;
  readonly role: Role | null;
}

/** The user of an address, primary or verified; the user's row is locked. */
export async function lockAddressedUser(
  sql: Sql,
  organizationId: string,
  who: { readonly email: string } | { readonly userId: string },
): Promise<AddressedUser | undefined> {
  const isWanted =
    "email" in who
      ? sql`e.email = ${who.email} and (e."primary" or e.verified_at is not null)`
      : sql`e.user_id = ${who.userId} and e."primary"`;
  const [row] = await sql<AddressedUser[]>`
    select u.id as "userId", u.email, u.display_name as "displayName", u.locale, u.time_zone as "timeZone",
           u.controlled_at is not null as "isMailboxOwner", m.role
    from user_emails e join users u on u.id = e.user_id
    left join members m on m.user_id = u.id and m.organization_id = ${organizationId}
    where ${isWanted} for no key update of u`;
  return row;
}

/** Copies name and language of the record to the account of a managed user; returns whether a value changed. */
export async function updateManagedUser(
  sql: Sql,
  userId: string,
  organizationId: string,
  { displayName, locale }: { readonly displayName: string | null; readonly locale: string | null },
  at: Date,
): Promise<boolean> {
  const updated = await sql`
    update users set display_name = coalesce(${displayName}::text, display_name),
      locale = coalesce(${locale}::text, locale), updated_at = ${at}
    where id = ${userId} and managed_by = ${organizationId}
      and (display_name, locale) is distinct from
        (coalesce(${displayName}::text, display_name), coalesce(${locale}::text, locale))`;
  return updated.count > 0;
}

/** CTE fragment: inserts a membership with the given beginning; no row if the user is a member. */
export function insertProvisionedMember(
  sql: Sql,
  member: { readonly organizationId: string; readonly userId: string; readonly role: Role; readonly joinedAt: Date },
): Fragment {
  return sql`
    insert into members (organization_id, user_id, role, joined_at)
    values (${member.organizationId}, ${member.userId}, ${member.role}, ${member.joinedAt})
    on conflict do nothing returning user_id`;
}

/** An open invitation to an address of a user. */
export interface ReceivedInvitation {
  readonly id: string;
  readonly role: Role;
  readonly roleIds: readonly string[];
  /** Null: the organization. */
  readonly invitedBy: string | null;
}

/** The open invitations with a sender to the addresses of a user, highest role first. */
export async function listReceivedInvitations(
  sql: Sql,
  organizationId: string,
  userId: string,
  at: Date,
): Promise<readonly ReceivedInvitation[]> {
  return await sql<ReceivedInvitation[]>`
    select i.id, i.role, i.role_ids as "roleIds", i.invited_by as "invitedBy"
    from invitations i join user_emails e on e.email = i.email and (e."primary" or e.verified_at is not null)
    where e.user_id = ${userId} and i.organization_id = ${organizationId} and i.accepted_at is null
      and i.revoked_at is null and i.expires_at > ${at} and (i.invited_by is not null or i.sent_by = 'organization')
    order by i.role = 'member', i.id`;
}

/** Accepts an open invitation for a directory; false if it was accepted or revoked meanwhile. */
export async function acceptInvitation(sql: Sql, id: string, at: Date): Promise<boolean> {
  const rows = await sql`
    update invitations set accepted_at = ${at}
    where id = ${id} and accepted_at is null and revoked_at is null returning 1`;
  return rows.length > 0;
}

/** The ids of open invitations to addresses of a record or a user, locked. */
export async function lockReceivedInvitations(
  sql: Sql,
  organizationId: string,
  { userId, emails }: { readonly userId: string | null; readonly emails: readonly string[] },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from invitations
    where organization_id = ${organizationId} and accepted_at is null and revoked_at is null
      and (email = any(${[...emails]}::text[]) or email in (select email from user_emails where user_id = ${userId}))
    order by id for update`;
  return rows.map(({ id }) => id);
}

/** The membership of a user, locked. */
export async function lockMembershipSince(
  sql: Sql,
  organizationId: string,
  userId: string,
): Promise<{ role: Role; joinedAt: Date } | undefined> {
  const [row] = await sql<{ role: Role; joinedAt: Date }[]>`
    select role, joined_at as "joinedAt" from members
    where organization_id = ${organizationId} and user_id = ${userId} for update`;
  return row;
}

/** Whether a user is a member, or has a record in the directory of the organization. */
export async function isMemberOrRecord(sql: Sql, organizationId: string, userId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from members where organization_id = ${organizationId} and user_id = ${userId}
    union all
    select 1 from directories d join directory_users r on r.directory_id = d.id
    where d.organization_id = ${organizationId} and r.user_id = ${userId}`;
  return rows.length > 0;
}

/** The highest role of the groups of a record; undefined: no group of the record has a role. */
export async function findGroupRole(sql: Sql, recordId: string): Promise<DirectoryRole | undefined> {
  const [row] = await sql<{ role: DirectoryRole | null }[]>`
    select min(g.role) as role from directory_group_members m join directory_groups g on g.id = m.group_id
    where m.record_id = ${recordId} and g.role is not null`;
  return row?.role ?? undefined;
}

export interface ChangedRole {
  readonly userId: string;
  readonly from: Role;
  readonly to: DirectoryRole;
}

/** A member whose role a mapping would change. */
export interface PreviewedRole extends ChangedRole {
  readonly email: string;
}

/** The members whose role changes once a group grants `role`: at most `limit`, by address, and their number. */
export async function previewGroupRole(
  sql: Sql,
  directory: RoleTarget & { readonly roleSource: "groups" | "none" },
  { groupId, role, limit }: { readonly groupId: string; readonly role: DirectoryRole | null; readonly limit: number },
): Promise<{ items: PreviewedRole[]; total: number }> {
  const records = sql`
    ${directory.roleSource} = 'groups'
    and r.id in (select own.record_id from directory_group_members own where own.group_id = ${groupId})`;
  const changedRole = sql`case when g.id = ${groupId} then ${role}::text else g.role end`;
  const rows = await sql<(PreviewedRole & { total: number })[]>`
    with target as (${targetRoles(sql, directory, { records, role: changedRole })})
    select m.user_id as "userId", u.email, m.role as "from", t.role as "to", count(*) over ()::int as total
    from target t
    join members m on m.user_id = t.user_id and m.organization_id = ${directory.organizationId}
    join users u on u.id = m.user_id
    where m.role <> 'owner' and m.role <> t.role order by u.email limit ${limit}`;
  return { items: rows, total: rows[0]?.total ?? 0 };
}

interface RoleTarget {
  readonly id: string;
  readonly organizationId: string;
  readonly defaultRole: DirectoryRole;
}

/**
 * CTE fragment: the users of the records `r` that meet a condition, and the highest role of the groups `g`, else the
 * default role. `min` orders `admin` before `member` and skips groups without a role.
 */
function targetRoles(
  sql: Sql,
  directory: RoleTarget,
  { records, role }: { readonly records: Fragment; readonly role: Fragment },
): Fragment {
  return sql`
    select r.user_id, coalesce(min(${role}), ${directory.defaultRole}) as role
    from directory_users r
    left join directory_group_members gm on gm.record_id = r.id
    left join directory_groups g on g.id = gm.group_id
    where r.directory_id = ${directory.id} and r.user_id is not null and ${records}
    group by r.user_id`;
}

/**
 * Sets the roles of the members of records: the highest role of the groups, else the default role. Owners keep their
 * role. `recordIds` null: all records of the directory.
 */
export async function applyGroupRoles(
  sql: Sql,
  directory: RoleTarget,
  recordIds: readonly string[] | null,
): Promise<ChangedRole[]> {
  const records = sql`(${recordIds === null}::boolean or r.id = any(${[...(recordIds ?? [])]}::uuid[]))`;
  return await sql<ChangedRole[]>`
    with target as (${targetRoles(sql, directory, { records, role: sql`g.role` })}),
    before as (
      select m.user_id, m.role, t.role as wanted from members m join target t on t.user_id = m.user_id
      where m.organization_id = ${directory.organizationId} and m.role <> 'owner' and m.role <> t.role
      order by m.user_id for no key update of m
    )
    update members m set role = b.wanted from before b
    where m.organization_id = ${directory.organizationId} and m.user_id = b.user_id
    returning m.user_id as "userId", b.role as "from", m.role as "to"`;
}
