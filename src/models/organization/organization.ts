import type { organizations } from "../../../db/schema/organizations.ts";
import { isUuid } from "../../base/random.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import {
  PERSONAL_ORGANIZATION_NAME,
  personalOrganizationId,
  personalOrganizationSlug,
} from "../../vocabulary/personal-organization.ts";

type OrganizationRow = RowOf<typeof organizations>;

export type Tier = "standard" | "enterprise";

export interface NewOrganization extends Pick<OrganizationRow, "id" | "name" | "slug" | "tier"> {
  readonly at: Date;
}

/** CTE fragment: inserts an organization. A slug in use violates `organizations_slug_key`. */
export function insertOrganization(sql: Sql, organization: NewOrganization): Fragment {
  return sql`
    insert into organizations (id, name, slug, tier, created_at, updated_at)
    values (${organization.id}, ${organization.name}, ${organization.slug}, ${organization.tier}, ${organization.at},
            ${organization.at})
    returning id`;
}

/** CTE fragment: as `insertOrganization`, if `from` has a row. */
export function insertOrganizationFrom(
  sql: Sql,
  { id, name, slug, tier, at }: NewOrganization,
  from: Fragment,
): Fragment {
  return sql`
    insert into organizations (id, name, slug, tier, created_at, updated_at)
    select ${id}::uuid, ${name}, ${slug}, ${tier}, ${at}::timestamptz, ${at}::timestamptz ${from}
    returning id`;
}

/**
 * CTE fragment: inserts the personal organization of a user, without entitlements, unless stored. `from`: a row source
 * without which no row is inserted.
 */
export function insertPersonalOrganization(sql: Sql, userId: string, at: Date, from = sql``): Fragment {
  return sql`
    insert into organizations (id, name, slug, tier, kind, created_at, updated_at)
    select ${personalOrganizationId(userId)}::uuid, ${PERSONAL_ORGANIZATION_NAME},
           ${personalOrganizationSlug(userId)}, 'standard', 'personal', ${at}::timestamptz, ${at}::timestamptz
    ${from}
    on conflict (id) do nothing
    returning id`;
}

/**
 * The slugs in use or reserved after a change or deletion, read before the costly password hash; the unique index and
 * the trigger of migration `claim_mappings` decide.
 */
export async function takenSlugs(sql: Sql, candidates: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ slug: string }[]>`
    select c.slug from unnest(${[...candidates]}::text[]) c (slug)
    where exists (select 1 from organizations o where o.slug = c.slug)
       or exists (select 1 from released_slugs r where r.slug_hash = sha256(convert_to(c.slug, 'UTF8')))`;
  return new Set(rows.map((row) => row.slug));
}

/** Deletes reservations of slugs of before `before`, a bounded batch; returns how many. */
export const deleteReleasedSlugs = deleteRowsBefore("released_slugs", "released_at");

/** The admin view of an organization (docs/contract.md, section 4.10). */
export interface Organization extends Pick<OrganizationRow, "id" | "name" | "slug" | "tier" | "createdAt"> {
  readonly suspended: boolean;
  /** Time of the erasure while a deletion is pending. */
  readonly deletionAt: OrganizationRow["deletionAt"];
  /** Last change of settings or suspension. */
  readonly updatedAt: OrganizationRow["updatedAt"];
}

/** Columns of `Organization`, of the table alias `o`. */
export function organizationColumns(sql: Sql): Fragment {
  return sql`
    o.id, o.name, o.slug, o.tier, o.suspended_at is not null as suspended, o.created_at as "createdAt",
    o.updated_at as "updatedAt", o.deletion_at as "deletionAt"`;
}

export async function findOrganization(sql: Sql, id: string): Promise<Organization | undefined> {
  const [row] = await sql<
    Organization[]
  >`select ${organizationColumns(sql)} from organizations o where o.id = ${id} and o.kind = 'team'`;
  return row;
}

/** The ids of the organizations with one of the ids or slugs. */
export async function findOrganizationIds(
  sql: Sql,
  { ids, slugs }: { readonly ids: readonly string[]; readonly slugs: readonly string[] },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from organizations
    where kind = 'team' and (id = any(${[...ids]}::uuid[]) or slug = any(${[...slugs]}::text[]))`;
  return rows.map(({ id }) => id);
}

export async function findOrganizationBySlug(sql: Sql, slug: string): Promise<Organization | undefined> {
  const [row] = await sql<Organization[]>`
    select ${organizationColumns(sql)} from organizations o where o.slug = ${slug} and o.kind = 'team'`;
  return row;
}

/** An organization that an application names by id or slug, and whether the user is a member; null: no user. */
export interface NamedOrganization {
  readonly id: string;
  readonly hasMember: boolean;
}

/** The active organization with this id or slug. The id precedes: a slug may have the form of an id. */
export async function findNamedOrganization(
  sql: Sql,
  named: string,
  userId: string | null,
): Promise<NamedOrganization | undefined> {
  const id = isUuid(named) ? named.toLowerCase() : null;
  const [row] = await sql<NamedOrganization[]>`
    select o.id,
           exists (select 1 from members m where m.organization_id = o.id and m.user_id = ${userId}) as "hasMember"
    from organizations o
    where (o.id = ${id} or o.slug = ${named}) and o.suspended_at is null and o.kind = 'team'
    order by (o.id = ${id}) desc nulls last limit 1`;
  return row;
}

/** The active organizations among `ids` in which the user is a member, by name. */
export async function listMemberships(sql: Sql, userId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select o.id from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and o.id = any(${[...ids]}::uuid[]) and o.suspended_at is null and o.kind = 'team'
    order by o.name, o.id`;
  return rows.map(({ id }) => id);
}

/** The names of the existing organizations, by id. */
export async function findOrganizationNames(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from organizations where id = any(${[...ids]}::uuid[]) and kind = 'team'`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Locks an organization with the strongest row lock. Sign-ins hold `for key share` on the organization, so sign-ins in
 * progress commit before a suspension and later sign-ins see the suspension.
 */
export async function lockOrganization(sql: Sql, id: string): Promise<Organization | undefined> {
  const [row] = await sql<Organization[]>`
    select ${organizationColumns(sql)} from organizations o where o.id = ${id} and o.kind = 'team' for update`;
  return row;
}

/**
 * Whether an organization is suspended. Locks the organization, so that `lockOrganization` waits: the organization
 * stays suspended until the transaction ends.
 */
export async function lockSuspension(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`select 1 from organizations where id = ${id} and suspended_at is not null for key share`;
  return rows.length > 0;
}

export interface OrganizationChange {
  readonly name: string;
  readonly tier: Tier;
  readonly suspended: boolean;
}

/** Updates a locked organization, with the time at which a suspension begins or ends. */
export async function updateOrganization(
  sql: Sql,
  before: Organization,
  after: OrganizationChange,
  at: Date,
): Promise<void> {
  const restored = before.suspended && !after.suspended;
  const suspended = !before.suspended && after.suspended;
  await sql`
    update organizations
    set name = ${after.name}, tier = ${after.tier}, updated_at = ${at},
        suspended_at = case when ${restored} then null when ${suspended} then ${at} else suspended_at end,
        restored_at = case when ${restored} then ${at} else restored_at end
    where id = ${before.id}`;
}

/** Whether a tier has an entitlement (docs/contract.md, section 14.1). */
export function entitles(tier: Tier, entitlement: "AuditExport"): boolean {
  return ENTITLEMENTS[tier].includes(entitlement);
}

const ENTITLEMENTS: Record<Tier, readonly string[]> = { standard: [], enterprise: ["AuditExport"] };
