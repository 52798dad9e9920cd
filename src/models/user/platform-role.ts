import type { Fragment, Sql } from "../../database/database.ts";
import { hasVouchedPrimary } from "../conditions/vouched-primary.ts";

/** From least to most; a role includes all lower roles (docs/contract.md, section 3.10). */
export const PLATFORM_ROLES = ["viewer", "admin", "owner"] as const;
export type PlatformRole = (typeof PLATFORM_ROLES)[number];

export function isPlatformRole(text: string): text is PlatformRole {
  return PLATFORM_ROLES.some((role) => role === text);
}

/** Whether a role is `least` or more. Null, without a role, is less than every role. */
export function includesRole(role: PlatformRole | null, least: PlatformRole): boolean {
  return role !== null && PLATFORM_ROLES.indexOf(role) >= PLATFORM_ROLES.indexOf(least);
}

/** The role of a user who may sign in; null without one. */
export async function findPlatformRoleOf(sql: Sql, userId: string): Promise<PlatformRole | null> {
  const [row] = await sql<{ role: PlatformRole | null }[]>`
    select platform_role as role from users where id = ${userId} and disabled_at is null`;
  return row?.role ?? null;
}

/** Whether one of the users has a platform role, disabled or not. */
export async function hasProtectedUser(sql: Sql, userIds: readonly string[]): Promise<boolean> {
  const rows = await sql`
    select 1 from users where id = any(${[...userIds]}::uuid[]) and platform_role is not null limit 1`;
  return rows.length > 0;
}

/** Whether a user with a platform role has a role of organizations, in any organization. */
export async function hasProtectedHolder(sql: Sql, roleId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from member_roles h join users u on u.id = h.user_id
    where h.role_id = ${roleId} and u.platform_role is not null limit 1`;
  return rows.length > 0;
}

/** The role of a user, whose row is locked; `undefined` for an unknown user. */
export async function lockPlatformRole(sql: Sql, userId: string): Promise<{ role: PlatformRole | null } | undefined> {
  const [row] = await sql<{ role: PlatformRole | null }[]>`
    select platform_role as role from users where id = ${userId} for no key update`;
  return row;
}

/**
 * The platform roles that members of an organization hold. Called after the organization is locked: `setPlatformRole`
 * and an acceptance hold a key share of the organization, so a concurrent grant or acceptance has been waited for.
 */
export async function listPlatformRolesIn(sql: Sql, organizationId: string): Promise<PlatformRole[]> {
  const rows = await sql<{ role: PlatformRole }[]>`
    select distinct u.platform_role as role from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and u.platform_role is not null`;
  return rows.map(({ role }) => role);
}

export interface RoleChange {
  readonly email: string;
  readonly role: PlatformRole | null;
  /** Only if this is the present role; default, and null: any role. */
  readonly onlyFrom?: PlatformRole | null;
  /** Only for a user who has proven control of the mailbox, as `SERVICE_INITIAL_OWNER_EMAIL` requires. */
  readonly controlledOnly: boolean;
  readonly at: Date;
}

/**
 * The condition on `users` that the owner of the mailbox made the first controlling proof, not the identity provider or
 * the directory of an organization (docs/contract.md, section 5.6), which grant no role of the platform, at a start
 * neither. A vouched address is no proof.
 */
function isControlledInPerson(sql: Sql): Fragment {
  return sql`(
    controlled_at is not null and managed_by is null and not ${hasVouchedPrimary(sql, sql`users.id`)} and not exists (
      select 1 from sso_identities i
      where i.user_id = users.id and i.linked_by <> 'user' and i.created_at <= users.controlled_at
    ) and not exists (
      select 1 from directory_users r
      where r.user_id = users.id and r.link = 'domain' and r.created_at <= users.controlled_at
    )
  )`;
}

/**
 * CTE fragment: returns the user whose role changed; no row for an unchanged role. The fragment locks the user's
 * organizations first, so that a concurrent suspension waits (`listPlatformRolesIn`).
 */
export function setPlatformRole(sql: Sql, change: RoleChange): Fragment {
  return sql`
    with joined as (
      select o.id from users u join members m on m.user_id = u.id join organizations o on o.id = m.organization_id
      where u.email = ${change.email} order by o.id for key share of o
    )
    update users set platform_role = ${change.role}, updated_at = ${change.at}
    where email = ${change.email} and platform_role is distinct from ${change.role}
      and (${change.onlyFrom ?? null}::text is null or platform_role = ${change.onlyFrom ?? null})
      and (${!change.controlledOnly}::boolean or ${isControlledInPerson(sql)})
      and (select count(*) from joined) >= 0
    returning id, last_organization_id`;
}

/** The details that decide whether one user may set the platform role of a second user. */
export interface RoleHolder {
  readonly userId: string;
  readonly role: PlatformRole | null;
  readonly disabled: boolean;
  /** Whether the owner of the mailbox has proven control of the account. */
  readonly isMailboxOwner: boolean;
}

/**
 * Locks the organizations of `userId`, so that a concurrent suspension waits (`listPlatformRolesIn`), and then the two
 * users by ascending id, so that two owners who act on one another cannot deadlock. Returns the existing users.
 */
export async function lockRoleHolders(sql: Sql, userId: string, actorId: string): Promise<RoleHolder[]> {
  await sql`
    select o.id from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} order by o.id for key share of o`;
  return await sql<RoleHolder[]>`
    select id as "userId", platform_role as role, disabled_at is not null as disabled,
           controlled_at is not null and not ${hasVouchedPrimary(sql, sql`users.id`)} as "isMailboxOwner"
    from users where id = any(${[userId, actorId]}::uuid[]) order by id for no key update`;
}

/** CTE fragment: sets the role of a locked user. */
export function updatePlatformRole(sql: Sql, userId: string, role: PlatformRole | null, at: Date): Fragment {
  return sql`update users set platform_role = ${role}, updated_at = ${at} where id = ${userId} returning id`;
}

/** The present role of the user of an address; `undefined` for an unknown address. */
export async function findPlatformRole(sql: Sql, email: string): Promise<{ role: PlatformRole | null } | undefined> {
  const [row] = await sql<
    { role: PlatformRole | null }[]
  >`select platform_role as role from users where email = ${email}`;
  return row;
}

/** How many enabled users hold the highest platform role. For the command `doctor`. */
export async function countPlatformOwners(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from users where platform_role = 'owner' and disabled_at is null`;
  return row?.count ?? 0;
}
