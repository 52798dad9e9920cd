/** Lists of clients as a whole: for the command line, and for the memory of replicas. */
import type { Fragment, Sql } from "../../database/database.ts";
import { REFRESH_REPEAT_SECONDS_DEFAULT } from "../../limits/limits.ts";
import { type ClientRow, clientColumns, type OAuthClient, secretsOf, toClient } from "./oauth-client.ts";
import { KINDS_IN_MEMORY } from "./provenance.ts";

/** All clients but the clients of metadata documents, newest first, with their secrets. */
export async function listRegisteredClients(sql: Sql): Promise<OAuthClient[]> {
  const rows = await sql<ClientRow[]>`
    select ${clientColumns(sql)}, ${secretsOf(sql)} as secrets from oauth_clients c
    where c.kind <> 'document' order by c.created_at desc, c.id`;
  return rows.map(toClient);
}

/** What an administrator has relaxed for a client, beyond the defaults. */
export type Relaxation = "private_http" | "refresh_repeat" | "unbound_codes";

/** At most `limit` enabled clients with a relaxation, oldest first. */
export async function listRelaxedClients(
  sql: Sql,
  relaxation: Relaxation,
  limit: number,
): Promise<Pick<OAuthClient, "id" | "name">[]> {
  return await sql<Pick<OAuthClient, "id" | "name">[]>`
    select c.id, c.name from oauth_clients c
    where c.disabled_at is null and ${relaxed(sql, relaxation)} order by c.created_at, c.id limit ${limit}`;
}

function relaxed(sql: Sql, relaxation: Relaxation): Fragment {
  switch (relaxation) {
    // Neither a challenge nor a nonce binds the codes to the browser.
    case "unbound_codes":
      return sql`not c.require_nonce_or_pkce`;
    case "refresh_repeat":
      return sql`c.refresh_repeat_seconds > ${REFRESH_REPEAT_SECONDS_DEFAULT}`;
    case "private_http":
      return sql`exists (
        select 1 from unnest(c.redirect_uris || c.post_logout_redirect_uris) uri
        where uri ~* '^http://' and uri !~* '^http://(localhost|127[.]0[.]0[.]1|\\[::1\\])(:[0-9]*)?([/?]|$)')`;
  }
}

/** The clients that every replica holds in memory, with their secrets. */
export async function listClientsInMemory(sql: Sql): Promise<OAuthClient[]> {
  const rows = await sql<ClientRow[]>`
    select ${clientColumns(sql)}, ${secretsOf(sql)} as secrets from oauth_clients c
    where c.kind = any(${[...KINDS_IN_MEMORY]}::text[])`;
  return rows.map(toClient);
}
