import type { members } from "../../../db/schema/members.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import type { Cte } from "../../database/statement.ts";
import type { MemberPower } from "../../vocabulary/member-power.ts";
import { PERSONAL_MEMBER_ROLE, personalOrganizationId } from "../../vocabulary/personal-organization.ts";
import type { AccessRule } from "../../vocabulary/policy-settings.ts";
import { grantColumns, type MemberGrants } from "../conditions/member-grants.ts";
import { accessRefusal, mayEnter, memberSubject, type SessionAssurance } from "../conditions/organization-access.ts";

type MemberRow = RowOf<typeof members>;

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

/** A row source, `from …`: a row unless an organization manages the user. */
export function unmanagedUser(sql: Sql, userId: string): Fragment {
  return sql`from users u where u.id = ${userId} and u.managed_by is null`;
}

/**
 * CTE fragment: the membership (organization_id, role) of a user in the personal organization, inserted if missing. No
 * row for a user whom an organization manages.
 */
export function insertPersonalMember(sql: Sql, userId: string, at: Date): Fragment {
  return sql`
    insert into members as m (organization_id, user_id, role, joined_at)
    select ${personalOrganizationId(userId)}::uuid, ${userId}::uuid, ${PERSONAL_MEMBER_ROLE}, ${at}::timestamptz
    ${unmanagedUser(sql, userId)}
    on conflict (organization_id, user_id) do update set role = m.role
    returning m.organization_id, m.role`;
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
