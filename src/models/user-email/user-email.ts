import type { userEmails } from "../../../db/schema/user-emails.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import { type SetUpPeriod, setUpWithin } from "../conditions/set-up-period.ts";

type UserEmailRow = RowOf<typeof userEmails>;

/** An address of a user (docs/contract.md, section 4.14). */
export type UserEmail = Pick<UserEmailRow, "id" | "email" | "verifiedAt" | "primary" | "createdAt">;

function columns(sql: Sql): Fragment {
  return sql`e.id, e.email, e.verified_at as "verifiedAt", e."primary", e.created_at as "createdAt"`;
}

/** A page of the addresses of a user, the primary address first, and the total. */
export async function listUserEmails(
  sql: Sql,
  userId: string,
  page: PageBounds,
): Promise<{ items: UserEmail[]; total: number }> {
  const rows = await sql<(UserEmail & { total: number })[]>`
    with own as (select * from user_emails where user_id = ${userId})
    select counted.total, ${columns(sql)}
    from (select count(*)::int as total from own) counted
    left join lateral (
      select * from own order by "primary" desc, created_at, id limit ${page.limit} offset ${page.offset}
    ) e on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** An address of this user, by id. */
export async function findUserEmail(sql: Sql, id: string, userId: string): Promise<UserEmail | undefined> {
  const [row] = await sql<UserEmail[]>`
    select ${columns(sql)} from user_emails e where e.id = ${id} and e.user_id = ${userId}`;
  return row;
}

/** An address of this user, by address. */
export async function findOwnAddress(sql: Sql, email: string, userId: string): Promise<UserEmail | undefined> {
  const [row] = await sql<UserEmail[]>`
    select ${columns(sql)} from user_emails e where e.email = ${email} and e.user_id = ${userId}`;
  return row;
}

/** Whether an address, by id, is the primary address of the user. Undefined: the primary address itself. */
export async function isPrimaryAddress(sql: Sql, userId: string, id: string | undefined): Promise<boolean> {
  return id === undefined || (await findUserEmail(sql, id, userId))?.primary === true;
}

/** How many addresses a user has, with the addresses that await confirmation. */
export async function countUserEmails(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from user_emails where user_id = ${userId}`;
  return row?.count ?? 0;
}

/** The holder of an address: a user, or the mailbox of a reservation. */
export interface AddressHolder {
  /** Preferred language of emails to the holder. */
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly isMailboxOwner: boolean;
}

/** The user who has the address, or for whom the address is reserved, other than `userId`. */
export async function findOtherHolder(
  sql: Sql,
  email: string,
  userId: string,
  at: Date,
): Promise<AddressHolder | undefined> {
  const [row] = await sql<AddressHolder[]>`
    select u.locale, u.time_zone as "timeZone", u.controlled_at is not null as "isMailboxOwner"
    from (
      select user_id from user_emails where email = ${email} and ("primary" or verified_at is not null)
      union all
      select user_id from email_reservations where email = ${email} and expires_at > ${at}
    ) holder
    join users u on u.id = holder.user_id
    where holder.user_id <> ${userId} limit 1`;
  return row;
}

/** CTE fragment: inserts an address that awaits confirmation, or renews the waiting time of the address. */
export function insertPendingEmail(sql: Sql, userId: string, email: string, at: Date): Fragment {
  return sql`
    insert into user_emails (user_id, email, created_at) values (${userId}, ${email}, ${at})
    on conflict (user_id, email) do update set created_at = excluded.created_at
      where user_emails.verified_at is null and not user_emails."primary"
    returning id`;
}

/** Verifies an address that awaits confirmation. False if the user has removed the address. */
export async function verifyPendingEmail(sql: Sql, userId: string, email: string, at: Date): Promise<boolean> {
  const rows = await sql`
    update user_emails set verified_at = ${at}, controlled_at = ${at}
    where user_id = ${userId} and email = ${email} and verified_at is null returning 1`;
  return rows.length > 0;
}

/** Inserts an address of a user after a proof of the mailbox, or verifies the existing row. */
export async function insertVerifiedEmail(sql: Sql, userId: string, email: string, at: Date): Promise<void> {
  await sql`
    insert into user_emails (user_id, email, verified_at, controlled_at, created_at)
    values (${userId}, ${email}, ${at}, ${at}, ${at})
    on conflict (user_id, email) do update
      set verified_at = coalesce(user_emails.verified_at, ${at}),
          controlled_at = coalesce(user_emails.controlled_at, ${at}), vouched = false`;
}

/** Makes a verified address of the user the primary address; a trigger moves the mark in `user_emails`. */
export async function setPrimaryEmail(sql: Sql, userId: string, email: string, at: Date): Promise<void> {
  await sql`
    update users u
    set email = e.email, email_verified_at = e.verified_at, credentials_epoch = u.credentials_epoch + 1,
        updated_at = ${at}
    from user_emails e
    where u.id = ${userId} and e.user_id = u.id and e.email = ${email}`;
}

/** Deletes an address; the codes and links that were sent to the address end with the row. */
export async function deleteUserEmail(sql: Sql, userId: string, email: string): Promise<void> {
  await sql`delete from user_emails where user_id = ${userId} and email = ${email} and not "primary"`;
}

/** Deletes the additional addresses that await confirmation or were verified in the period, except `kept`. */
export async function deleteEmailsOfPeriod(
  sql: Sql,
  userId: string,
  period: SetUpPeriod,
  kept: string | undefined,
): Promise<void> {
  await sql`
    delete from user_emails
    where user_id = ${userId} and not "primary" and email is distinct from ${kept ?? null}
      and (verified_at is null or (${setUpWithin(sql, sql`verified_at`, period)}))`;
}

/** Reserves a former address for the user: for other users the address is taken (docs/contract.md, section 12.14). */
export async function reserveEmail(sql: Sql, userId: string, email: string, expiresAt: Date): Promise<void> {
  await sql`
    insert into email_reservations (email, user_id, expires_at) values (${email}, ${userId}, ${expiresAt})
    on conflict (email) do update set user_id = excluded.user_id, expires_at = excluded.expires_at`;
}

/** Whether a former user may still take an address back. */
export async function isReserved(sql: Sql, email: string, at: Date): Promise<boolean> {
  const rows = await sql`select 1 from email_reservations where email = ${email} and expires_at > ${at}`;
  return rows.length > 0;
}

/** Extends a reservation for the user, so that the reservation lasts as long as a later undo link. */
export async function extendReservation(sql: Sql, userId: string, email: string, until: Date): Promise<void> {
  await sql`
    update email_reservations set expires_at = greatest(expires_at, ${until})
    where user_id = ${userId} and email = ${email}`;
}

/** Former addresses of the user that an undo may restore, at most `limit`. */
export async function listReservedEmails(sql: Sql, userId: string, at: Date, limit: number): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select email from email_reservations where user_id = ${userId} and expires_at > ${at}
    order by expires_at desc limit ${limit}`;
  return rows.map(({ email }) => email);
}

export async function deleteReservation(sql: Sql, userId: string, email: string): Promise<void> {
  await sql`delete from email_reservations where user_id = ${userId} and email = ${email}`;
}

/** Deletes at most `batch` addresses that have awaited confirmation since `before`; returns how many. */
export async function deletePendingEmails(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from user_emails where id in (
      select id from user_emails where verified_at is null and not "primary" and created_at < ${before}
      order by created_at limit ${batch} for update skip locked
    )`;
  return deleted.count;
}

/** Deletes at most `batch` reservations that expired before `before`; returns how many. */
export const deleteExpiredReservations = deleteRowsBefore("email_reservations", "expires_at");
