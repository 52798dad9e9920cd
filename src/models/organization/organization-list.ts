import type { Fragment, Sql } from "../../database/database.ts";
import {
  andCreatedWithin,
  type CreationBounds,
  countFiltered,
  likePattern,
  type PageBounds,
} from "../../database/listing.ts";
import { amongIds } from "../../database/statement.ts";
import type { OrganizationSort } from "../../vocabulary/list-orders.ts";
import { type Organization, organizationColumns, type Tier } from "./organization.ts";

/** Filters of the list of organizations (docs/contract.md, section 14.2); undefined: no filter. */
export interface OrganizationFilter extends CreationBounds {
  /** Substring of a name or slug. */
  readonly q: string | undefined;
  readonly suspended: boolean | undefined;
  readonly tier: Tier | undefined;
  /** Undefined: every organization. */
  readonly ids?: readonly string[] | undefined;
  /** The exact slug. */
  readonly slug?: string | undefined;
}

/** The matching organizations after an id, in the order of ids: one more than `limit`, if there are more. */
export async function listOrganizationsAfter(
  sql: Sql,
  filter: OrganizationFilter,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<{ items: Organization[]; total: number }> {
  const beyond = after === null ? sql`` : sql`and o.id > ${after}`;
  const [total, items] = await Promise.all([
    countOrganizations(sql, filter),
    sql<Organization[]>`
      select ${organizationColumns(sql)} from organizations o where ${conditions(sql, filter)} ${beyond}
      order by o.id limit ${limit + 1}`,
  ]);
  return { items, total };
}

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

function conditions(sql: Sql, filter: OrganizationFilter): Fragment {
  const { q, suspended, tier, ids, slug } = filter;
  return sql`o.kind = 'team'
    ${ids === undefined ? sql`` : sql`and o.id ${amongIds(sql, ids)}`}
    ${slug === undefined ? sql`` : sql`and o.slug = ${slug}`}
    ${q === undefined ? sql`` : sql`and lower(o.name || ' ' || o.slug) like ${likePattern(q)}`}
    ${suspended === undefined ? sql`` : sql`and o.suspended_at is ${suspended ? sql`not null` : sql`null`}`}
    ${tier === undefined ? sql`` : sql`and o.tier = ${tier}`}
    ${tier === "enterprise" ? sql`and o.tier <> 'standard'` : sql``}
    ${andCreatedWithin(sql, sql`o.created_at`, filter)}`;
}

/** The exact number of matching organizations. */
export async function countOrganizations(sql: Sql, filter: OrganizationFilter): Promise<number> {
  const { suspended, tier } = filter;
  return await countFiltered(sql, "organizations", {
    isNarrow: isNarrow(filter),
    matching: sql`organizations o where ${conditions(sql, filter)}`,
    excluded: [
      suspended === false
        ? sql`select id from organizations where suspended_at is not null and kind = 'team'`
        : undefined,
      tier === "standard" ? sql`select id from organizations where tier <> 'standard' and kind = 'team'` : undefined,
    ],
  });
}

function isNarrow({ q, suspended, tier, createdFrom, createdTo, ids, slug }: OrganizationFilter): boolean {
  const given = ids ?? slug ?? q ?? createdFrom ?? createdTo;
  return suspended === true || tier === "enterprise" || given !== undefined;
}
