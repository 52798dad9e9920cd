import { createHmac } from "node:crypto";
import type { Fragment, Sql } from "../../base/database.ts";
import { EMAIL_CODE_ATTEMPTS_MAX } from "../../base/limits.ts";
import type { Random } from "../../base/random.ts";

const DIGITS = 6;
const CODES = 10 ** DIGITS;
/** The largest multiple of a million below 2^32: numbers from there on would favour small codes. */
const UNBIASED_BELOW = Math.floor(2 ** 32 / CODES) * CODES;

/** Six digits with leading zeros, each code as likely as any other (contract, section 4.4). */
export function makeEmailCode(random: Random): string {
  for (;;) {
    const number = random.bytes(4).readUInt32BE();
    if (number < UNBIASED_BELOW) return String(number % CODES).padStart(DIGITS, "0");
  }
}

/** What is stored: SHA-256, keyed from the root secret, over the row's id and the code (decisions, section 5). */
export function hashEmailCode(key: Buffer, id: string, code: string): Buffer {
  return createHmac("sha256", key).update(`email:${id}:${code}`).digest();
}

export interface NewEmailCode {
  readonly id: string;
  readonly userId: string;
  readonly codeHash: Buffer;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** CTE fragment of the requesting statement: the code of before, if there is one, is wiped by the new one. */
export function replaceEmailCode(sql: Sql, code: NewEmailCode): Fragment {
  return sql`
    insert into email_codes (id, user_id, code_hash, expires_at, created_at)
    values (${code.id}, ${code.userId}, ${code.codeHash}, ${code.expiresAt}, ${code.at})
    on conflict (user_id) do update
      set id = excluded.id, code_hash = excluded.code_hash, attempts = 0, expires_at = excluded.expires_at,
          created_at = excluded.created_at`;
}

/** The id of a user's live code; what is hashed with it decides nothing before `claimEmailCodeAttempt` has counted. */
export async function findEmailCode(sql: Sql, userId: string, at: Date): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from email_codes where user_id = ${userId} and expires_at > ${at}`;
  return row?.id;
}

/**
 * Counts one attempt against a code, then compares, in one statement: of 40 at once five are compared (promise 3). False for a wrong
 * code, a locked one and one that is gone.
 */
export async function claimEmailCodeAttempt(sql: Sql, id: string, codeHash: Buffer, at: Date): Promise<boolean> {
  const [row] = await sql<{ matches: boolean }[]>`
    update email_codes set attempts = attempts + 1
    where id = ${id} and attempts < ${EMAIL_CODE_ATTEMPTS_MAX} and expires_at > ${at}
    returning code_hash = ${codeHash} as matches`;
  return row?.matches ?? false;
}

/** CTE fragment `consumed` of the sign-in statement: one row for the one who uses the code. */
export function consumeEmailCode(sql: Sql, id: string): Fragment {
  return sql`delete from email_codes where id = ${id} returning user_id`;
}

/** CTE fragment of a statement that changes what proves who the user is: the code that is under way dies. */
export function deleteEmailCode(sql: Sql, userId: string): Fragment {
  return sql`delete from email_codes where user_id = ${userId}`;
}

/** Deletes expired codes, a bounded batch; returns how many. */
export async function deleteExpiredEmailCodes(sql: Sql, before: Date, batch: number): Promise<number> {
  const gone = await sql`
    delete from email_codes where id in (
      select id from email_codes where expires_at < ${before} order by expires_at limit ${batch} for update skip locked
    )`;
  return gone.count;
}
