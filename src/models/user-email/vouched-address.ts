/**
 * Addresses that an administrator or a program has verified without a proof of the mailbox (docs/contract.md, section
 * 5.7). A proof of the mailbox clears the mark.
 */
import type { Fragment, Sql } from "../../database/database.ts";
import type { Cte } from "../../database/statement.ts";

/**
 * CTE fragment: inserts the row of the primary address of an account that the statement inserts, with the mark. The
 * trigger on `users` finds the row. A registered address violates `user_emails_email_key`.
 */
export function insertVouchedPrimary(
  sql: Sql,
  { email, at }: { readonly email: string; readonly at: Date },
  account: Cte,
): Fragment {
  return sql`
    insert into user_emails (user_id, email, verified_at, controlled_at, vouched, "primary", created_at)
    select ${account}.id, ${email}, ${at}, ${at}, true, true, ${at} from ${account}`;
}

/**
 * Inserts an address of a user as verified and vouched for. An address with a proof of control from before stays as it
 * is; a verification without control, by the mailed link alone, is no proof.
 */
export async function insertVouchedEmail(sql: Sql, userId: string, email: string, at: Date): Promise<void> {
  await sql`
    insert into user_emails (user_id, email, verified_at, controlled_at, vouched, created_at)
    values (${userId}, ${email}, ${at}, ${at}, true, ${at})
    on conflict (user_id, email) do update
      set verified_at = coalesce(user_emails.verified_at, ${at}),
          controlled_at = coalesce(user_emails.controlled_at, ${at}),
          vouched = user_emails.vouched or user_emails.verified_at is null or user_emails.controlled_at is null`;
}

/** Marks an address of a user that was verified without a proof of the mailbox. */
export async function markVouched(sql: Sql, userId: string, email: string): Promise<void> {
  await sql`update user_emails set vouched = true where user_id = ${userId} and email = ${email}`;
}

/**
 * Clears the mark of an address after a proof of the mailbox; false if there was none. `addressId`: the row of the
 * address, default the primary address.
 */
export async function clearVouched(sql: Sql, userId: string, addressId: string | undefined): Promise<boolean> {
  const rows = await sql`
    update user_emails set vouched = false
    where user_id = ${userId} and vouched and ${addressId === undefined ? sql`"primary"` : sql`id = ${addressId}`}
    returning 1`;
  return rows.length > 0;
}

/** Clears the mark of an address of a user after a proof of the mailbox. */
export async function clearVouchedEmail(sql: Sql, userId: string, email: string): Promise<void> {
  await sql`update user_emails set vouched = false where user_id = ${userId} and email = ${email} and vouched`;
}
