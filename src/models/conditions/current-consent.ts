import type { Fragment, Sql } from "../../database/database.ts";

/** SQL condition: a consent at `at` is for the present identity of the client (docs/contract.md, section 23.30). */
export function isConsentCurrent(sql: Sql, at: Fragment, clientId: Fragment): Fragment {
  return sql`
    ${at} >= coalesce((select d.consent_from from oauth_clients d where d.id = ${clientId}), '-infinity'::timestamptz)`;
}
