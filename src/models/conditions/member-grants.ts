import type { Fragment, Sql } from "../../database/database.ts";

/** The additional roles of a membership. */
export interface MemberGrants {
  /** The keys, sorted. */
  readonly roleKeys: readonly string[];
  /** The permissions of the additional roles, sorted. */
  readonly granted: readonly string[];
}

/** An additional role of a member, with the origin of the assignment. */
export interface AssignedRole {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly source: "manual" | "sso" | "directory" | "group";
}

/** The column `roles` of a membership: every `AssignedRole`, by key. */
export function assignedRolesColumn(sql: Sql, organizationId: string, userId: Fragment): Fragment {
  return sql`
    coalesce((
      select jsonb_agg(jsonb_build_object('id', r.id, 'key', r.key, 'name', r.name, 'source', h.source) order by r.key)
      from member_roles h join organization_roles r on r.id = h.role_id
      where h.organization_id = ${organizationId} and h.user_id = ${userId}
    ), '[]') as roles`;
}

/** The power in an organization: the built-in role and the additional roles. */
export interface RolesOfMember extends MemberGrants {
  readonly role: "owner" | "admin" | "member";
}

/** Columns of `MemberGrants`, correlated with a membership; default: the alias `m`. */
export function grantColumns(
  sql: Sql,
  organizationId: Fragment = sql`m.organization_id`,
  userId: Fragment = sql`m.user_id`,
): Fragment {
  const held = sql`h.organization_id = ${organizationId} and h.user_id = ${userId}`;
  return sql`
    array(
      select distinct r.key from member_roles h join organization_roles r on r.id = h.role_id
      where ${held} order by r.key
    ) as "roleKeys",
    array(
      select distinct p
      from member_roles h join organization_roles r on r.id = h.role_id cross join unnest(r.permissions) p
      where ${held} order by p
    ) as granted`;
}
