import type { emailChanges } from "../../../db/schema/user-emails.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";

type EmailChangeRow = RowOf<typeof emailChanges>;

/** A request for an address, whose links are valid. */
export type EmailChange = Pick<
  EmailChangeRow,
  "id" | "sequence" | "userId" | "kind" | "email" | "previousEmail" | "requestedAt" | "confirmedAt"
>;

function columns(sql: Sql): Fragment {
  return sql`
    id, sequence::float8 as sequence, user_id as "userId", kind, email, previous_email as "previousEmail",
    requested_at as "requestedAt", confirmed_at as "confirmedAt"`;
}

export type NewEmailChange = Omit<EmailChange, "sequence"> &
  Pick<EmailChangeRow, "tokenHash" | "undoTokenHash" | "expiresAt">;

/** CTE fragment: inserts a request. */
export function insertEmailChange(sql: Sql, change: NewEmailChange): Fragment {
  return sql`
    insert into email_changes (id, user_id, kind, email, previous_email, token_hash, undo_token_hash, requested_at,
                               confirmed_at, expires_at)
    select ${change.id}::uuid, ${change.userId}::uuid, ${change.kind}::text, ${change.email}::text,
           ${change.previousEmail}::text, ${change.tokenHash}::bytea, ${change.undoTokenHash}::bytea,
           ${change.requestedAt}::timestamptz, ${change.confirmedAt}::timestamptz, ${change.expiresAt}::timestamptz
    returning id`;
}

/**
 * CTE fragment: voids the mailed links of earlier requests that a request replaces. A user has at most one pending
 * change of the primary address, and one pending request for each additional address. The undo links remain valid.
 */
export function voidReplacedChanges(
  sql: Sql,
  { userId, kind, email }: Pick<EmailChange, "userId" | "kind" | "email">,
): Fragment {
  return sql`
    update email_changes set token_hash = null
    where user_id = ${userId} and confirmed_at is null and kind = ${kind}
      and (${kind}::text = 'change' or email = ${email})`;
}

/** How many requests a user has made since a time, and the time of the first request. */
export async function countChangesSince(
  sql: Sql,
  userId: string,
  since: Date,
): Promise<{ readonly count: number; readonly firstAt: Date | null }> {
  const [row] = await sql<{ count: number; firstAt: Date | null }[]>`
    select count(*)::int as count, min(requested_at) as "firstAt" from email_changes
    where user_id = ${userId} and requested_at > ${since}`;
  return row ?? { count: 0, firstAt: null };
}

/** The request of a mailed link that is neither consumed, void nor expired. */
export async function findChangeByToken(sql: Sql, tokenHash: Buffer, at: Date): Promise<EmailChange | undefined> {
  const [row] = await sql<EmailChange[]>`
    select ${columns(sql)} from email_changes where token_hash = ${tokenHash} and expires_at > ${at}`;
  return row;
}

/** The request of an undo link that is neither consumed, void nor expired. */
export async function findChangeByUndoToken(sql: Sql, tokenHash: Buffer, at: Date): Promise<EmailChange | undefined> {
  const [row] = await sql<EmailChange[]>`
    select ${columns(sql)} from email_changes where undo_token_hash = ${tokenHash} and expires_at > ${at}`;
  return row;
}

/** The address of the pending change of the primary address, if there is a pending change. */
export async function findPendingChange(sql: Sql, userId: string, at: Date): Promise<string | undefined> {
  const [row] = await sql<{ email: string }[]>`
    select email from email_changes
    where user_id = ${userId} and kind = 'change' and token_hash is not null and expires_at > ${at}`;
  return row?.email;
}

/** Whether this request or a later request of the user was confirmed. */
export async function isConfirmedSince(sql: Sql, userId: string, sequence: number): Promise<boolean> {
  const rows = await sql`
    select 1 from email_changes
    where user_id = ${userId} and sequence >= ${sequence} and confirmed_at is not null limit 1`;
  return rows.length > 0;
}

/**
 * The first confirmed change of the primary address that was requested from `since` on, whose `previousEmail` the user
 * had at that time. Not a change by the organization that manages the user, which ends at its confirmation.
 */
export async function findConfirmedChangeSince(
  sql: Sql,
  userId: string,
  since: Date,
): Promise<EmailChange | undefined> {
  const [row] = await sql<EmailChange[]>`
    select ${columns(sql)} from email_changes c
    where user_id = ${userId} and requested_at >= ${since} and confirmed_at is not null and kind <> 'add'
      and expires_at > confirmed_at
    order by c.sequence limit 1`;
  return row;
}

/** Voids the links of all requests of the user from `since` on. */
export async function voidChangesSince(sql: Sql, userId: string, since: Date): Promise<void> {
  await sql`
    update email_changes set token_hash = null, undo_token_hash = null
    where user_id = ${userId} and requested_at >= ${since}`;
}

/** Consumes the mailed link; the undo link remains valid until `undoUntil`. */
export async function markConfirmed(sql: Sql, id: string, at: Date, undoUntil: Date): Promise<void> {
  await sql`
    update email_changes set confirmed_at = ${at}, token_hash = null, expires_at = ${undoUntil} where id = ${id}`;
}

/** Voids all links of a request for an address that the user removed. */
export async function voidChangesOfAddress(sql: Sql, userId: string, email: string): Promise<void> {
  await sql`
    update email_changes set token_hash = null where user_id = ${userId} and email = ${email} and confirmed_at is null`;
}

/** Deletes all requests of the user, with their links. */
export async function deleteChangesOf(sql: Sql, userId: string): Promise<void> {
  await sql`delete from email_changes where user_id = ${userId}`;
}

/** Voids the links of this request and of all later requests of the user. */
export async function voidChangesFrom(sql: Sql, userId: string, sequence: number): Promise<void> {
  await sql`
    update email_changes set token_hash = null, undo_token_hash = null
    where user_id = ${userId} and sequence >= ${sequence}`;
}

/**
 * The first request with a valid undo link in the mailbox of this address. The mailbox can undo this request and every
 * later request.
 */
export async function findFirstUndoableBy(
  sql: Sql,
  userId: string,
  email: string,
  at: Date,
): Promise<Pick<EmailChange, "sequence"> | undefined> {
  const [row] = await sql<Pick<EmailChange, "sequence">[]>`
    select sequence::float8 as sequence from email_changes
    where user_id = ${userId} and previous_email = ${email} and undo_token_hash is not null and expires_at > ${at}
    order by email_changes.sequence limit 1`;
  return row;
}

/** Voids the undo links of all requests after `sequence`, except the links in the mailbox of this address. */
export async function voidUndoLinksOfOthers(sql: Sql, userId: string, email: string, sequence: number): Promise<void> {
  await sql`
    update email_changes set undo_token_hash = null
    where user_id = ${userId} and sequence > ${sequence} and previous_email <> ${email}`;
}

/**
 * Voids the undo links in the mailboxes of addresses that the user confirmed from `since` on, except the links in the
 * mailbox of `kept`: a mailbox that awaits the user's confirmation restores no address.
 */
export async function voidUndoLinksOfRecent(sql: Sql, userId: string, since: Date, kept: string): Promise<void> {
  await sql`
    update email_changes c set undo_token_hash = null
    where user_id = ${userId} and undo_token_hash is not null and previous_email <> ${kept} and exists (
      select 1 from email_changes e
      where e.user_id = c.user_id and e.email = c.previous_email and e.confirmed_at >= ${since}
    )`;
}

/** Deletes at most `batch` requests whose links expired before `before`; returns how many. */
export const deleteExpiredChanges = deleteRowsBefore("email_changes", "expires_at");
