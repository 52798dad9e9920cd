import type { Fragment, Sql } from "../../database/database.ts";
import { OAUTH_PROTECTING_CONSENTS_MAX } from "../../limits/oauth-limits.ts";

/**
 * Condition on the client `c`: no consent keeps the client from making room. The latest consents of a user to
 * unregistered clients keep their clients, at most `OAUTH_PROTECTING_CONSENTS_MAX`: a single account pins no table.
 */
export function hasNoProtectingConsent(sql: Sql): Fragment {
  return sql`
    not exists (
      select 1 from oauth_grants g
      where g.client_id = c.id and g.updated_at > coalesce((
        select o.updated_at from oauth_grants o join oauth_clients u on u.id = o.client_id
        where o.user_id = g.user_id and u.kind <> 'registered'
        order by o.updated_at desc offset ${OAUTH_PROTECTING_CONSENTS_MAX}::int limit 1), '-infinity')
    )`;
}
