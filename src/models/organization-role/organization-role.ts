import type { organizationRoles } from "../../../db/schema/organization-roles.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import { ROLE_KEY_MAX_CHARACTERS } from "../../limits/role-limits.ts";

/** A role of an organization, or a template of the platform: `organizationId` null (docs/contract.md, section 32.4). */
export type OrganizationRole = RowOf<typeof organizationRoles>;

export interface ListedRole extends OrganizationRole {
  /** Members with the role: in the organization of the list, or anywhere in the list of templates. */
  readonly memberCount: number;
}

const KEY = new RegExp(`^[a-z][a-z0-9_-]{1,${ROLE_KEY_MAX_CHARACTERS - 1}}$`);

/** Whether a text has the form of the key of a role. */
export function isRoleKey(key: string): boolean {
  return KEY.test(key);
}

function columns(sql: Sql): Fragment {
  return sql`
    r.id, r.organization_id as "organizationId", r.key, r.name, r.description, r.permissions,
    r.created_at as "createdAt", r.updated_at as "updatedAt"`;
}

/** The roles that an organization can use are its own roles and the templates; null: the templates. */
function usableIn(sql: Sql, organizationId: string | null): Fragment {
  return sql`(r.organization_id is null or r.organization_id = ${organizationId}::uuid)`;
}

/** A page of the usable roles, own roles first, and the total. */
export async function listRoles(
  sql: Sql,
  organizationId: string | null,
  page: PageBounds,
): Promise<{ items: ListedRole[]; total: number }> {
  const usable = usableIn(sql, organizationId);
  const [[counted], items] = await Promise.all([
    sql<[{ total: number }]>`select count(*)::int as total from organization_roles r where ${usable}`,
    sql<ListedRole[]>`
      select ${columns(sql)}, (
        select count(distinct (h.organization_id, h.user_id))::int from member_roles h
        where h.role_id = r.id and (${organizationId}::uuid is null or h.organization_id = ${organizationId}::uuid)
      ) as "memberCount"
      from organization_roles r where ${usable}
      order by r.organization_id nulls last, r.key limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total: counted.total };
}

/** The usable roles among `ids`. */
export async function findRoles(
  sql: Sql,
  organizationId: string | null,
  ids: readonly string[],
): Promise<OrganizationRole[]> {
  return await sql<OrganizationRole[]>`
    select ${columns(sql)} from organization_roles r
    where r.id = any(${[...ids]}::uuid[]) and ${usableIn(sql, organizationId)} order by r.key`;
}

/** The usable roles among `keys`, by key. */
export async function findRolesByKeys(
  sql: Sql,
  organizationId: string,
  keys: readonly string[],
): Promise<OrganizationRole[]> {
  return await sql<OrganizationRole[]>`
    select ${columns(sql)} from organization_roles r
    where r.key = any(${[...keys]}::text[]) and ${usableIn(sql, organizationId)} order by r.key`;
}

/** Locks the usable roles among `ids`, by ascending id, so that transactions with common roles wait in one order. */
export async function lockRoles(
  sql: Sql,
  organizationId: string | null,
  ids: readonly string[],
): Promise<OrganizationRole[]> {
  return await sql<OrganizationRole[]>`
    select ${columns(sql)} from organization_roles r
    where r.id = any(${[...ids]}::uuid[]) and ${usableIn(sql, organizationId)} order by r.id for update`;
}

/** The number of roles of an owner, and whether a role with the key would be ambiguous. */
export async function countRoles(
  sql: Sql,
  organizationId: string | null,
  key: string,
): Promise<{ total: number; isKeyTaken: boolean }> {
  const [row] = await sql<[{ total: number; isKeyTaken: boolean }]>`
    select count(*) filter (where r.organization_id is not distinct from ${organizationId}::uuid)::int as total,
           coalesce(bool_or(
             r.key = ${key} and (${organizationId}::uuid is null or ${usableIn(sql, organizationId)})
           ), false) as "isKeyTaken"
    from organization_roles r`;
  return row;
}

/** CTE fragment: inserts a role; one row (id). */
export function insertRole(sql: Sql, role: OrganizationRole): Fragment {
  return sql`
    insert into organization_roles (id, organization_id, key, name, description, permissions, created_at, updated_at)
    values (${role.id}, ${role.organizationId}, ${role.key}, ${role.name}, ${role.description},
            ${[...role.permissions]}::text[], ${role.createdAt}, ${role.updatedAt})
    returning id`;
}

/** CTE fragment: changes name, description and permissions of a locked role; one row (id). */
export function updateRole(sql: Sql, role: OrganizationRole): Fragment {
  return sql`
    update organization_roles
    set name = ${role.name}, description = ${role.description}, permissions = ${[...role.permissions]}::text[],
        updated_at = ${role.updatedAt}
    where id = ${role.id} returning id`;
}

/** CTE fragment: deletes a locked role, with the assignments. */
export function deleteRole(sql: Sql, id: string): Fragment {
  return sql`delete from organization_roles where id = ${id} returning id`;
}

/** Removes a role from the invitations that name the role. */
export async function removeRoleFromInvitations(sql: Sql, id: string): Promise<void> {
  await sql`update invitations set role_ids = array_remove(role_ids, ${id}::uuid) where ${id}::uuid = any(role_ids)`;
}

/** The organizations with a member who has the role, by id; null: without a limit. */
export async function listOrganizationsWithRole(sql: Sql, id: string, limit: number | null): Promise<string[]> {
  const rows = await sql<{ organizationId: string }[]>`
    select distinct organization_id as "organizationId" from member_roles where role_id = ${id}
    order by 1 limit ${limit}`;
  return rows.map(({ organizationId }) => organizationId);
}
