import type { mailedTokens } from "../../../db/schema/mailed-tokens.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import { isOfLiveCredential } from "../conditions/live-credential.ts";

type MailedTokenRow = RowOf<typeof mailedTokens>;

/** A token of one purpose is invalid for any further purpose: every query has the purpose (G6b). */
export type MailedTokenPurpose = "email_verification" | "password_reset" | "ticket";

export interface NewMailedToken extends Pick<MailedTokenRow, "purpose" | "tokenHash" | "expiresAt"> {
  readonly userId: string;
  /** The row of the address of the email, if the token ends with the address. */
  readonly emailId?: string;
  /** The program that receives the token in place of an email (docs/contract.md, section 36.6). */
  readonly ticket?: TicketOrigin;
  readonly at: Date;
}

export interface TicketOrigin {
  /** The id of the API key or trust. The token ends with the credential. */
  readonly issuedBy: string;
  /** A path of the service. */
  readonly redirectTo: string | null;
}

/** CTE fragment, for a row of `from` if given: stores the single live token of a user and purpose. */
export function replaceMailedToken(sql: Sql, token: NewMailedToken, from = sql``): Fragment {
  return sql`
    insert into mailed_tokens
      (token_hash, purpose, user_id, user_email_id, issued_by, redirect_to, expires_at, created_at)
    select ${token.tokenHash}::bytea, ${token.purpose}::text, ${token.userId}::uuid, ${token.emailId ?? null}::uuid,
           ${token.ticket?.issuedBy ?? null}::uuid, ${token.ticket?.redirectTo ?? null}::text,
           ${token.expiresAt}::timestamptz, ${token.at}::timestamptz
    ${from}
    on conflict (user_id, purpose) do update
      set token_hash = excluded.token_hash, user_email_id = excluded.user_email_id, issued_by = excluded.issued_by,
          redirect_to = excluded.redirect_to, expires_at = excluded.expires_at, consumed_at = null,
          created_at = excluded.created_at`;
}

/** CTE fragment: consumes a token; one row (user_id, issued_by) for the first request. */
export function consumeMailedToken(sql: Sql, purpose: MailedTokenPurpose, tokenHash: Buffer, at: Date): Fragment {
  return sql`
    update mailed_tokens t set consumed_at = ${at}
    where t.token_hash = ${tokenHash} and t.purpose = ${purpose} and t.consumed_at is null and t.expires_at > ${at}
      and ${isOfLiveIssuer(sql, at)}
    returning t.user_id, t.issued_by`;
}

/** CTE fragment, for a row of `from`: consumes a ticket for a user; one row for the first request. */
export function consumeTicket(sql: Sql, userId: string, tokenHash: Buffer, at: Date, from: Fragment): Fragment {
  return sql`
    update mailed_tokens t set consumed_at = ${at} ${from}
    where t.token_hash = ${tokenHash} and t.purpose = 'ticket' and t.user_id = ${userId} and t.consumed_at is null
      and t.expires_at > ${at} and ${isOfLiveIssuer(sql, at)}
      and exists (select 1 from users u where u.id = t.user_id and u.platform_role is null)
    returning t.user_id`;
}

/** Condition about the token `t`: a ticket ends with the credential that received the ticket. */
function isOfLiveIssuer(sql: Sql, at: Date): Fragment {
  const made = { credential: sql`t.issued_by`, madeAt: sql`t.created_at` };
  return sql`(t.issued_by is null or ${isOfLiveCredential(sql, made, at)})`;
}

/** CTE fragment of every change of a password: deletes the unused links that give access to the account. */
export function deleteAccessLinks(sql: Sql, userId: string): Fragment {
  return sql`
    delete from mailed_tokens
    where user_id = ${userId} and purpose in ('password_reset', 'ticket') and consumed_at is null`;
}

/** CTE fragment: deletes the unused tokens of a user. */
export function deleteAllMailedTokens(sql: Sql, userId: string): Fragment {
  return sql`delete from mailed_tokens where user_id = ${userId} and consumed_at is null`;
}

export interface FoundToken {
  readonly userId: string | null;
  readonly email: string | null;
  readonly emailId: string | null;
  /** Whether a program received the token, so that the token proves no control of the mailbox. */
  readonly isTicket: boolean;
}

/**
 * The user of a live token, null when deleted since, and the address of the email; null: the primary address.
 * Undefined for a token that is unknown, used or expired.
 */
export async function findMailedToken(
  sql: Sql,
  purpose: MailedTokenPurpose,
  tokenHash: Buffer,
  at: Date,
): Promise<FoundToken | undefined> {
  const [row] = await sql<FoundToken[]>`
    select t.user_id as "userId", e.email, e.id as "emailId", t.issued_by is not null as "isTicket"
    from mailed_tokens t left join user_emails e on e.id = t.user_email_id
    where t.token_hash = ${tokenHash} and t.purpose = ${purpose} and t.consumed_at is null and t.expires_at > ${at}
      and ${isOfLiveIssuer(sql, at)}`;
  return row;
}

/** A live ticket. */
export interface Ticket {
  readonly userId: string;
  readonly email: string;
  /** The id of the API key or trust. */
  readonly issuedBy: string;
  /** A path of the service; null: the account. */
  readonly redirectTo: string | null;
}

/** Undefined for a ticket that is unknown, used, voided or expired. */
export async function findTicket(sql: Sql, tokenHash: Buffer, at: Date): Promise<Ticket | undefined> {
  const [row] = await sql<Ticket[]>`
    select u.id as "userId", u.email, t.issued_by as "issuedBy", t.redirect_to as "redirectTo"
    from mailed_tokens t join users u on u.id = t.user_id
    where t.token_hash = ${tokenHash} and t.purpose = 'ticket' and t.consumed_at is null and t.expires_at > ${at}
      and u.platform_role is null and ${isOfLiveIssuer(sql, at)}`;
  return row;
}

/**
 * Whether a token was used, whether the address of its user is verified, and the address of the email; undefined for
 * an unknown or expired token.
 */
export async function findMailedLink(
  sql: Sql,
  purpose: MailedTokenPurpose,
  tokenHash: Buffer,
  at: Date,
): Promise<{ readonly used: boolean; readonly verified: boolean; readonly email: string } | undefined> {
  const [row] = await sql<{ used: boolean; verified: boolean; email: string }[]>`
    select t.consumed_at is not null as used, u.email_verified_at is not null as verified,
           coalesce(e.email, u.email) as email
    from mailed_tokens t join users u on u.id = t.user_id left join user_emails e on e.id = t.user_email_id
    where t.token_hash = ${tokenHash} and t.purpose = ${purpose} and t.expires_at > ${at}
      and ${isOfLiveIssuer(sql, at)}`;
  return row;
}

/** Deletes at most `batch` tokens that expired before `before`; returns how many. */
export const deleteEndedMailedTokens = deleteRowsBefore("mailed_tokens", "expires_at");
