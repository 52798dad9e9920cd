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

/** The clients that every replica holds in memory, with their secrets. */
export async function listClientsInMemory(sql: Sql): Promise<OAuthClient[]> {
  const rows = await sql<ClientRow[]>`
    select ${clientColumns(sql)}, ${secretsOf(sql)} as secrets from oauth_clients c
    where c.kind = any(${[...KINDS_IN_MEMORY]}::text[])`;
  return rows.map(toClient);
}
