import type { MemberPower } from "../../vocabulary/member-power.ts";

/** The state of users and memberships for the provisioning by single sign-on. */

import type { members } from "../../../db/schema/members.ts";
import type { Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { grantColumns } from "../conditions/member-grants.ts";

type MemberRow = RowOf<typeof members>;

export interface ProvisionedUser {
  readonly userId: string;
  readonly disabled: boolean;
  /** Null: not a member. */
  readonly role: MemberRow["role"] | null;
  /** The permissions of additional roles. */
  readonly granted: MemberPower["granted"];
  /** An administrator or a directory ended the membership. */
  readonly removed: boolean;
  /** The user has an identity of the connection. */
  readonly hasIdentity: boolean;
  /** The power of the member at the departure of the person behind the connection; null: none, or no departure. */
  readonly keptPower: MemberPower | null;
}

export interface ProvisioningQuestion {
  readonly userId: string;
  readonly organizationId: string;
  readonly connectionId: string;
  /** Removals before this time do not count. */
  readonly removedSince: Date;
}

/** Locks users in a fixed order. Later statements of the transaction see everything committed before the lock. */
export async function lockUsers(sql: Sql, userIds: readonly string[]): Promise<void> {
  await sql`select id from users where id = any(${[...userIds]}::uuid[]) order by id for no key update`;
}

/** Reads a locked user as the organization of a connection knows the user. */
export async function findProvisionedUser(
  sql: Sql,
  { userId, organizationId, connectionId, removedSince }: ProvisioningQuestion,
): Promise<ProvisionedUser | undefined> {
  const [row] = await sql<ProvisionedUser[]>`
    select u.id as "userId", u.disabled_at is not null as disabled, m.role, ${grantColumns(sql)},
           exists (
             select 1 from member_removals r
             where r.user_id = u.id and r.organization_id = ${organizationId} and r.removed_at > ${removedSince}
           ) as removed,
           exists (
             select 1 from sso_identities i where i.user_id = u.id and i.connection_id = ${connectionId}
           ) as "hasIdentity",
           (
             select i.kept_power from sso_identities i where i.user_id = u.id and i.connection_id = ${connectionId}
           ) as "keptPower"
    from users u left join members m on m.user_id = u.id and m.organization_id = ${organizationId}
    where u.id = ${userId}`;
  return row;
}

/** The power of a member; undefined without a membership, and for a disabled user. */
export async function findActivePower(
  sql: Sql,
  organizationId: string,
  userId: string,
): Promise<MemberPower | undefined> {
  const [row] = await sql<MemberPower[]>`
    select m.role, ${grantColumns(sql)} from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${userId} and u.disabled_at is null`;
  return row;
}

/** Replaces the attributes of a membership. */
export async function saveAttributes(
  sql: Sql,
  organizationId: string,
  userId: string,
  attributes: Readonly<Record<string, string>>,
): Promise<void> {
  const value = Object.keys(attributes).length > 0 ? sql.json(attributes) : null;
  await sql`
    update members set attributes = ${value}
    where organization_id = ${organizationId} and user_id = ${userId} and attributes is distinct from ${value}`;
}
