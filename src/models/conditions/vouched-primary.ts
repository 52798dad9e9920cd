import type { Fragment, Sql } from "../../database/database.ts";

/** SQL condition: an administrator or a program alone has verified the primary address of the user `userId`. */
export function hasVouchedPrimary(sql: Sql, userId: Fragment): Fragment {
  return sql`exists (
    select 1 from user_emails v where v.user_id = ${userId} and v."primary" and v.vouched
  )`;
}
