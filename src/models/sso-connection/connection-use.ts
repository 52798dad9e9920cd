import type { Sql } from "../../database/database.ts";
import { SSO_SUCCESS_PRECISION_SECONDS } from "../../limits/sso-limits.ts";
import type { HeldConnection } from "./held-connection.ts";

/** Records a completed sign-in. Replicas hold no such times, so the revision stays. */
export async function markSuccess(sql: Sql, connectionId: string, at: Date): Promise<void> {
  await sql`
    update sso_connections set last_success_at = ${at}
    where id = ${connectionId}
      and (last_success_at is null
        or last_success_at < ${at}::timestamptz - interval '1 s' * ${SSO_SUCCESS_PRECISION_SECONDS})`;
}

/**
 * Whether a connection still signs users in with the settings of a verified response, in PostgreSQL: the memory of a
 * replica may be older. The locks delay a deactivation and a suspension until the end of the transaction.
 */
export async function lockUsableConnection(
  sql: Sql,
  { id, revision }: Pick<HeldConnection, "id" | "revision">,
): Promise<boolean> {
  const rows = await sql`
    select 1 from sso_connections c join organizations o on o.id = c.organization_id
    where c.id = ${id} and c.status = 'active' and c.revision = ${revision} and o.suspended_at is null
      and exists (select 1 from sso_policies p where p.organization_id = o.id and p.mode <> 'off')
    for share of c for key share of o`;
  return rows.length > 0;
}
