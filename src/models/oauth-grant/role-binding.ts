/** The permissions and roles of a member on which access tokens depend (docs/contract.md, section 23.25). */
import type { Fragment, Sql } from "../../database/database.ts";
import { CLAIM_GROUPS_MAX } from "../../limits/claim-limits.ts";
import { grantColumns, type RolesOfMember } from "../conditions/member-grants.ts";
import { directoryGroupNames, ownGroupNames } from "../conditions/member-group-names.ts";
import { isNamedFamily } from "./token-family.ts";

/** The dependency of an access token on the roles of the user. */
export interface RoleDependency {
  /** Permissions of the requested scopes and claims; a permission that the member lacks is not recorded. */
  readonly permissions: readonly string[];
  /** Whether the token names the roles. */
  readonly hasRoles: boolean;
  /** Whether claims of the token depend on the groups. */
  readonly hasGroups: boolean;
}

/** The family of a token to bind. */
export interface BindableFamily {
  /** The claim `sid` of the token. */
  readonly id: string;
  /**
   * The first id, for a token that receives the present id: a loss of roles since the rotation has given the family
   * another id. Absent: a family with another id counts as ended.
   */
  readonly originId?: string;
}

/** The roles of the member, the groups if the token depends on groups, and the present id of the family. */
export type BoundRoles = RolesOfMember & { readonly familyId: string; readonly groups?: readonly string[] };

/**
 * Reads the roles of a member under lock, and records the dependency in the family, in one statement. A change of roles
 * waits for the statement and then finds the record, or came first and is read: the trigger of migration
 * `scopes_follow_roles` ends the token after a loss. Undefined: the family or the membership has ended.
 */
export async function bindFamilyToRoles(
  sql: Sql,
  { id, originId }: BindableFamily,
  { permissions, hasRoles, hasGroups }: RoleDependency,
): Promise<BoundRoles | undefined> {
  const isFamily = originId === undefined ? sql`f.id = ${id}` : isNamedFamily(sql, originId);
  const [power] = await sql<BoundRoles[]>`
    with membership as (
      select m.organization_id, m.user_id, m.role from oauth_token_families f
      join members m on m.user_id = f.user_id and m.organization_id = f.organization_id
      where ${isFamily} and f.revoked_at is null
      for share of m
    ),
    assigned as (
      select r.key, r.permissions from membership x
      join member_roles h on h.user_id = x.user_id and h.organization_id = x.organization_id
      join organization_roles r on r.id = h.role_id
      for share of h, r
    ),${hasGroups ? lockedGroups(sql) : sql``}
    power as (
      select x.role,${hasGroups ? namedGroups(sql) : sql``}
             array(select distinct key from assigned order by key) as "roleKeys",
             array(select distinct p from assigned cross join unnest(permissions) p order by p) as granted
      from membership x
    ),
    bound as (
      update oauth_token_families f
      set permissions = array(
            select distinct p from unnest(f.permissions || ${[...permissions]}::text[]) p
            where p = any(f.permissions) or power.role = 'owner' or p = any(power.granted)
          ),
          roles = case when ${hasRoles}::boolean
                       then array(select distinct k from unnest(f.roles || power."roleKeys" || power.role) k)
                       else f.roles end${hasGroups ? recordedGroups(sql) : sql``}
      from power where ${isFamily}
      returning f.id
    )
    select power.*, bound.id as "familyId" from power, bound`;
  return power;
}

/**
 * CTE fragments: the groups of the member under lock. A member who leaves a group waits, and the trigger of migration
 * `claim_mappings` then finds the record of the family.
 */
function lockedGroups(sql: Sql): Fragment {
  return sql`
    own_groups as (${ownGroupNames(sql, sql`membership`)} for share of x, g),
    directory_names as (${directoryGroupNames(sql, sql`membership`)} for share of x, g),`;
}

function namedGroups(sql: Sql): Fragment {
  return sql`
             array(
               select name from own_groups union select name from directory_names
               order by name limit ${CLAIM_GROUPS_MAX}
             ) as groups,`;
}

function recordedGroups(sql: Sql): Fragment {
  return sql`,
          groups = array(select distinct n from unnest(f.groups || power.groups) n)`;
}

/** The present roles behind an access token; undefined for a token whose family has another id or ended. */
export async function findRolesOfFamily(sql: Sql, familyId: string): Promise<RolesOfMember | undefined> {
  const [power] = await sql<RolesOfMember[]>`
    select m.role, ${grantColumns(sql)} from oauth_token_families f
    join members m on m.user_id = f.user_id and m.organization_id = f.organization_id
    where f.id = ${familyId} and f.revoked_at is null`;
  return power;
}

/** The present roles of a member. */
export async function findRolesOfMember(
  sql: Sql,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<RolesOfMember | undefined> {
  const [power] = await sql<RolesOfMember[]>`
    select m.role, ${grantColumns(sql)} from members m
    where m.user_id = ${userId} and m.organization_id = ${organizationId}`;
  return power;
}
