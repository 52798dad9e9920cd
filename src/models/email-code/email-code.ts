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

/** A code that lives, and whether its user has missed too often for anything to be compared. */
export interface LiveEmailCode {
  readonly id: string;
  readonly locked: boolean;
}

/**
 * A user's live code; what is hashed with its id decides nothing before `claimEmailCodeAttempt` has counted.
 * `lockedUntil`: an expression over the alias `f` of the user's failed attempts at e-mailed codes.
 */
export async function findEmailCode(
  sql: Sql,
  userId: string,
  at: Date,
  lockedUntil: Fragment,
): Promise<LiveEmailCode | undefined> {
  const [row] = await sql<LiveEmailCode[]>`
    select c.id, ${lockedUntil} is not null as locked
    from email_codes c left join failed_attempts f on f.user_id = c.user_id and f.kind = 'email_code'
    where c.user_id = ${userId} and c.expires_at > ${at}`;
  return row;
}

/**
 * Counts one attempt against a code, then compares, in one statement: of 40 at once five are compared (promise 3).
 * Returns whether the code is right; undefined for one that is locked or gone, with which nothing was compared.
 * `whenWrong`: CTEs of the same statement, for each row of their `from`, so that no comparison goes uncounted.
 */
export async function claimEmailCodeAttempt(
  sql: Sql,
  attempt: { readonly id: string; readonly codeHash: Buffer; readonly at: Date },
  whenWrong: (from: Fragment) => Fragment,
): Promise<boolean | undefined> {
  const [row] = await sql<{ matches: boolean }[]>`
    with claimed as (
      update email_codes set attempts = attempts + 1
      where id = ${attempt.id} and attempts < ${EMAIL_CODE_ATTEMPTS_MAX} and expires_at > ${attempt.at}
      returning code_hash = ${attempt.codeHash} as matches
    ),
    ${whenWrong(sql`from claimed where not claimed.matches`)}
    select matches from claimed`;
  return row?.matches;
}

/**
 * A piece of a statement that first locks the code, as those lock it that count an attempt: one row while it is there.
 */
export function lockEmailCode(sql: Sql, id: string): Fragment {
  return sql`from (select 1 from email_codes where id = ${id} for update) locked_code`;
}

/** CTE fragment `consumed`, if `from` has a row: one row for the request that uses the code. */
export function consumeEmailCode(sql: Sql, id: string, from: Fragment): Fragment {
  return sql`delete from email_codes where id = ${id} and exists (select 1 ${from}) returning user_id`;
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
