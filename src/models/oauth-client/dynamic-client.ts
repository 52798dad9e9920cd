/** Clients that registered themselves (RFC 7591 and 7592; docs/contract.md, section 23.17). */
import type { Fragment, Sql } from "../../database/database.ts";
import { OAUTH_DYNAMIC_CLIENTS_DISPLACED } from "../../limits/oauth-limits.ts";
import { hasNoProtectingConsent } from "./protecting-consent.ts";

/** Stores the hash of the token by which a client manages the registration. */
export async function setRegistrationToken(sql: Sql, id: string, tokenHash: Buffer): Promise<void> {
  await sql`update oauth_clients set registration_token_hash = ${tokenHash} where id = ${id}`;
}

/** Stores the address at this service of the logo of a new client. */
export async function setRegisteredLogo(sql: Sql, id: string, logoUrl: string): Promise<void> {
  await sql`update oauth_clients set logo_url = ${logoUrl} where id = ${id} and kind = 'dynamic'`;
}

/** Whether the token manages the registration of an enabled client. */
export async function hasRegistrationToken(sql: Sql, id: string, tokenHash: Buffer): Promise<boolean> {
  const rows = await sql`
    select 1 from oauth_clients
    where id = ${id} and kind = 'dynamic' and registration_token_hash = ${tokenHash} and disabled_at is null`;
  return rows.length > 0;
}

/** Records a use, unless a use since `notSince` is recorded. */
export async function recordClientUse(
  sql: Sql,
  { id, at, notSince }: { readonly id: string; readonly at: Date; readonly notSince: Date },
): Promise<void> {
  await sql`
    update oauth_clients set last_used_at = ${at}
    where id = ${id} and (last_used_at is null or last_used_at < ${notSince})`;
}

/**
 * Makes room for a client among `max`: deletes clients that no user allowed and no organization decided about, clients
 * without a use first, the oldest first; then, some at a time, clients without a consent that protects the client.
 * False: every client is in use.
 */
export async function displaceUnusedClients(sql: Sql, max: number): Promise<boolean> {
  const excess = sql`(select greatest(count(*) - ${max}::int + 1, 0) from oauth_clients where kind = 'dynamic')`;
  const isUnused = sql`not exists (select 1 from oauth_grants g where g.client_id = c.id)`;
  if ((await displaceClients(sql, isUnused, excess)) > 0) return true;
  const some = sql`greatest(${excess}, ${OAUTH_DYNAMIC_CLIENTS_DISPLACED}::int)`;
  return (await displaceClients(sql, hasNoProtectingConsent(sql), some)) > 0;
}

async function displaceClients(sql: Sql, condition: Fragment, count: Fragment): Promise<number> {
  const deleted = await sql`
    delete from oauth_clients where id in (
      select c.id from oauth_clients c
      where c.kind = 'dynamic' and c.disabled_at is null and ${condition}
        and not exists (select 1 from organization_applications a where a.client_id = c.id)
      order by c.last_used_at nulls first, c.created_at
      limit ${count}
      for update of c skip locked
    )`;
  return deleted.count;
}

/** Deletes at most `batch` clients without a use since `before`, with consents and tokens; returns how many. */
export async function deleteUnusedClients(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from oauth_clients where id in (
      select id from oauth_clients
      where kind = 'dynamic' and coalesce(last_used_at, created_at) < ${before} limit ${batch}
    )`;
  return deleted.count;
}
