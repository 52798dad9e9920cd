import type { Fragment, Sql } from "../../database/database.ts";
import type { Owner } from "./user.ts";

/**
 * The condition on the alias `u` that the user has a stake beyond the organization: another membership, a credential, a
 * confirmed additional address, a company account that the user linked in person, a role of the platform, or the role
 * of an owner or admin. Such a user no longer belongs to the organization alone, and the identity provider or the
 * directory could take the account over by a change of the address.
 */
function isIndependent(sql: Sql, organizationId: string): Fragment {
  return sql`(
    u.password_hash is not null or u.platform_role is not null
    or exists (
      select 1 from members m
      where m.user_id = u.id and (m.organization_id <> ${organizationId} or m.role in ('owner', 'admin'))
    )
    or exists (select 1 from passkeys p where p.user_id = u.id)
    or exists (select 1 from totp_factors t where t.user_id = u.id and t.confirmed_at is not null)
    or exists (select 1 from user_identities i where i.user_id = u.id)
    or exists (
      select 1 from user_emails e where e.user_id = u.id and not e."primary" and e.verified_at is not null
    )
    or exists (select 1 from sso_identities s where s.user_id = u.id and s.linked_by = 'user')
  )`;
}

/** Ends the management of a locked user with a stake beyond the organization, for good. */
export async function releaseIndependentUser(sql: Sql, userId: string, organizationId: string): Promise<void> {
  await sql`
    update users u set managed_by = null
    where u.id = ${userId} and u.managed_by = ${organizationId} and ${isIndependent(sql, organizationId)}`;
}

/** Whether the user is a member of any organization. */
export async function hasMembership(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`select 1 from members where user_id = ${userId} limit 1`;
  return rows.length > 0;
}

/** Name and address of a user whom an organization manages. */
export async function findManagedUser(sql: Sql, userId: string, organizationId: string): Promise<Owner | undefined> {
  const [row] = await sql<Owner[]>`
    select u.id as "userId", u.managed_by as "organizationId", u.email,
           u.controlled_at is not null as "isMailboxOwner", u.display_name as "displayName", u.locale,
           u.time_zone as "timeZone"
    from users u
    where u.id = ${userId} and u.managed_by = ${organizationId}`;
  return row;
}

/** Replaces the name of a user whom an organization manages. */
export async function renameManagedUser(sql: Sql, userId: string, displayName: string, at: Date): Promise<void> {
  await sql`update users set display_name = ${displayName}, updated_at = ${at} where id = ${userId}`;
}

export interface DepartedUser {
  readonly userId: string;
  readonly organizationId: string;
}

/**
 * Managed users without any membership, whom the directory of the managing organization deleted before `before`, at
 * most `limit`.
 */
export async function listDepartedUsers(sql: Sql, before: Date, limit: number): Promise<DepartedUser[]> {
  return await sql<DepartedUser[]>`
    select u.id as "userId", u.managed_by as "organizationId"
    from member_removals r
    join users u on u.id = r.user_id and u.managed_by = r.organization_id
    join directories d on d.organization_id = r.organization_id
    where r.removed_at < ${before} and u.deletion_at is null
      and not exists (select 1 from members m where m.user_id = u.id)
      and not exists (select 1 from directory_users p where p.user_id = u.id)
    order by r.removed_at limit ${limit}`;
}
