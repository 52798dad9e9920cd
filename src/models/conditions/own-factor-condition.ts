import type { Fragment, Sql } from "../../database/database.ts";

/**
 * SQL condition on the user `u`: an enabled user who can prove the account without an identity provider, at `aal2`. An
 * owner with emergency access meets the condition (docs/contract.md, section 29.48).
 */
export function hasOwnFactor(sql: Sql): Fragment {
  return sql`
    u.disabled_at is null and u.controlled_at is not null and (
      exists (select 1 from passkeys k where k.user_id = u.id and k.deleted_at is null)
      or exists (select 1 from totp_factors t where t.user_id = u.id and t.confirmed_at is not null)
    )`;
}
