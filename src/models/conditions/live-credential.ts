import type { Fragment, Sql } from "../../database/database.ts";
import type { KeyScope } from "../../vocabulary/key-scope.ts";

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

/** Condition: the service account `a` has a live API key, or an enabled trust, with one of the scopes. */
export function hasLiveCredential(sql: Sql, scopes: readonly KeyScope[], at: Date): Fragment {
  const wanted = [...scopes];
  return sql`(
    exists (
      select 1 from api_keys k
      where k.service_account_id = a.id and k.revoked_at is null and k.expires_at > ${at}
        and coalesce(k.permissions, k.scopes) && ${wanted}::text[]
    ) or exists (
      select 1 from service_account_trusts t
      where t.service_account_id = a.id and not t.disabled and t.scopes && ${wanted}::text[]
    )
  )`;
}
