import type { Fragment, Sql } from "../../database/database.ts";

/**
 * SQL condition: the credential of a user, set up at the time of the column, awaits the user's confirmation after a
 * reset of the password (docs/contract.md, section 12.16), and so gives no sign-in. `email`: the column with the
 * address of the credential, if the credential is an address; the address of the reset itself is not held.
 */
export function isHeld(sql: Sql, userId: Fragment, setUpAt: Fragment, email = sql`null::text`): Fragment {
  return sql`exists (
    select 1 from credential_reviews held
    where held.user_id = ${userId} and ${setUpAt} >= held.held_since and ${setUpAt} < held.reset_at
      and ${email} is distinct from held.email
  )`;
}
