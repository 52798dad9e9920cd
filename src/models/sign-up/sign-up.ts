import { createHmac } from "node:crypto";
import type { signUps } from "../../../db/schema/sign-ups.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import { SIGN_UPS_MAX, SIGN_UPS_PER_NETWORK_MAX } from "../../limits/registration-limits.ts";
import { type CodeAttempt, claimAttempt, type WhenWrong } from "../conditions/claim-attempt.ts";

type SignUpRow = RowOf<typeof signUps>;

/** The stored hash of a code: HMAC-SHA-256 under a key from the root secret, over the row's id and the code. */
export function hashSignUpCode(key: Buffer, id: string, code: string): Buffer {
  return createHmac("sha256", key).update(`sign-up:${id}:${code}`).digest();
}

/** The keyed hash of a client network, for the bound of a network. */
export function hashSignUpNetwork(key: Buffer, network: string): Buffer {
  return createHmac("sha256", key).update(`sign-up network:${network}`).digest();
}

export interface NewSignUp
  extends Pick<
    SignUpRow,
    "id" | "linkHash" | "browserHash" | "clientId" | "redirectTo" | "identitySealed" | "networkHash" | "expiresAt"
  > {
  readonly email: string;
  readonly codeHash: Buffer;
  readonly at: Date;
}

/** CTE fragment: stores the sign-up in place of the previous sign-up of the address, if `from` has a row. */
export function replaceSignUp(sql: Sql, signUp: NewSignUp, from: Fragment): Fragment {
  return sql`
    insert into sign_ups (id, email, code_hash, link_hash, browser_hash, client_id, redirect_to, identity_sealed,
                          network_hash, expires_at, created_at)
    select ${signUp.id}::uuid, ${signUp.email}, ${signUp.codeHash}::bytea, ${signUp.linkHash}::bytea,
           ${signUp.browserHash}::bytea, ${signUp.clientId}::uuid, ${signUp.redirectTo}::text,
           ${signUp.identitySealed}::bytea, ${signUp.networkHash}::bytea, ${signUp.expiresAt}::timestamptz,
           ${signUp.at}::timestamptz
    ${from}
    on conflict (email) do update
      set id = excluded.id, code_hash = excluded.code_hash, link_hash = excluded.link_hash,
          browser_hash = excluded.browser_hash, attempts = 0, client_id = excluded.client_id,
          redirect_to = excluded.redirect_to, identity_sealed = excluded.identity_sealed,
          network_hash = excluded.network_hash, expires_at = excluded.expires_at, created_at = excluded.created_at`;
}

/** Whether the bounds of pending sign-ups, of the deployment and of a network, admit one more. */
export async function hasRoomForSignUp(sql: Sql, networkHash: Buffer, at: Date): Promise<boolean> {
  const [row] = await sql<[{ hasRoom: boolean }]>`
    select (select count(*) from (
              select 1 from sign_ups where expires_at > ${at} limit ${SIGN_UPS_MAX}) total) < ${SIGN_UPS_MAX}
           and (select count(*) from (
              select 1 from sign_ups where network_hash = ${networkHash} and expires_at > ${at}
              limit ${SIGN_UPS_PER_NETWORK_MAX}) own) < ${SIGN_UPS_PER_NETWORK_MAX} as "hasRoom"`;
  return row.hasRoom;
}

/** A live sign-up whose code or link was presented. */
export interface PendingSignUp extends Pick<SignUpRow, "id" | "clientId" | "redirectTo" | "identitySealed"> {
  readonly email: string;
}

/** Expressions of the columns of `PendingSignUp`, of the table `sign_ups`. */
function columns(sql: Sql): Fragment {
  return sql`id, email, client_id as "clientId", redirect_to as "redirectTo", identity_sealed as "identitySealed"`;
}

/** A live sign-up whose code is to be compared. */
export interface ComparableSignUp extends PendingSignUp {
  /** The address has too many failed attempts: no comparison is permitted. */
  readonly locked: boolean;
}

/**
 * The live sign-up of an address. `lockedUntil`: an expression over the alias `f` of the failed attempts of the
 * address.
 */
export async function findSignUp(
  sql: Sql,
  { email, addressHash }: { readonly email: string; readonly addressHash: string },
  at: Date,
  lockedUntil: Fragment,
): Promise<ComparableSignUp | undefined> {
  const [row] = await sql<ComparableSignUp[]>`
    select ${columns(sql)}, ${lockedUntil} is not null as locked
    from sign_ups left join address_attempts f on f.address_hash = ${addressHash}
    where email = ${email} and expires_at > ${at}`;
  return row;
}

/** The token of a link, and the cookie of the browser, as hashes. */
export interface PresentedLink {
  readonly linkHash: Buffer;
  readonly browserHash: Buffer;
}

/** The live sign-up of a link in the browser that asked; undefined in every other browser. */
export async function findSignUpOfLink(sql: Sql, link: PresentedLink, at: Date): Promise<PendingSignUp | undefined> {
  const [row] = await sql<PendingSignUp[]>`
    select ${columns(sql)} from sign_ups
    where link_hash = ${link.linkHash} and browser_hash = ${link.browserHash} and email is not null
      and expires_at > ${at}`;
  return row;
}

/** Compares the code of a pending sign-up (`claimAttempt`). */
export function claimSignUpAttempt(sql: Sql, attempt: CodeAttempt, whenWrong: WhenWrong): Promise<boolean | undefined> {
  return claimAttempt(sql, sql`sign_ups`, attempt, whenWrong);
}

/** CTE fragment: consumes the sign-up if `from` has a row; a row for the first request only. */
export function consumeSignUp(sql: Sql, id: string, from = sql``): Fragment {
  return sql`delete from sign_ups where id = ${id} and exists (select 1 ${from}) returning id`;
}

/** CTE fragment: deletes the pending sign-ups of the addresses of a user, from before the account existed. */
export function deleteSignUpsOf(sql: Sql, userId: string): Fragment {
  return sql`
    delete from sign_ups where email in (
      select e.email from user_emails e
      where e.user_id = ${userId} and (e."primary" or e.verified_at is not null)
    )`;
}

/** Deletes at most `batch` sign-ups that expired before `before`; returns how many. */
export const deleteExpiredSignUps = deleteRowsBefore("sign_ups", "expires_at");
