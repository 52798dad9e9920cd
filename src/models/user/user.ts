import type { Fragment, Sql } from "../../base/database.ts";

/** What a password sign-in needs to know of an address, and the membership it would enter. */
export interface SignInCandidate {
  readonly userId: string;
  readonly passwordHash: string | null;
  readonly disabled: boolean;
  /** Null when the user has no membership that can be entered. */
  readonly organizationId: string | null;
}

/**
 * Looks an address up for sign-in. The membership is the one asked for, else the one used last, else the oldest; memberships
 * of suspended organizations do not count (decisions, section 4).
 */
export async function findSignInCandidate(
  sql: Sql,
  email: string,
  organizationId: string | undefined,
): Promise<SignInCandidate | undefined> {
  const [row] = await sql<SignInCandidate[]>`
    select u.id as "userId", u.password_hash as "passwordHash", u.disabled_at is not null as disabled,
           home.organization_id as "organizationId"
    from users u
    left join lateral (
      select m.organization_id
      from members m join organizations o on o.id = m.organization_id
      where m.user_id = u.id and o.suspended_at is null
        and m.organization_id = coalesce(${organizationId ?? null}::uuid, m.organization_id)
      order by m.organization_id = u.last_organization_id desc nulls last, m.joined_at, m.organization_id
      limit 1
    ) home on true
    where u.email = ${email}`;
  return row;
}

export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly displayName: string | null;
  readonly organizationId: string;
  readonly at: Date;
}

/** A part of the registration statement. A taken address violates `users_email_key`. */
export function insertUser(sql: Sql, user: NewUser): Fragment {
  return sql`
    insert into users (id, email, password_hash, last_password_change, display_name, last_login_at, last_organization_id,
                       created_at, updated_at)
    values (${user.id}, ${user.email}, ${user.passwordHash}, ${user.at}, ${user.displayName}, ${user.at},
            ${user.organizationId}, ${user.at}, ${user.at})
    returning id`;
}

/**
 * A part of the sign-in statement, after a CTE named `home`: locks the user and looks once more, so that a sign-in under way
 * while the account is disabled or its password replaced makes no session. `passwordHash` is the hash that was verified.
 */
export function enterAsUser(
  sql: Sql,
  entry: { userId: string; organizationId: string; passwordHash: string; at: Date },
): Fragment {
  return sql`
    update users u set last_login_at = ${entry.at}, last_organization_id = ${entry.organizationId}
    from home
    where u.id = ${entry.userId} and u.disabled_at is null and u.password_hash = ${entry.passwordHash}
    returning u.id`;
}

/** A part of the switching statement, after the CTE `home`: the next sign-in enters the same organization. */
export function rememberOrganization(sql: Sql, userId: string): Fragment {
  return sql`update users u set last_organization_id = home.organization_id from home where u.id = ${userId}`;
}

/** Replaces a hash of another cost, unless the password has been changed meanwhile. */
export async function replacePasswordHash(sql: Sql, userId: string, from: string, to: string): Promise<void> {
  await sql`update users set password_hash = ${to} where id = ${userId} and password_hash = ${from}`;
}

/** Whether an address is taken; asked before the costly hash, settled by the unique index. */
export async function emailIsTaken(sql: Sql, email: string): Promise<boolean> {
  const rows = await sql`select 1 from users where email = ${email}`;
  return rows.length > 0;
}
