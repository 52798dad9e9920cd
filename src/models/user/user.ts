import type { users } from "../../../db/schema/users.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { amongIds, type Cte } from "../../database/statement.ts";
import { admitsOwnMethod } from "../conditions/organization-access.ts";
import { hasAddress } from "./user-address.ts";

type UserRow = RowOf<typeof users>;

export interface NewUser extends Pick<UserRow, "id" | "email" | "displayName"> {
  /** Null for a user without a password. */
  readonly passwordHash: UserRow["passwordHash"];
  /** Language tag for emails; null: unknown. */
  readonly locale: UserRow["locale"];
  readonly organizationId: string;
  /** The organization that provisions the user and manages name and address. Default: none. */
  readonly managedBy?: string;
  readonly at: Date;
}

type FromRows = "displayName" | "email" | "id" | "locale";
/** A user; the personal values can be SQL expressions over the rows of `from`. */
export type UserSource = Omit<NewUser, FromRows> & { readonly [Key in FromRows]: Fragment | NewUser[Key] };

/** CTE fragment: inserts a user. An address that is registered violates `users_email_key`. */
export function insertUser(sql: Sql, user: NewUser): Fragment {
  return insertUserWith(sql, user, null, sql``);
}

/** CTE fragment: inserts a user whose address an identity provider has verified, a controlling proof. */
export function insertControlledUser(sql: Sql, user: NewUser): Fragment {
  return insertUserWith(sql, user, user.at, sql``);
}

/** CTE fragment: the same for each row of `from`; the invitation or the verified domain is the controlling proof. */
export function insertControlledUserFrom(sql: Sql, user: UserSource, from: Fragment): Fragment {
  return insertUserWith(sql, user, user.at, from);
}

function insertUserWith(sql: Sql, user: UserSource, controlledAt: Date | null, from: Fragment): Fragment {
  return sql`
    insert into users (id, email, email_verified_at, controlled_at, password_hash, last_password_change, display_name,
                       locale, last_login_at, last_organization_id, managed_by, created_at, updated_at)
    select ${user.id}::uuid, ${user.email}, ${controlledAt}::timestamptz, ${controlledAt}::timestamptz,
           ${user.passwordHash}::text,
           ${user.passwordHash === null ? null : user.at}::timestamptz, ${user.displayName}::text, ${user.locale}::text,
           ${user.at}::timestamptz, ${user.organizationId}::uuid, ${user.managedBy ?? null}::uuid,
           ${user.at}::timestamptz, ${user.at}::timestamptz
    ${from}
    returning id`;
}

/** The user and the membership of a sign-in, as validated. */
export interface SignInEntry extends Pick<UserRow, "credentialsEpoch"> {
  readonly userId: string;
  readonly organizationId: string;
  /** When the first factor was presented, if not now. */
  readonly presentedAt?: Date;
}

/**
 * CTE fragment: locks the user and checks the user again, so that no session starts if the account was disabled or the
 * credentials changed since they were read. `from`: the CTEs that must have a row too.
 */
export function lockAndRecordSignIn(sql: Sql, entry: SignInEntry, at: Date, from: Fragment): Fragment {
  return sql`
    update users u set last_login_at = ${at}, last_organization_id = ${entry.organizationId}
    ${from}
    where u.id = ${entry.userId} and u.disabled_at is null and u.credentials_epoch = ${entry.credentialsEpoch}
    returning u.id`;
}

/** CTE fragment: the same check under lock where a second factor is still to be presented. Records no sign-in. */
export function lockUnchangedUser(sql: Sql, entry: SignInEntry, from: Fragment): Fragment {
  return sql`${unchangedUser(sql, entry, from)} for share of u`;
}

/** CTE fragment: `lockUnchangedUser` as a row source of a statement that updates the user afterwards. */
export function lockUnchangedUserForUpdate(sql: Sql, entry: SignInEntry, from: Fragment): Fragment {
  return sql`${unchangedUser(sql, entry, from)} for no key update of u`;
}

function unchangedUser(sql: Sql, entry: SignInEntry, from: Fragment): Fragment {
  return sql`
    select u.id ${from}, users u
    where u.id = ${entry.userId} and u.disabled_at is null and u.credentials_epoch = ${entry.credentialsEpoch}`;
}

/**
 * CTE fragment of every change of credentials, for a row of `from` if given: invalidates the mfa_tokens and the
 * unfinished sign-ins of the user (docs/contract.md, section 3.5).
 */
export function renewCredentialsEpoch(sql: Sql, userId: string, at: Date, from = sql``): Fragment {
  return sql`
    update users u set credentials_epoch = u.credentials_epoch + 1, updated_at = ${at} ${from}
    where u.id = ${userId} returning u.id`;
}

/**
 * The first statement of a transaction that changes credentials, or the first row source of such a statement:
 * statements that lock the user first cannot deadlock with one another. A sign-in or a reset that consumes a separate
 * row (an email code, mailed token, passkey, identity) locks this row before the user, so a deadlock with a change is
 * possible; `Database` then runs the rolled-back work again.
 */
export function lockUser(sql: Sql, userId: string): Fragment {
  return sql`select id from users where id = ${userId} for no key update`;
}

/** CTE fragment: as `lockUser`, for a row of `from`. */
export function lockUserFor(sql: Sql, userId: string, from: Cte): Fragment {
  return sql`select u.id from users u, ${from} where u.id = ${userId} for no key update of u`;
}

/**
 * Locks the user; returns undefined for an account that is disabled or has a membership in an organization that is not
 * suspended and admits the user's own sign-in methods. The conditions are a separate statement: a statement that waits
 * for the lock does not see a membership that was inserted meanwhile.
 */
export async function lockUserWithoutOrganization(sql: Sql, userId: string, at: Date): Promise<Recipient | undefined> {
  await lockUser(sql, userId);
  const [row] = await sql<Recipient[]>`
    select u.email, u.controlled_at is not null as "isMailboxOwner", u.display_name as "displayName", u.locale,
           u.time_zone as "timeZone"
    from users u
    where u.id = ${userId} and u.disabled_at is null and not exists (
      select 1 from members m join organizations o on o.id = m.organization_id
      where m.user_id = u.id and o.suspended_at is null
        and ${admitsOwnMethod(sql, { account: sql`u.id`, organization: sql`o.id` }, at)}
    )`;
  return row;
}

/** The stored hash of a user, null without a password, and the start of the count of password guesses. */
export async function findPassword(
  sql: Sql,
  userId: string,
): Promise<Pick<UserRow, "passwordHash" | "guessesClearedAt">> {
  const [row] = await sql<Pick<UserRow, "passwordHash" | "guessesClearedAt">[]>`
    select password_hash as "passwordHash", guesses_cleared_at as "guessesClearedAt" from users where id = ${userId}`;
  return row ?? { passwordHash: null, guessesClearedAt: null };
}

/** CTE fragment: password guesses from before count no longer. */
export function clearPasswordGuesses(sql: Sql, userId: string, at: Date): Fragment {
  return sql`update users set guesses_cleared_at = ${at} where id = ${userId}`;
}

/** CTE fragment: makes the organization of `moved`, the session that was moved, the default of the next sign-in. */
export function rememberOrganization(sql: Sql, userId: string, moved: Cte): Fragment {
  return sql`update users u set last_organization_id = ${moved}.organization_id from ${moved} where u.id = ${userId}`;
}

/** Replaces a hash of a different scheme or cost, unless the password has been changed meanwhile. */
export async function replacePasswordHash(sql: Sql, userId: string, from: string, to: string): Promise<void> {
  await sql`update users set password_hash = ${to} where id = ${userId} and password_hash = ${from}`;
}

/** The recipient of an email. */
export interface Recipient extends Pick<UserRow, "email" | "displayName" | "locale" | "timeZone"> {
  /** Whether the owner of the mailbox has proven control of the account; false for an address without an account. */
  readonly isMailboxOwner: boolean;
}

export async function findRecipient(
  sql: Sql,
  userId: string,
): Promise<(Recipient & { readonly emailVerified: boolean }) | undefined> {
  const [row] = await sql<(Recipient & { emailVerified: boolean })[]>`
    select email, controlled_at is not null as "isMailboxOwner", display_name as "displayName", locale,
           time_zone as "timeZone", email_verified_at is not null as "emailVerified"
    from users where id = ${userId}`;
  return row;
}

/** A recipient with an account. */
export interface RecipientUser extends Recipient {
  readonly userId: string;
}

/** The user whose addresses change, read under the lock of the row. */
export interface Owner extends RecipientUser {
  readonly organizationId: string | null;
}

export async function findOwner(sql: Sql, userId: string): Promise<Owner> {
  const [row] = await sql<Owner[]>`
    select id as "userId", last_organization_id as "organizationId", email,
           controlled_at is not null as "isMailboxOwner", display_name as "displayName", locale,
           time_zone as "timeZone"
    from users where id = ${userId}`;
  if (!row) throw new Error("a locked user does not exist");
  return row;
}

/**
 * The recipients of notices about an organization, at most `limit`: the owners, or for null the admins and owners of
 * the platform, without disabled users.
 */
export async function listResponsibleUsers(
  sql: Sql,
  organizationId: string | null,
  limit: number,
): Promise<RecipientUser[]> {
  const responsible =
    organizationId === null
      ? sql`u.platform_role in ('admin', 'owner')`
      : sql`exists (
          select 1 from members m where m.organization_id = ${organizationId} and m.user_id = u.id and m.role = 'owner'
        )`;
  return await sql<RecipientUser[]>`
    select u.id as "userId", u.email, u.controlled_at is not null as "isMailboxOwner", u.display_name as "displayName",
           u.locale, u.time_zone as "timeZone"
    from users u where ${responsible} and u.disabled_at is null order by u.created_at, u.id limit ${limit}`;
}

/** The addresses of the existing users, by user id. `organizationId`: of members of the organization alone. */
export async function findAddresses(
  sql: Sql,
  userIds: readonly string[],
  organizationIds?: readonly string[],
): Promise<Map<string, string>> {
  const isMember = sql`and exists (
    select 1 from members m where m.user_id = u.id and m.organization_id ${amongIds(sql, organizationIds ?? [])}
  )`;
  const rows = await sql<{ id: string; email: string }[]>`
    select u.id, u.email from users u
    where u.id = any(${[...userIds]}::uuid[]) ${organizationIds === undefined ? sql`` : isMember}`;
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** The user with this address, as the recipient of an email to this address. */
export async function findRecipientByEmail(sql: Sql, email: string): Promise<Recipient | undefined> {
  const [row] = await sql<Recipient[]>`
    select e.email, u.controlled_at is not null as "isMailboxOwner", u.display_name as "displayName", u.locale,
           u.time_zone as "timeZone"
    from user_emails e join users u on u.id = e.user_id where ${hasAddress(sql, email)}`;
  return row;
}

/**
 * CTE fragment: replaces the password and renews the credentials epoch. `from`: the hash of the comparison with the
 * current password, or null for a user without a password; no row if the stored hash has changed. Undefined at a reset.
 */
export function changePassword(
  sql: Sql,
  userId: string,
  to: string,
  from: string | null | undefined,
  at: Date,
): Fragment {
  return sql`
    update users
    set password_hash = ${to}, last_password_change = ${at}, guesses_cleared_at = ${at},
        credentials_epoch = credentials_epoch + 1, updated_at = ${at}
    where id = ${userId} and (${from === undefined}::boolean or password_hash is not distinct from ${from ?? null})
    returning id`;
}

/** CTE fragment for the user of `consumed`, the mailed token. Returns `fresh`: the address was not verified before. */
export function markEmailVerified(sql: Sql, at: Date, consumed: Cte): Fragment {
  return sql`
    update users u set email_verified_at = coalesce(u.email_verified_at, ${at}), updated_at = ${at} from ${consumed}
    where u.id = ${consumed}.user_id
    returning u.id, u.email, u.last_organization_id, u.email_verified_at = ${at} as fresh`;
}

/** CTE fragment: marks the address of a given user as verified, for a row of `from`. */
export function markUserVerified(sql: Sql, userId: string, at: Date, from: Fragment): Fragment {
  return sql`
    update users u set email_verified_at = coalesce(u.email_verified_at, ${at}) ${from} where u.id = ${userId}
    returning u.email_verified_at = ${at} as fresh`;
}
