import { createHash } from "node:crypto";
import type { Fragment, Sql } from "../../base/database.ts";
import { MAILED_TOKEN_BYTES } from "../../base/limits.ts";
import type { Random } from "../../base/random.ts";

/** A token of one purpose is none of another: the purpose is part of every question (promise 6b). */
export type MailedTokenPurpose = "email_verification" | "password_reset";

const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** 32 random bytes in base64url: the token of a link (contract, section 4.6). */
export function makeMailedToken(random: Random): string {
  return random.bytes(MAILED_TOKEN_BYTES).toString("base64url");
}

/** Whether a text can be such a token at all. */
export function isMailedToken(text: string): boolean {
  return SHAPE.test(text);
}

/** What is stored. 256 random bits need no key and no slow hash. */
export function hashMailedToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export interface NewMailedToken {
  readonly purpose: MailedTokenPurpose;
  readonly userId: string;
  readonly tokenHash: Buffer;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** CTE fragment, for each row of `from`, if it is given: the one live token of a user and purpose. */
export function replaceMailedToken(sql: Sql, token: NewMailedToken, from = sql``): Fragment {
  return sql`
    insert into mailed_tokens (token_hash, purpose, user_id, expires_at, created_at)
    select ${token.tokenHash}::bytea, ${token.purpose}::text, ${token.userId}::uuid, ${token.expiresAt}::timestamptz,
           ${token.at}::timestamptz
    ${from}
    on conflict (user_id, purpose) do update
      set token_hash = excluded.token_hash, expires_at = excluded.expires_at, consumed_at = null,
          created_at = excluded.created_at`;
}

/** A part of the statement that a token pays for: one row for the one who uses it first. */
export function consumeMailedToken(sql: Sql, purpose: MailedTokenPurpose, tokenHash: Buffer, at: Date): Fragment {
  return sql`
    update mailed_tokens set consumed_at = ${at}
    where token_hash = ${tokenHash} and purpose = ${purpose} and consumed_at is null and expires_at > ${at}
    returning user_id`;
}

/** CTE fragment: what was mailed and not used opens nothing any more. */
export function deleteMailedTokens(sql: Sql, userId: string, purpose: MailedTokenPurpose): Fragment {
  return sql`delete from mailed_tokens where user_id = ${userId} and purpose = ${purpose} and consumed_at is null`;
}

/** CTE fragment: the same for every purpose. */
export function deleteAllMailedTokens(sql: Sql, userId: string): Fragment {
  return sql`delete from mailed_tokens where user_id = ${userId} and consumed_at is null`;
}

/** Whose live token this is; a null user is gone since. `undefined`: unknown, used or expired. */
export async function findMailedToken(
  sql: Sql,
  purpose: MailedTokenPurpose,
  tokenHash: Buffer,
  at: Date,
): Promise<{ readonly userId: string | null } | undefined> {
  const [row] = await sql<{ userId: string | null }[]>`
    select user_id as "userId" from mailed_tokens
    where token_hash = ${tokenHash} and purpose = ${purpose} and consumed_at is null and expires_at > ${at}`;
  return row;
}

/** Deletes tokens that ended before `before`, a bounded batch; returns how many. */
export async function deleteEndedMailedTokens(sql: Sql, before: Date, batch: number): Promise<number> {
  const gone = await sql`
    delete from mailed_tokens where token_hash in (
      select token_hash from mailed_tokens where expires_at < ${before}
      order by expires_at limit ${batch} for update skip locked
    )`;
  return gone.count;
}
