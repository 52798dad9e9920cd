import type { Fragment, Sql } from "../../base/database.ts";
import type { Cte } from "../../base/statement.ts";

/** From least to most (decisions, section 4). */
export const MEMBER_ROLES = ["member", "admin", "owner"] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];
export type Permission = "members.invite" | "members.list" | "members.remove";

const MANAGE_MEMBERS: readonly Permission[] = ["members.invite", "members.list", "members.remove"];
const PERMISSIONS: Record<MemberRole, readonly Permission[]> = {
  owner: MANAGE_MEMBERS,
  admin: MANAGE_MEMBERS,
  member: [],
};

/** What a role may do in its organization (contract, section 2.2). */
export function permissionsOf(role: MemberRole): readonly Permission[] {
  return PERMISSIONS[role];
}

/** Whether a role may give `granted` to somebody else: it manages members, and stands no lower itself. */
export function mayGrant(role: MemberRole, granted: MemberRole): boolean {
  return permissionsOf(role).includes("members.invite") && MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(granted);
}

export interface NewMember {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: MemberRole;
  readonly at: Date;
}

/** A part of the statement that makes the user or takes it in. */
export function insertMember(sql: Sql, member: NewMember): Fragment {
  return sql`
    insert into members (organization_id, user_id, role, joined_at)
    values (${member.organizationId}, ${member.userId}, ${member.role}, ${member.at})`;
}

/** CTE fragment of the accepting statement: inserts the membership of `consumed` (`organization_id`, `role`). */
export function insertMemberFrom(sql: Sql, userId: string, at: Date, consumed: Cte): Fragment {
  return sql`
    insert into members (organization_id, user_id, role, joined_at)
    select ${consumed}.organization_id, ${userId}::uuid, ${consumed}.role, ${at}::timestamptz from ${consumed}`;
}

/** Whether an address belongs to a member. */
export async function addressIsMember(sql: Sql, organizationId: string, email: string): Promise<boolean> {
  const rows = await sql`
    select 1 from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and u.email = ${email}`;
  return rows.length > 0;
}

/**
 * CTE fragment `home` of the sign-in statement: the membership that is entered, if it can be. `for key share` makes a
 * suspension or removal under way (which takes `for update` first) and this sign-in wait for one another. `shownAt`: when the first
 * factor was shown; a suspension since then has killed the mfa_token, also when it is over.
 */
export function lockEnterableMembership(sql: Sql, userId: string, organizationId: string, shownAt?: Date): Fragment {
  return sql`
    select m.organization_id, m.role
    from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and m.organization_id = ${organizationId} and o.suspended_at is null
      and (${shownAt ?? null}::timestamptz is null or o.restored_at is null or o.restored_at < ${shownAt ?? null})
    for key share of m, o`;
}

/** A membership and whether its organization is suspended; `undefined` for strangers. */
export async function findMembership(
  sql: Sql,
  userId: string,
  organizationId: string,
): Promise<{ role: MemberRole; suspended: boolean } | undefined> {
  const [row] = await sql<{ role: MemberRole; suspended: boolean }[]>`
    select m.role, o.suspended_at is not null as suspended
    from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and m.organization_id = ${organizationId}`;
  return row;
}
