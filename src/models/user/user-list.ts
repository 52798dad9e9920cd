import type { Fragment, Sql } from "../../database/database.ts";
import { andCreatedWithin, type CreationBounds, countFiltered, type PageBounds } from "../../database/listing.ts";
import type { UserSort } from "../../vocabulary/list-orders.ts";
import type { PlatformRole } from "./platform-role.ts";
import { type Profile, profileColumns, searchConditions, searchProfiles } from "./profile.ts";

/** Filters of the list of users (docs/contract.md, section 14.5); undefined: no filter. */
export interface UserFilter extends CreationBounds {
  /** Substring of an address or name. */
  readonly q: string | undefined;
  readonly disabled: boolean | undefined;
  readonly platformRole: PlatformRole | undefined;
  readonly mfaEnabled: boolean | undefined;
  /** Members of this organization. */
  readonly organizationId: string | undefined;
}

/** A page of the matching users in the given order, and the exact total. */
export async function listUsers(
  sql: Sql,
  filter: UserFilter,
  sort: UserSort,
  page: PageBounds,
): Promise<{ items: Profile[]; total: number }> {
  if (sort === "-created_at" && isPlainSearch(filter)) return await searchProfiles(sql, filter.q, page);
  const [total, items] = await Promise.all([countUsers(sql, filter), listMatching(sql, filter, sort, page)]);
  return { items, total };
}

function isPlainSearch({ q: _q, ...filters }: UserFilter): boolean {
  return Object.values(filters).every((value) => value === undefined);
}

/** The page of ids first, by an index: PostgreSQL would compute the columns of skipped rows too. */
async function listMatching(sql: Sql, filter: UserFilter, sort: UserSort, page: PageBounds): Promise<Profile[]> {
  const order = orderBy(sql, sort);
  return await sql<Profile[]>`
    select ${profileColumns(sql)}
    from (
      select u.id from users u where ${conditions(sql, filter)}
      order by ${order} limit ${page.limit} offset ${page.offset}
    ) page join users u on u.id = page.id
    order by ${order}`;
}

function orderBy(sql: Sql, sort: UserSort): Fragment {
  switch (sort) {
    case "-created_at":
      return sql`u.created_at desc, u.id desc`;
    case "created_at":
      return sql`u.created_at, u.id`;
    case "email":
      return sql`u.email`;
    case "-email":
      return sql`u.email desc`;
  }
}

function conditions(sql: Sql, filter: UserFilter): Fragment {
  const { q, disabled, platformRole, mfaEnabled, organizationId } = filter;
  const enrolled = sql`
    exists (select 1 from totp_factors t where t.user_id = u.id and t.confirmed_at is not null)`;
  return sql`true
    ${q === undefined ? sql`` : sql`and ${searchConditions(sql, q)}`}
    ${disabled === undefined ? sql`` : disabled ? sql`and u.disabled_at is not null` : sql`and u.disabled_at is null`}
    ${platformRole === undefined ? sql`` : sql`and u.platform_role = ${platformRole}`}
    ${mfaEnabled === undefined ? sql`` : mfaEnabled ? sql`and ${enrolled}` : sql`and not ${enrolled}`}
    ${organizationId === undefined ? sql`` : sql`and u.id in (${membersOf(sql, organizationId)})`}
    ${andCreatedWithin(sql, sql`u.created_at`, filter)}`;
}

function membersOf(sql: Sql, organizationId: string): Fragment {
  return sql`select user_id from members where organization_id = ${organizationId}`;
}

/** The exact number of matching users. */
export async function countUsers(sql: Sql, filter: UserFilter): Promise<number> {
  const { disabled, mfaEnabled } = filter;
  return await countFiltered(sql, "users", {
    isNarrow: isNarrow(filter),
    matching: sql`users u where ${conditions(sql, filter)}`,
    excluded: [
      disabled === false ? sql`select id from users where disabled_at is not null` : undefined,
      mfaEnabled === false ? sql`select user_id from totp_factors where confirmed_at is not null` : undefined,
    ],
  });
}

function isNarrow({ disabled, mfaEnabled, ...filters }: UserFilter): boolean {
  return disabled === true || mfaEnabled === true || Object.values(filters).some((value) => value !== undefined);
}
