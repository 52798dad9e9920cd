import type { Fragment, Sql } from "../../base/database.ts";

/** Somebody whom a door may let in: what every way of signing in needs to know, and the membership that it would enter. */
export interface SignInCandidate {
  readonly userId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** Whether the owner of the mailbox has proven control of this account. */
  readonly controlled: boolean;
  readonly displayName: string | null;
  readonly locale: string | null;
  readonly passwordHash: string | null;
  readonly disabled: boolean;
  /** The state of the credentials that this reading saw; `lockAndRecordSignIn` asks for the same. */
  readonly credentialsEpoch: number;
  readonly mfaEnabled: boolean;
  /** The live trusted browser of this very user that asks, if it is one. */
  readonly trustedBrowserId: string | null;
  /** Null when the user has no membership that can be entered. */
  readonly organizationId: string | null;
}

/** A candidate who has a membership to enter. */
export type AdmissibleCandidate = SignInCandidate & { readonly organizationId: string };

export interface CandidateQuestion {
  /** Which membership; absent: the one used last. */
  readonly organizationId?: string | undefined;
  /** Hash of the cookie `service_trust`. */
  readonly trustTokenHash?: Buffer | undefined;
  readonly at: Date;
}

/**
 * Looks a user up for sign-in. The membership is the one asked for, else the one used last, else the oldest; memberships
 * of suspended organizations do not count (decisions, section 4).
 */
export async function findSignInCandidate(
  sql: Sql,
  who: { readonly email: string } | { readonly userId: string },
  question: CandidateQuestion,
): Promise<SignInCandidate | undefined> {
  const [row] = await sql<SignInCandidate[]>`
    select u.id as "userId", u.email, u.email_verified_at is not null as "emailVerified",
           u.controlled_at is not null as controlled, u.display_name as "displayName", u.locale,
           u.password_hash as "passwordHash", u.disabled_at is not null as disabled,
           u.credentials_epoch as "credentialsEpoch",
           t.user_id is not null as "mfaEnabled", b.id as "trustedBrowserId", home.organization_id as "organizationId"
    from users u
    left join totp_factors t on t.user_id = u.id and t.confirmed_at is not null
    left join trusted_browsers b on b.token_hash = ${question.trustTokenHash ?? null}::bytea and b.user_id = u.id
      and b.revoked_at is null and b.expires_at > ${question.at}
    left join lateral (
      select m.organization_id
      from members m join organizations o on o.id = m.organization_id
      where m.user_id = u.id and o.suspended_at is null
        and m.organization_id = coalesce(${question.organizationId ?? null}::uuid, m.organization_id)
      order by m.organization_id = u.last_organization_id desc nulls last, m.joined_at, m.organization_id
      limit 1
    ) home on true
    where ${"email" in who ? sql`u.email = ${who.email}` : sql`u.id = ${who.userId}`}`;
  return row;
}

export interface NewUser {
  readonly id: string;
  readonly email: string;
  /** Null for a user who signs in by other means alone. */
  readonly passwordHash: string | null;
  readonly displayName: string | null;
  /** Language tag of the e-mails that the user gets; null: unknown. */
  readonly locale: string | null;
  readonly organizationId: string;
  readonly at: Date;
}

/** CTE fragment of the registration statement. A taken address violates `users_email_key`. */
export function insertUser(sql: Sql, user: NewUser): Fragment {
  return insertUserWith(sql, user, null, sql``);
}

/** The same for somebody whose address another provider vouches for, which is a controlling proof. */
export function insertControlledUser(sql: Sql, user: NewUser): Fragment {
  return insertUserWith(sql, user, user.at, sql``);
}

/** CTE fragment of the accepting statement, once for a row of `from`: the invitation was a controlling proof. */
export function insertControlledUserFrom(sql: Sql, user: NewUser, from: Fragment): Fragment {
  return insertUserWith(sql, user, user.at, from);
}

function insertUserWith(sql: Sql, user: NewUser, controlledAt: Date | null, from: Fragment): Fragment {
  return sql`
    insert into users (id, email, email_verified_at, controlled_at, password_hash, last_password_change, display_name,
                       locale, last_login_at, last_organization_id, created_at, updated_at)
    select ${user.id}::uuid, ${user.email}, ${controlledAt}::timestamptz, ${controlledAt}::timestamptz,
           ${user.passwordHash}::text,
           ${user.passwordHash === null ? null : user.at}::timestamptz, ${user.displayName}::text, ${user.locale}::text,
           ${user.at}::timestamptz, ${user.organizationId}::uuid, ${user.at}::timestamptz, ${user.at}::timestamptz
    ${from}
    returning id`;
}

/** Who enters, as the door saw it. */
export interface SignInEntry {
  readonly userId: string;
  readonly organizationId: string;
  readonly credentialsEpoch: number;
  /** When the first factor was shown, if that was before now. */
  readonly shownAt?: Date;
}

/**
 * CTE fragment `person` of the sign-in statement: locks the user and looks once more, so that a sign-in under way while the
 * account is disabled or its password or factors change makes no session. `from`: the CTEs that must have a row too.
 */
export function lockAndRecordSignIn(sql: Sql, entry: SignInEntry, at: Date, from: Fragment): Fragment {
  return sql`
    update users u set last_login_at = ${at}, last_organization_id = ${entry.organizationId}
    ${from}
    where u.id = ${entry.userId} and u.disabled_at is null and u.credentials_epoch = ${entry.credentialsEpoch}
    returning u.id`;
}

/** The same look under lock, for a person who still has to show a second factor and does not enter yet. */
export function lockUnchangedUser(sql: Sql, entry: SignInEntry, from: Fragment): Fragment {
  return sql`
    select u.id ${from}, users u
    where u.id = ${entry.userId} and u.disabled_at is null and u.credentials_epoch = ${entry.credentialsEpoch}
    for share of u`;
}

/**
 * CTE fragment of a statement that changes what proves who the user is, once for a row of `from`: mfa_tokens and sign-ins under way die
 * (decisions, section 5).
 */
export function renewCredentialsEpoch(sql: Sql, userId: string, at: Date, from = sql``): Fragment {
  return sql`
    update users u set credentials_epoch = u.credentials_epoch + 1, updated_at = ${at} ${from}
    where u.id = ${userId} returning u.id`;
}

/**
 * The head of a transaction that changes what proves who the user is, or the first row source of a statement that uses
 * it: all of them lock the user first, so that none waits for another in a circle.
 */
export function lockUser(sql: Sql, userId: string): Fragment {
  return sql`select id from users where id = ${userId} for no key update`;
}

/** The stored hash of a user who confirms the password once more; null without one. */
export async function findPasswordHash(sql: Sql, userId: string): Promise<string | null> {
  const [row] = await sql<{ hash: string | null }[]>`select password_hash as hash from users where id = ${userId}`;
  return row?.hash ?? null;
}

/** CTE fragment of the switching statement, after `changed`, the session that moved: the next sign-in enters the same organization. */
export function rememberOrganization(sql: Sql, userId: string): Fragment {
  return sql`update users u set last_organization_id = changed.organization_id from changed where u.id = ${userId}`;
}

/** Replaces a hash of another cost, unless the password has been changed meanwhile. */
export async function replacePasswordHash(sql: Sql, userId: string, from: string, to: string): Promise<void> {
  await sql`update users set password_hash = ${to} where id = ${userId} and password_hash = ${from}`;
}

/** To whom a letter goes, and how the reader is called and spoken to. */
export interface Recipient {
  readonly email: string;
  readonly displayName: string | null;
  readonly locale: string | null;
}

export async function findRecipient(
  sql: Sql,
  userId: string,
): Promise<(Recipient & { readonly emailVerified: boolean }) | undefined> {
  const [row] = await sql<(Recipient & { emailVerified: boolean })[]>`
    select email, display_name as "displayName", locale, email_verified_at is not null as "emailVerified"
    from users where id = ${userId}`;
  return row;
}

/** The same, by address; `undefined` for one that nobody here has. */
export async function findRecipientByEmail(sql: Sql, email: string): Promise<Recipient | undefined> {
  const [row] = await sql<Recipient[]>`
    select email, display_name as "displayName", locale from users where email = ${email}`;
  return row;
}

/**
 * A part of the statement that sets a new password, as the CTE `changed`: what proves who the user is changes with it. `from`: the
 * hash that must still stand, if one was compared.
 */
export function changePassword(sql: Sql, userId: string, to: string, from: string | undefined, at: Date): Fragment {
  return sql`
    update users
    set password_hash = ${to}, last_password_change = ${at}, credentials_epoch = credentials_epoch + 1, updated_at = ${at}
    where id = ${userId} and (${from ?? null}::text is null or password_hash = ${from ?? null})
    returning id`;
}

/**
 * CTE fragment `verified` of the verifying statement, for the user of `from`. `fresh`: it was not verified
 * before.
 */
export function markEmailVerified(sql: Sql, at: Date, from: Fragment): Fragment {
  return sql`
    update users u set email_verified_at = coalesce(u.email_verified_at, ${at}), updated_at = ${at} ${from}
    where u.id = consumed.user_id
    returning u.id, u.email, u.last_organization_id, u.email_verified_at = ${at} as fresh`;
}

/** The same in a statement of a known user, once for a row of `from`. */
export function markUserVerified(sql: Sql, userId: string, at: Date, from: Fragment): Fragment {
  return sql`
    update users u set email_verified_at = coalesce(u.email_verified_at, ${at}) ${from} where u.id = ${userId}
    returning u.email_verified_at = ${at} as fresh`;
}

/** Whether an address is taken; asked before the costly hash, settled by the unique index. */
export async function emailIsTaken(sql: Sql, email: string): Promise<boolean> {
  const rows = await sql`select 1 from users where email = ${email}`;
  return rows.length > 0;
}
