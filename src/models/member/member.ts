import type { members } from "../../../db/schema/members.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import type { Cte } from "../../database/statement.ts";
import type { AccessRule } from "../../vocabulary/organization-policy.ts";
import { PERMISSIONS, type Permission } from "../../vocabulary/permissions.ts";
import { grantColumns, type MemberGrants } from "../conditions/member-grants.ts";
import { accessRefusal, mayEnter, memberSubject, type SessionAssurance } from "../conditions/organization-access.ts";

type MemberRow = RowOf<typeof members>;

/** From least to most (docs/contract.md, section 3.10). */
export const MEMBER_ROLES = ["member", "admin", "owner"] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Permissions of owners alone. */
const OWNER_PERMISSIONS: readonly Permission[] = [
  "organization.delete",
  "policies.manage",
  "roles.manage",
  "support.grant",
];
const ROLE_PERMISSIONS: Readonly<Record<MemberRole, readonly Permission[]>> = {
  owner: PERMISSIONS,
  admin: PERMISSIONS.filter((permission) => !OWNER_PERMISSIONS.includes(permission)),
  member: [],
};

/** The permissions of a built-in role (docs/contract.md, section 32.2). */
export function permissionsOf(role: MemberRole): readonly Permission[] {
  return ROLE_PERMISSIONS[role];
}

/** Whether a built-in role has a permission. */
export function hasPermission(role: MemberRole, permission: Permission): boolean {
  return permissionsOf(role).includes(permission);
}

/** The power of a member: the built-in role, and the permissions of additional roles. */
export interface MemberPower {
  readonly role: MemberRole;
  readonly granted: readonly string[];
}

/** Whether a member has a permission, built-in or of an application. An owner has every permission. */
export function holds({ role, granted }: MemberPower, permission: string): boolean {
  return (
    role === "owner" || (permissionsOf(role) as readonly string[]).includes(permission) || granted.includes(permission)
  );
}

/** Whether a member has every permission of another member. */
export function covers(power: MemberPower, other: MemberPower): boolean {
  if (other.role === "owner") return power.role === "owner";
  return [...permissionsOf(other.role), ...other.granted].every((permission) => holds(power, permission));
}

/** Whether a member may change or remove another member: no lower built-in role, and every permission. */
export function mayChange(power: MemberPower, other: MemberPower): boolean {
  return isAtLeast(power.role, other.role) && covers(power, other);
}

/** Whether a member may grant a built-in role: the member invites members and has no lower role. */
export function mayGrant(power: MemberPower, role: MemberRole): boolean {
  return holds(power, "members.invite") && isAtLeast(power.role, role);
}

/** Whether a built-in role is not lower than another built-in role. */
export function isAtLeast(role: MemberRole, least: MemberRole): boolean {
  return MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(least);
}

export interface NewMember extends Pick<MemberRow, "organizationId" | "userId" | "role"> {
  readonly at: Date;
}

/** CTE fragment: inserts a membership. */
export function insertMember(sql: Sql, member: NewMember): Fragment {
  return sql`
    insert into members (organization_id, user_id, role, joined_at)
    values (${member.organizationId}, ${member.userId}, ${member.role}, ${member.at})`;
}

/** CTE fragment: inserts a membership for each row of `granted`; returns organization_id and role. */
export function insertMemberFrom(sql: Sql, userId: string, at: Date, granted: Cte): Fragment {
  return sql`
    insert into members (organization_id, user_id, role, joined_at)
    select ${granted}.organization_id, ${userId}::uuid, ${granted}.role, ${at}::timestamptz from ${granted}
    returning organization_id, role`;
}

/** Whether an address, primary or verified, belongs to a member. */
export async function addressIsMember(sql: Sql, organizationId: string, email: string): Promise<boolean> {
  const rows = await sql`
    select 1 from members m join user_emails e on e.user_id = m.user_id
    where m.organization_id = ${organizationId} and e.email = ${email} and (e."primary" or e.verified_at is not null)`;
  return rows.length > 0;
}

export interface MembershipEntry {
  readonly userId: string;
  readonly organizationId: string;
  readonly presentedAt?: Date | undefined;
}

/**
 * CTE fragment: the membership (organization_id, role) of a sign-in, unless the organization is suspended or refuses
 * the session. The locks conflict with the locks of a suspension, a removal and a change of the role: the sign-in has
 * the new role, or the change sees the new session. `presentedAt`: time at which the first factor was presented; a
 * suspension since then invalidates the mfa_token, even if the suspension has ended.
 */
export function lockActiveMembership(
  sql: Sql,
  { userId, organizationId, presentedAt }: MembershipEntry,
  assurance: SessionAssurance,
  at: Date,
): Fragment {
  return sql`
    select m.organization_id, m.role
    from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and m.organization_id = ${organizationId} and o.suspended_at is null
      and (
        ${presentedAt ?? null}::timestamptz is null or o.restored_at is null or o.restored_at < ${presentedAt ?? null}
      )
      and ${mayEnter(sql, memberSubject(sql), assurance, at)}
    for share of m for key share of o`;
}

/** A membership with its power. */
export interface Membership extends MemberPower, MemberGrants {
  readonly suspended: boolean;
  /** The rule by which the organization refuses this session of the member; null: the session is admitted. */
  readonly refusal: AccessRule | null;
}

/** The membership of a user, as a session of the user finds the membership. */
export async function findMembership(
  sql: Sql,
  userId: string,
  organizationId: string,
  assurance: SessionAssurance,
  at: Date,
): Promise<Membership | undefined> {
  const [row] = await sql<Membership[]>`
    select m.role, ${grantColumns(sql)}, o.suspended_at is not null as suspended,
           ${accessRefusal(sql, memberSubject(sql), assurance, at)} as refusal
    from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and m.organization_id = ${organizationId}`;
  return row;
}
