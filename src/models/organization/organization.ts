import type { Fragment, Sql } from "../../base/database.ts";

export type Tier = "standard" | "enterprise";

export interface NewOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly tier: Tier;
  readonly at: Date;
}

/** A part of the registration statement. A taken slug violates `organizations_slug_key`. */
export function insertOrganization(sql: Sql, organization: NewOrganization): Fragment {
  return sql`
    insert into organizations (id, name, slug, tier, created_at, updated_at)
    values (${organization.id}, ${organization.name}, ${organization.slug}, ${organization.tier}, ${organization.at},
            ${organization.at})
    returning id`;
}

/** Which of some slugs are taken; asked before the costly hash, settled by the unique index. */
export async function takenSlugs(sql: Sql, candidates: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ slug: string }[]>`select slug from organizations where slug = any(${[...candidates]})`;
  return new Set(rows.map((row) => row.slug));
}

/** What the platform's administrators see of an organization (contract, section 2.6; decisions, section 8). */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly tier: Tier;
  readonly suspended: boolean;
  readonly createdAt: Date;
}

/** Columns of `Organization`, of the table alias `o`. */
export function organizationColumns(sql: Sql): Fragment {
  return sql`o.id, o.name, o.slug, o.tier, o.suspended_at is not null as suspended, o.created_at as "createdAt"`;
}

export async function findOrganization(sql: Sql, id: string): Promise<Organization | undefined> {
  const [row] = await sql<Organization[]>`select ${organizationColumns(sql)} from organizations o where o.id = ${id}`;
  return row;
}
