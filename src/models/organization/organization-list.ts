import type { Fragment, Sql } from "../../database/database.ts";
import { countRows, likePattern, type PageBounds } from "../../database/listing.ts";
import { type Organization, organizationColumns, type Tier } from "./organization.ts";

/** Filters of the list of organizations (docs/contract.md, section 14.2); undefined: no filter. */
export interface OrganizationFilter {
  /** Substring of a name or slug. */
  readonly q: string | undefined;
  readonly suspended: boolean | undefined;
  readonly tier: Tier | undefined;
  /** Inclusive bounds of the creation. */
  readonly createdFrom: Date | undefined;
  readonly createdTo: Date | undefined;
}

/** A leading `-`: descending. Every order has an index. */
export const ORGANIZATION_SORTS = ["-created_at", "created_at", "name", "-name"] as const;
export type OrganizationSort = (typeof ORGANIZATION_SORTS)[number];

/** A page of the matching organizations in the given order, and the exact total. */
export async function listOrganizations(
  sql: Sql,
  filter: OrganizationFilter,
  sort: OrganizationSort,
  page: PageBounds,
): Promise<{ items: Organization[]; total: number }> {
  const [total, items] = await Promise.all([
    countOrganizations(sql, filter),
    sql<Organization[]>`
      select ${organizationColumns(sql)} from organizations o where ${conditions(sql, filter)}
      order by ${orderBy(sql, sort)} limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total };
}

function orderBy(sql: Sql, sort: OrganizationSort): Fragment {
  switch (sort) {
    case "-created_at":
      return sql`o.created_at desc, o.id desc`;
    case "created_at":
      return sql`o.created_at, o.id`;
    case "name":
      return sql`lower(o.name), o.id`;
    case "-name":
      return sql`lower(o.name) desc, o.id desc`;
  }
}

function conditions(sql: Sql, { q, suspended, tier, createdFrom, createdTo }: OrganizationFilter): Fragment {
  return sql`true
    ${q === undefined ? sql`` : sql`and lower(o.name || ' ' || o.slug) like ${likePattern(q)}`}
    ${suspended === undefined ? sql`` : sql`and o.suspended_at is ${suspended ? sql`not null` : sql`null`}`}
    ${tier === undefined ? sql`` : sql`and o.tier = ${tier}`}
    ${tier === "enterprise" ? sql`and o.tier <> 'standard'` : sql``}
    ${createdFrom === undefined ? sql`` : sql`and o.created_at >= ${createdFrom}`}
    ${createdTo === undefined ? sql`` : sql`and o.created_at <= ${createdTo}`}`;
}

/**
 * The exact number of matching organizations. Filters that most organizations match are counted by their complement,
 * which is small and has an index: the number of all organizations is a maintained count.
 */
export async function countOrganizations(sql: Sql, filter: OrganizationFilter): Promise<number> {
  const [row] = await sql<
    { total: number }[]
  >`${isNarrow(filter) ? countMatching(sql, filter) : countOthers(sql, filter)}`;
  return row?.total ?? 0;
}

function isNarrow({ q, suspended, tier, createdFrom, createdTo }: OrganizationFilter): boolean {
  return suspended === true || tier === "enterprise" || (q ?? createdFrom ?? createdTo) !== undefined;
}

function countMatching(sql: Sql, filter: OrganizationFilter): Fragment {
  return sql`select count(*)::int as total from organizations o where ${conditions(sql, filter)}`;
}

function countOthers(sql: Sql, { suspended, tier }: OrganizationFilter): Fragment {
  const suspendedIds =
    suspended === false ? sql`select id from organizations where suspended_at is not null` : NO_IDS(sql);
  const higherIds = tier === "standard" ? sql`select id from organizations where tier <> 'standard'` : NO_IDS(sql);
  return sql`
    select (${countRows(sql, "organizations")}) - count(*)::int as total
    from (${suspendedIds} union ${higherIds}) excluded`;
}

const NO_IDS = (sql: Sql) => sql`select null::uuid where false`;
