import type { Fragment, Sql } from "../../database/database.ts";

/** A row that a program made: the id of the API key or trust, and the time. */
export interface MadeByProgram {
  readonly credential: Fragment;
  readonly madeAt: Fragment;
}

/**
 * Condition: the credential with which a program made a row may still act, as in `findLiveKey` and `findLiveTrust`. A
 * change of the rules of a trust ends what was made before.
 */
export function isOfLiveCredential(sql: Sql, { credential, madeAt }: MadeByProgram, at: Date): Fragment {
  return sql`
    exists (
      select 1 from service_accounts a left join organizations o on o.id = a.organization_id
      where o.suspended_at is null and (
        exists (
          select 1 from api_keys k
          where k.id = ${credential} and k.service_account_id = a.id and k.revoked_at is null and k.expires_at > ${at}
        )
        or exists (
          select 1 from service_account_trusts r
          where r.id = ${credential} and r.service_account_id = a.id and not r.disabled
            and ${madeAt} > coalesce(r.tokens_valid_from, '-infinity')
        )
      )
    )`;
}
