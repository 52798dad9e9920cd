/**
 * What keys and trusts created: audit records with the key as actor, or with the key or trust as credential of the
 * account, name the items. Records name the trusts of a user too, because a removal deletes the trusts first.
 */
import type { Fragment, Sql } from "../../database/database.ts";
import { type SetUpPeriod, setUpWithin } from "./set-up-period.ts";

export interface MadeByKeys {
  /** The user who created the keys and trusts. */
  readonly userId: string;
  readonly period: SetUpPeriod;
  readonly action: "invitation.created" | "signal_stream.created";
}

/**
 * SQL condition: the item was set up in the period, or by a key or trust that the user set up in the period. A key goes
 * on after the period, so what the key creates later belongs to the period too. `id`, `createdAt`: columns of the item.
 */
export function setUpByUserOrKeys(
  sql: Sql,
  { id, createdAt }: { readonly id: Fragment; readonly createdAt: Fragment },
  { userId, period, action }: MadeByKeys,
): Fragment {
  const { since } = period;
  // Without a beginning, the period has every item before its end.
  if (since === undefined) return sql`(${setUpWithin(sql, createdAt, period)})`;
  return sql`(
    ${setUpWithin(sql, createdAt, period)}
    or ${createdAt} >= ${since} and ${id}::text in (
      select a.resource_id from api_keys k join audit_logs a on a.actor_id = k.id
      where k.created_by = ${userId} and ${setUpWithin(sql, sql`k.created_at`, period)}
        and a.action = ${action} and a.timestamp >= ${since}
      union all
      select a.resource_id from api_keys k join audit_logs a
        on a.actor_id = k.service_account_id and a.metadata->>'credential' = 'key:' || k.id
      where k.created_by = ${userId} and ${setUpWithin(sql, sql`k.created_at`, period)}
        and a.action = ${action} and a.timestamp >= ${since}
      union all
      select a.resource_id from audit_logs t join audit_logs a
        on a.metadata->>'credential' = 'trust:' || (t.metadata->>'trust_id')
      where t.actor_id = ${userId} and t.action in ('service_account.trust_created', 'service_account.trust_updated')
        and ${setUpWithin(sql, sql`t.timestamp`, period)} and a.action = ${action} and a.timestamp >= ${since}
    )
  )`;
}
