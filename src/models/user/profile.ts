import type { users } from "../../../db/schema/users.ts";
import { addressSpellings } from "../../base/ascii-domain.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { countRows, likePattern, type PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import { amongIds } from "../../database/statement.ts";
import { personalOrganizationId } from "../../vocabulary/personal-organization.ts";
import type { JsonObject } from "../conditions/stored-metadata.ts";

type UserRow = RowOf<typeof users>;

/** A membership in a profile. */
export interface ProfileOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly role: "owner" | "admin" | "member";
}

/** The account of GET /v1/users/me and GET /v1/users/:id (docs/contract.md, section 4.4). */
export interface Profile
  extends Pick<
    UserRow,
    "email" | "displayName" | "avatarHash" | "platformRole" | "createdAt" | "updatedAt" | "lastLoginAt"
  > {
  readonly userId: string;
  readonly emailVerified: boolean;
  /** Preferred language tag (RFC 5646). */
  readonly locale: UserRow["locale"];
  /** IANA name of the time zone of displayed times. */
  readonly timeZone: UserRow["timeZone"];
  readonly hasPassword: boolean;
  readonly mfaEnabled: boolean;
  readonly disabled: boolean;
  /** Time of the erasure while a deletion is pending. */
  readonly deletionAt: UserRow["deletionAt"];
  readonly organizations: readonly ProfileOrganization[];
  /** Present where one profile is read. */
  readonly publicMetadata?: JsonObject;
  /** Whether the user has a personal organization. Present where one profile is read. */
  readonly hasPersonalOrganization?: boolean;
}

/** Columns of `Profile`, of the table alias `u`. */
export function profileColumns(sql: Sql): Fragment {
  return sql`
    u.id as "userId", u.email, u.email_verified_at is not null as "emailVerified", u.display_name as "displayName",
    u.avatar_hash as "avatarHash", u.locale, u.time_zone as "timeZone", u.platform_role as "platformRole",
    u.password_hash is not null as "hasPassword",
    exists (select 1 from totp_factors t where t.user_id = u.id and t.confirmed_at is not null) as "mfaEnabled",
    u.disabled_at is not null as disabled, u.deletion_at as "deletionAt",
    u.created_at as "createdAt", u.updated_at as "updatedAt",
    u.last_login_at as "lastLoginAt",
    coalesce((
      select json_agg(json_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'role', m.role)
                      order by m.joined_at, o.id)
      from members m join organizations o on o.id = m.organization_id where m.user_id = u.id and o.kind = 'team'
    ), '[]') as organizations`;
}

export async function findProfile(sql: Sql, userId: string): Promise<Profile | undefined> {
  const [row] = await sql<Profile[]>`
    select ${profileColumns(sql)}, coalesce(u.public_metadata, '{}') as "publicMetadata",
           exists (
             select 1 from organizations where id = ${personalOrganizationId(userId)}
           ) as "hasPersonalOrganization"
    from users u where u.id = ${userId}`;
  return row;
}

/** The values that a user changes. Undefined: unchanged. */
export interface ProfileValues {
  readonly displayName?: UserRow["displayName"] | undefined;
  readonly locale?: UserRow["locale"] | undefined;
  readonly timeZone?: UserRow["timeZone"] | undefined;
}

/** CTE fragment: changes the profile of a user; no row for unchanged values. */
export function updateProfile(sql: Sql, userId: string, values: ProfileValues, at: Date): Fragment {
  const { displayName, locale, timeZone } = values;
  const name = displayName === undefined ? sql`display_name` : sql`${displayName}::text`;
  const tag = locale === undefined ? sql`locale` : sql`${locale}::text`;
  const zone = timeZone === undefined ? sql`time_zone` : sql`${timeZone}::text`;
  return sql`
    update users set display_name = ${name}, locale = ${tag}, time_zone = ${zone}, updated_at = ${at}
    where id = ${userId} and (display_name, locale, time_zone) is distinct from (${name}, ${tag}, ${zone})
    returning id`;
}

/** A page of users whose address or name contains `q`, newest first, and their total. */
export async function searchProfiles(
  sql: Sql,
  q: string | undefined,
  page: PageBounds,
): Promise<{ items: Profile[]; total: number }> {
  const found = await sql<({ total: number } & (Profile | { userId: null }))[]>`
    select found.total, ${profileColumns(sql)}
    from ${q ? usersContaining(sql, q, page) : newestUsers(sql, page)} found left join users u on u.id = found.id
    order by u.created_at desc, u.id desc`;
  const items = found.flatMap(({ total, ...user }) => (user.userId === null ? [] : [user]));
  return { items, total: found[0]?.total ?? 0 };
}

/** Total and ids of a page of all users; a row without an id where the page is empty. */
function newestUsers(sql: Sql, { limit, offset }: PageBounds): Fragment {
  // The page first, by the index alone: PostgreSQL would compute the columns of skipped rows too.
  return sql`(
    select counted.total, page.id from (${countRows(sql, "users")}) counted left join (
      select id from users order by created_at desc, id desc limit ${limit} offset ${offset}
    ) page on true)`;
}

/** A trigram index cannot find a shorter text. */
const INDEXED_MIN_CHARACTERS = 3;

/**
 * A page of the users whose address or name contains `q`, by the trigram index. Only the local part of an address goes
 * through the index, because a common domain has very long posting lists.
 */
function usersContaining(sql: Sql, q: string, { limit, offset }: PageBounds): Fragment {
  const { indexed, pattern } = searchPatterns(q);
  return sql`search_users(${indexed}, ${pattern}, ${limit}, ${offset})`;
}

function searchPatterns(text: string): { readonly indexed: string; readonly pattern: string | null } {
  // An address is stored with the domain as A-labels.
  const [q = text] = addressSpellings(text);
  const [name = ""] = q.split("@");
  const isAddress = name !== q && name.length >= INDEXED_MIN_CHARACTERS;
  return isAddress
    ? { indexed: likePattern(name), pattern: likePattern(q) }
    : { indexed: likePattern(q), pattern: null };
}

/** Users whose address or name contains `q`, newest first: members of an organization, or for undefined all users. */
export async function findUserIdsContaining(
  sql: Sql,
  q: string,
  organizationIds: readonly string[] | undefined,
  limit: number,
): Promise<string[]> {
  const found =
    organizationIds === undefined
      ? sql`${usersContaining(sql, q, { limit, offset: 0 })} u where u.id is not null`
      : sql`members m join users u on u.id = m.user_id
            where m.organization_id ${amongIds(sql, organizationIds)} and ${searchConditions(sql, q)} limit ${limit}`;
  const rows = await sql<{ id: string }[]>`select u.id from ${found}`;
  return rows.map(({ id }) => id);
}

/** The conditions of the function `search_users`, of the table alias `u`, beside further filters. */
export function searchConditions(sql: Sql, q: string): Fragment {
  const { indexed, pattern } = searchPatterns(q);
  // Concatenation with the empty string keeps the second comparison away from the index.
  return sql`
    lower(u.email || ' ' || coalesce(u.display_name, '')) like ${indexed}
    and (${pattern}::text is null or lower(u.email || ' ' || coalesce(u.display_name, '')) || '' like ${pattern})`;
}

/** CTE fragment: disables or enables a user; no row for an unchanged state, and none while a deletion is pending. */
export function setDisabled(sql: Sql, userId: string, disabled: boolean, at: Date): Fragment {
  return sql`
    update users
    set disabled_at = ${disabled ? at : null}, updated_at = ${at}, credentials_epoch = credentials_epoch + 1
    where id = ${userId} and (disabled_at is not null) <> ${disabled} and deletion_at is null
    returning id`;
}
