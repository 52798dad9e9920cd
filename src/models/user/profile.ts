import type { Fragment, Sql } from "../../base/database.ts";
import { countRows, likePattern } from "../../base/listing.ts";
import type { PlatformRole } from "./platform-role.ts";

/** A membership in a profile. */
export interface ProfileOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly role: "owner" | "admin" | "member";
}

/** The account of GET /v1/users/me and GET /v1/users/:id (docs/contract.md, section 4.4). */
export interface Profile {
  readonly userId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly displayName: string | null;
  readonly avatarHash: string | null;
  /** Preferred language tag (RFC 5646). */
  readonly locale: string | null;
  readonly platformRole: PlatformRole | null;
  readonly hasPassword: boolean;
  readonly mfaEnabled: boolean;
  readonly disabled: boolean;
  readonly organizations: readonly ProfileOrganization[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastLoginAt: Date | null;
}

/** Columns of `Profile`, of the table alias `u`. */
export function profileColumns(sql: Sql): Fragment {
  return sql`
    u.id as "userId", u.email, u.email_verified_at is not null as "emailVerified", u.display_name as "displayName",
    u.avatar_hash as "avatarHash", u.locale, u.platform_role as "platformRole",
    u.password_hash is not null as "hasPassword",
    exists (select 1 from totp_factors t where t.user_id = u.id and t.confirmed_at is not null) as "mfaEnabled",
    u.disabled_at is not null as disabled, u.created_at as "createdAt", u.updated_at as "updatedAt",
    u.last_login_at as "lastLoginAt",
    coalesce((
      select json_agg(json_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'role', m.role)
                      order by m.joined_at, o.id)
      from members m join organizations o on o.id = m.organization_id where m.user_id = u.id
    ), '[]') as organizations`;
}

export async function findProfile(sql: Sql, userId: string): Promise<Profile | undefined> {
  const [row] = await sql<Profile[]>`select ${profileColumns(sql)} from users u where u.id = ${userId}`;
  return row;
}

/** CTE fragment: renames a user; no row when the name is the same already. */
export function renameUser(sql: Sql, userId: string, displayName: string | null, at: Date): Fragment {
  return sql`
    update users set display_name = ${displayName}, updated_at = ${at}
    where id = ${userId} and display_name is distinct from ${displayName}
    returning id`;
}

/** A page of users whose address or name contains `q`, newest first, and their total. */
export async function searchProfiles(
  sql: Sql,
  q: string | undefined,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ items: Profile[]; total: number }> {
  const matches = q ? sql`where ${containsText(sql, q)}` : sql``;
  const count = q ? sql`select count(*)::int as total from users u ${matches}` : countRows(sql, "users");
  const [counted, items] = await Promise.all([
    sql<{ total: number }[]>`${count}`,
    // The page first, by the index alone: PostgreSQL would compute the columns of skipped rows too.
    sql<Profile[]>`
      select ${profileColumns(sql)} from (
        select u.id from users u ${matches}
        order by u.created_at desc, u.id desc limit ${page.limit} offset ${page.offset}
      ) page join users u on u.id = page.id
      order by u.created_at desc, u.id desc`,
  ]);
  return { items, total: counted[0]?.total ?? 0 };
}

/** A trigram index finds nothing shorter. */
const INDEXED_MIN_CHARACTERS = 3;

/**
 * A condition that the trigram index of addresses and names serves. For an address only the local part goes through the
 * index, because a common domain has very long posting lists; the rest filters what was found.
 */
function containsText(sql: Sql, q: string): Fragment {
  const text = sql`lower(u.email || ' ' || coalesce(u.display_name, ''))`;
  const [name = ""] = q.split("@");
  if (name === q || name.length < INDEXED_MIN_CHARACTERS) return sql`${text} like ${likePattern(q)}`;
  return sql`${text} like ${likePattern(name)} and ${text} || '' like ${likePattern(q)}`;
}

/** CTE fragment: disables or enables a user; no row when it is so already. */
export function setDisabled(sql: Sql, userId: string, disabled: boolean, at: Date): Fragment {
  return sql`
    update users
    set disabled_at = ${disabled ? at : null}, updated_at = ${at}, credentials_epoch = credentials_epoch + 1
    where id = ${userId} and (disabled_at is not null) <> ${disabled}
    returning id`;
}
