/** Lists of clients as a whole: for the command line, and for the memory of replicas. */
import type { Sql } from "../../database/database.ts";
import { type ClientRow, clientColumns, type OAuthClient, secretsOf, toClient } from "./oauth-client.ts";
import { KINDS_IN_MEMORY } from "./provenance.ts";

/** All clients but the clients of metadata documents, newest first, with their secrets. */
export async function listRegisteredClients(sql: Sql): Promise<OAuthClient[]> {
  const rows = await sql<ClientRow[]>`
    select ${clientColumns(sql)}, ${secretsOf(sql)} as secrets from oauth_clients c
    where c.kind <> 'document' order by c.created_at desc, c.id`;
  return rows.map(toClient);
}

/** At most `limit` enabled clients whose codes neither a challenge nor a nonce binds to the browser, oldest first. */
export async function listUnboundClients(sql: Sql, limit: number): Promise<Pick<OAuthClient, "id" | "name">[]> {
  return await sql<Pick<OAuthClient, "id" | "name">[]>`
    select c.id, c.name from oauth_clients c
    where not c.require_nonce_or_pkce and c.disabled_at is null order by c.created_at, c.id limit ${limit}`;
}

/** The clients that every replica holds in memory, with their secrets. */
export async function listClientsInMemory(sql: Sql): Promise<OAuthClient[]> {
  const rows = await sql<ClientRow[]>`
    select ${clientColumns(sql)}, ${secretsOf(sql)} as secrets from oauth_clients c
    where c.kind = any(${[...KINDS_IN_MEMORY]}::text[])`;
  return rows.map(toClient);
}
