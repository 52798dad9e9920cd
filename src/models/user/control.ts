import type { Fragment, Sql } from "../../database/database.ts";

/** What a first controlling proof of an account depends on (docs/contract.md, section 5). */
export interface ControlState {
  /** Whether control of the mailbox has been proven. */
  readonly isMailboxOwner: boolean;
  readonly emailVerified: boolean;
}

/**
 * Reads the state and locks the user's row: sign-ins and changes of credentials wait for the end of the transaction.
 */
export async function lockControlState(sql: Sql, userId: string): Promise<ControlState | undefined> {
  const [row] = await sql<ControlState[]>`
    select controlled_at is not null as "isMailboxOwner", email_verified_at is not null as "emailVerified"
    from users where id = ${userId} for no key update`;
  return row;
}

/** Marks the account as "isMailboxOwner" by the owner of its mailbox. */
export async function markControlled(sql: Sql, userId: string, at: Date): Promise<void> {
  await sql`
    update users
    set controlled_at = ${at}, email_verified_at = coalesce(email_verified_at, ${at}), updated_at = ${at}
    where id = ${userId}`;
}

/** Whether the user has made a controlling proof. */
export async function isControlled(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`select 1 from users where id = ${userId} and controlled_at is not null`;
  return rows.length > 0;
}

/** Whether the owner of the mailbox has proven control, or the account has no credential that a stranger could have. */
export async function isAdoptable(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from users u
    where u.id = ${userId} and (u.controlled_at is not null or (
      u.password_hash is null
      and not exists (select 1 from passkeys k where k.user_id = u.id and k.deleted_at is null)
      and not exists (select 1 from user_identities i where i.user_id = u.id)
    ))`;
  return rows.length > 0;
}

/** CTE fragment: removes the password; one row (id) if there was one. */
export function removePassword(sql: Sql, userId: string, at: Date): Fragment {
  return sql`
    update users set password_hash = null, updated_at = ${at} where id = ${userId} and password_hash is not null
    returning id`;
}

/** CTE fragment: marks the account after a proof that was made in this session of the user, if it is live. */
export function confirmControl(sql: Sql, userId: string, sessionId: string, at: Date): Fragment {
  return sql`
    update users set controlled_at = ${at}, updated_at = ${at}
    where id = ${userId} and exists (
      select 1 from sessions
      where id = ${sessionId} and user_id = ${userId} and revoked_at is null and expires_at > ${at}
    )
    returning id`;
}

/** The time of the first controlling proof, which ended everything set up before. */
export async function findControlledAt(sql: Sql, userId: string): Promise<Date | undefined> {
  const [row] = await sql<{ at: Date | null }[]>`select controlled_at as at from users where id = ${userId}`;
  return row?.at ?? undefined;
}

/** Marks a user whose primary address awaits a proof: the first proof ends every credential from before. */
export async function setUncontrolled(sql: Sql, userId: string, at: Date): Promise<void> {
  await sql`update users set controlled_at = null, updated_at = ${at} where id = ${userId}`;
}
