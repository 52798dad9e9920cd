import type { Fragment, Sql } from "../../database/database.ts";
import { andCreatedWithin, type CreationBounds, countFiltered, type PageBounds } from "../../database/listing.ts";
import type { UserSort } from "../../vocabulary/list-orders.ts";
import { isPersonalOrganizationId } from "../../vocabulary/personal-organization.ts";
import { type AdministeredUser, administeredColumns } from "./administered-user.ts";
import type { PlatformRole } from "./platform-role.ts";
import { type Profile, profileColumns, searchConditions, searchProfiles } from "./profile.ts";
import { hasAddress } from "./user-address.ts";

/** Filters of the list of users (docs/contract.md, section 14.5); undefined: no filter. */
export interface UserFilter extends CreationBounds {
  /** Substring of an address or name. */
  readonly q: string | undefined;
  readonly disabled: boolean | undefined;
  readonly platformRole: PlatformRole | undefined;
  readonly mfaEnabled: boolean | undefined;
  /** Members of this organization. */
  readonly organizationId: string | undefined;
  /** A normalised address, primary or verified. */
  readonly email?: string | undefined;
  readonly externalId?: string | undefined;
  /** Users whom this organization manages. */
  readonly managedBy?: string | undefined;
  readonly lastLoginFrom?: Date | undefined;
  readonly lastLoginTo?: Date | undefined;
}

/** Items after an id, in the order of ids: one more than `limit`, if there are more. */
export interface AfterBounds {
  /** Null: from the oldest. */
  readonly after: string | null;
  readonly limit: number;
}

/** The matching users after an id, with the members for administrators, and the exact total. */
export async function listUsersAfter(
  sql: Sql,
  filter: UserFilter,
  { after, limit }: AfterBounds,
  withMetadata: boolean,
): Promise<{ items: AdministeredUser[]; total: number }> {
  const beyond = after === null ? sql`` : sql`and u.id > ${after}`;
  const [total, items] = await Promise.all([
    countUsers(sql, filter),
    sql<AdministeredUser[]>`
      select ${administeredColumns(sql, withMetadata)}
      from (
        select u.id from users u where ${conditions(sql, filter)} ${beyond} order by u.id limit ${limit + 1}
      ) page join users u on u.id = page.id
      order by u.id`,
  ]);
  return { items, total };
}

/** A page of the matching users, with the members for administrators. */
export async function listAdministeredUsers(
  sql: Sql,
  filter: UserFilter,
  sort: UserSort,
  page: PageBounds,
  withMetadata: boolean,
): Promise<{ items: AdministeredUser[]; total: number }> {
  const { items, total } = await listUsers(sql, filter, sort, page);
  const ids = items.map(({ userId }) => userId);
  const rows = await sql<AdministeredUser[]>`
    select ${administeredColumns(sql, withMetadata)} from users u where u.id = any(${ids}::uuid[])`;
  const byId = new Map(rows.map((row) => [row.userId, row]));
  return { items: ids.flatMap((id) => byId.get(id) ?? []), total };
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
  const { q, disabled, platformRole, mfaEnabled, organizationId, email, externalId, managedBy } = filter;
  const { lastLoginFrom, lastLoginTo } = filter;
  const addressed = sql`select e.user_id from user_emails e where ${hasAddress(sql, email ?? "")}`;
  const enrolled = sql`
    exists (select 1 from totp_factors t where t.user_id = u.id and t.confirmed_at is not null)`;
  return sql`true
    ${q === undefined ? sql`` : sql`and ${searchConditions(sql, q)}`}
    ${disabled === undefined ? sql`` : disabled ? sql`and u.disabled_at is not null` : sql`and u.disabled_at is null`}
    ${platformRole === undefined ? sql`` : sql`and u.platform_role = ${platformRole}`}
    ${mfaEnabled === undefined ? sql`` : mfaEnabled ? sql`and ${enrolled}` : sql`and not ${enrolled}`}
    ${organizationId === undefined ? sql`` : sql`and u.id in (${membersOf(sql, organizationId)})`}
    ${email === undefined ? sql`` : sql`and u.id in (${addressed})`}
    ${externalId === undefined ? sql`` : sql`and u.external_id = ${externalId}`}
    ${managedBy === undefined ? sql`` : sql`and u.managed_by = ${managedBy}`}
    ${lastLoginFrom === undefined ? sql`` : sql`and u.last_login_at >= ${lastLoginFrom}`}
    ${lastLoginTo === undefined ? sql`` : sql`and u.last_login_at <= ${lastLoginTo}`}
    ${andCreatedWithin(sql, sql`u.created_at`, filter)}`;
}

/** No member of a personal organization, whose id is an unknown id. */
function membersOf(sql: Sql, organizationId: string): Fragment {
  if (isPersonalOrganizationId(organizationId)) return sql`select null::uuid where false`;
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
