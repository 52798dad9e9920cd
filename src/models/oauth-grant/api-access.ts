/** The end of access tokens for a disabled API (docs/contract.md, section 23.12). */

import type { Fragment, Sql } from "../../database/database.ts";
import { resourcesOverlap } from "../conditions/resource-comparison.ts";
import { accessMayBeValid, logEndedFamilies } from "./token-family.ts";

export interface EndedAccess {
  /** Identifiers of APIs. */
  readonly identifiers: readonly string[];
  readonly at: Date;
  readonly limit: number;
}

/**
 * CTE fragment: gives at most `limit` families with an access token, and with access to one of the APIs, a new id: the
 * former id, the claim `sid` of the tokens, has ended. An application may have spelled the identifier in another way.
 */
export function endAccessTokensFor(sql: Sql, { identifiers, at, limit }: EndedAccess): Fragment {
  return sql`
    update oauth_token_families f
    set id = gen_random_uuid(), origin_id = coalesce(f.origin_id, f.id), permissions = '{}', roles = '{}',
        access_expires_at = ${at}::timestamptz - interval '5 seconds'
    from (
      select id, access_expires_at from oauth_token_families
      where revoked_at is null and ${accessMayBeValid(sql, at)}
        and ${resourcesOverlap(sql, sql`resources`, identifiers)}
      limit ${limit} for update
    ) former
    where f.id = former.id
    returning former.id, former.access_expires_at, f.organization_id`;
}

/**
 * Ends access tokens for APIs disabled in the minutes before `before`: a replica that had not read the change may have
 * issued a token meanwhile. Returns how many.
 */
export async function endAccessToDisabled(sql: Sql, before: Date, limit: number): Promise<number> {
  const disabled = await sql<{ identifier: string }[]>`
    select identifier from oauth_resources
    where disabled and updated_at > ${before}::timestamptz - interval '10 minutes'`;
  if (disabled.length === 0) return 0;
  const identifiers = disabled.map(({ identifier }) => identifier);
  const rows = await sql`
    with ended as (${endAccessTokensFor(sql, { identifiers, at: before, limit })}),
    events as (${logEndedFamilies(sql, "ended", "resource_disabled", before)})
    select 1 from ended`;
  return rows.length;
}
