/** Deletion of rows of single sign-on past their retention. */
import type { Sql } from "../../database/database.ts";
import { SSO_ATTEMPTS_MAX } from "../../limits/sso-limits.ts";

/** Tables whose rows end at `expires_at`. */
type ExpiringTable = "sso_consumed" | "sso_outcomes" | "sso_requests" | "sso_tests";

/** Returns the deletion of at most `batch` rows of a table that expired before a time. */
export function deleteExpiredOf(table: ExpiringTable) {
  return async (sql: Sql, before: Date, batch: number): Promise<number> => {
    const deleted = await sql`
      delete from ${sql(table)} where ctid in (
        select ctid from ${sql(table)} where expires_at < ${before} order by expires_at limit ${batch}
        for update skip locked
      )`;
    return deleted.count;
  };
}

export async function deleteOldAttempts(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from sso_attempts where id in (
      select id from sso_attempts where at < ${before} order by at limit ${batch} for update skip locked
    )`;
  return deleted.count;
}

/** Deletes attempts beyond the newest `SSO_ATTEMPTS_MAX` of each connection. */
export async function deleteSurplusAttempts(sql: Sql, _before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from sso_attempts where id in (
      select a.id from sso_connections c cross join lateral (
        select id from sso_attempts where connection_id = c.id
        order by at desc, id desc offset ${SSO_ATTEMPTS_MAX} limit ${batch}
      ) a
      limit ${batch}
    )`;
  return deleted.count;
}

/** The deletion of old removals permits provisioning of the former members again. */
export async function deleteOldRemovals(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from member_removals where ctid in (
      select ctid from member_removals where removed_at < ${before} order by removed_at limit ${batch}
      for update skip locked
    )`;
  return deleted.count;
}
