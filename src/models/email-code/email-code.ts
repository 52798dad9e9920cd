import { createHmac } from "node:crypto";
import type { emailCodes } from "../../../db/schema/email-codes.ts";
import type { Random } from "../../base/random.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import { type CodeAttempt, claimAttempt, type WhenWrong } from "../conditions/claim-attempt.ts";

type EmailCodeRow = RowOf<typeof emailCodes>;

const DIGITS = 6;
const CODES = 10 ** DIGITS;
/** The largest multiple of a million below 2^32: larger numbers would make small codes more likely. */
const UNBIASED_BELOW = Math.floor(2 ** 32 / CODES) * CODES;

/** Six digits with leading zeros, uniformly distributed (docs/contract.md, section 11.1). */
export function makeEmailCode(random: Random): string {
  for (;;) {
    const number = random.bytes(4).readUInt32BE();
    if (number < UNBIASED_BELOW) return String(number % CODES).padStart(DIGITS, "0");
  }
}

/** The stored hash: HMAC-SHA-256 under a key from the root secret, over the row's id and the code (G22). */
export function hashEmailCode(key: Buffer, id: string, code: string): Buffer {
  return createHmac("sha256", key).update(`email:${id}:${code}`).digest();
}

export interface NewEmailCode
  extends Pick<EmailCodeRow, "browserHash" | "codeHash" | "expiresAt" | "id" | "linkHash" | "redirectTo" | "userId"> {
  /** The row of the address of the email: the code ends with the address. */
  readonly emailId: string;
  readonly at: Date;
}

/** CTE fragment: stores the code in place of the user's previous code, if `from` has a row. */
export function replaceEmailCode(sql: Sql, code: NewEmailCode, from: Fragment): Fragment {
  return sql`
    insert into email_codes (id, user_id, user_email_id, code_hash, link_hash, browser_hash, redirect_to, expires_at,
                             created_at)
    select ${code.id}::uuid, ${code.userId}::uuid, ${code.emailId}::uuid, ${code.codeHash}::bytea,
           ${code.linkHash}::bytea, ${code.browserHash}::bytea, ${code.redirectTo}::text,
           ${code.expiresAt}::timestamptz, ${code.at}::timestamptz
    ${from}
    on conflict (user_id) do update
      set id = excluded.id, user_email_id = excluded.user_email_id, code_hash = excluded.code_hash,
          link_hash = excluded.link_hash, browser_hash = excluded.browser_hash, redirect_to = excluded.redirect_to,
          attempts = 0, expires_at = excluded.expires_at, created_at = excluded.created_at`;
}

/** A live code whose link was presented. */
export interface EmailCodeOfLink extends Pick<EmailCodeRow, "id" | "redirectTo" | "userId"> {
  /** The address of the email, primary or additional. */
  readonly email: string;
}

/** The live code of a link in the browser that asked; undefined in every other browser. */
export async function findEmailCodeOfLink(
  sql: Sql,
  link: { readonly linkHash: Buffer; readonly browserHash: Buffer },
  at: Date,
): Promise<EmailCodeOfLink | undefined> {
  const [row] = await sql<EmailCodeOfLink[]>`
    select c.id, c.user_id as "userId", c.redirect_to as "redirectTo", e.email
    from email_codes c join user_emails e on e.id = c.user_email_id
    where c.link_hash = ${link.linkHash} and c.browser_hash = ${link.browserHash} and c.expires_at > ${at}`;
  return row;
}

export interface LiveEmailCode extends Pick<EmailCodeRow, "id"> {
  /** The user has too many failed attempts: no comparison is permitted. */
  readonly locked: boolean;
}

/**
 * A user's live code. `emailId`: the row of the presented address; a code for another address of the user is not found,
 * because a code proves the mailbox of its email alone. `lockedUntil`: an expression over the alias `f` of the user's
 * failed attempts at emailed codes.
 */
export async function findEmailCode(
  sql: Sql,
  { userId, emailId }: { readonly userId: string; readonly emailId?: string },
  at: Date,
  lockedUntil: Fragment,
): Promise<LiveEmailCode | undefined> {
  const [row] = await sql<LiveEmailCode[]>`
    select c.id, ${lockedUntil} is not null as locked
    from email_codes c left join failed_attempts f on f.user_id = c.user_id and f.kind = 'email_code'
    where c.user_id = ${userId} and c.expires_at > ${at}
      ${emailId === undefined ? sql`` : sql`and (c.user_email_id is null or c.user_email_id = ${emailId})`}`;
  return row;
}

/** Compares a code of an account (`claimAttempt`). */
export function claimEmailCodeAttempt(
  sql: Sql,
  attempt: CodeAttempt,
  whenWrong: WhenWrong,
): Promise<boolean | undefined> {
  return claimAttempt(sql, sql`email_codes`, attempt, whenWrong);
}

/**
 * A row source, `from …`: one row while the code exists. The code is locked before any further row, as in
 * `claimEmailCodeAttempt`, so that the two statements cannot deadlock.
 */
export function lockEmailCode(sql: Sql, id: string): Fragment {
  return sql`from (select 1 from email_codes where id = ${id} for update) locked_code`;
}

/** CTE fragment: consumes the code if `from` has a row; a row for the first request only. */
export function consumeEmailCode(sql: Sql, id: string, from: Fragment): Fragment {
  return sql`delete from email_codes where id = ${id} and exists (select 1 ${from}) returning user_id`;
}

/** CTE fragment: deletes a user's code, invalid after a change of the credentials. */
export function deleteEmailCode(sql: Sql, userId: string): Fragment {
  return sql`delete from email_codes where user_id = ${userId}`;
}

/** Deletes at most `batch` codes that expired before `before`; returns how many. */
export const deleteExpiredEmailCodes = deleteRowsBefore("email_codes", "expires_at");
