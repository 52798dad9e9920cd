import type { Fragment, Sql } from "../../database/database.ts";
import { amongIds } from "../../database/statement.ts";

/** The condition that the alias `e` of `user_emails` is the row that signs in with an address; at most one row. */
export function hasAddress(sql: Sql, email: string): Fragment {
  return sql`e.email = ${email} and (e."primary" or e.verified_at is not null)`;
}

/** The user with an address: a member of one of the organizations, or for undefined any user. */
export async function findUserIdByEmail(
  sql: Sql,
  email: string,
  organizationIds: readonly string[] | undefined,
): Promise<string | undefined> {
  const isMember = sql`exists (
    select 1 from members m where m.user_id = e.user_id and m.organization_id ${amongIds(sql, organizationIds ?? [])}
  )`;
  const [row] = await sql<{ userId: string }[]>`
    select e.user_id as "userId" from user_emails e
    where ${hasAddress(sql, email)} ${organizationIds === undefined ? sql`` : sql`and ${isMember}`}`;
  return row?.userId;
}

/**
 * Whether an address is registered, or reserved for its former user. Read before the costly hash; the unique indexes
 * and the trigger of the reservations decide.
 */
export async function emailIsTaken(sql: Sql, email: string, at: Date): Promise<boolean> {
  const rows = await sql`
    select 1 from user_emails e where ${hasAddress(sql, email)}
    union all
    select 1 from email_reservations where email = ${email} and expires_at > ${at}`;
  return rows.length > 0;
}

/** The constraints of a registered address; a reservation raises the first name too. */
const ADDRESS_CONSTRAINTS = ["users_email_key", "user_emails_email_key"];

/** Whether a statement failed because the address is registered or reserved. `constraint`: of `violatedConstraint`. */
export function isAddressConstraint(constraint: string | undefined): boolean {
  return constraint !== undefined && ADDRESS_CONSTRAINTS.includes(constraint);
}
