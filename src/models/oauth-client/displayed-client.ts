/** Clients as pages and endpoints name the clients (docs/contract.md, section 23.32). */

import type { Sql } from "../../database/database.ts";
import { type ClientIdentity, clientIdentity } from "../conditions/client-identity.ts";

/** The identities of clients by id, in the order of the names. */
export async function findClientIdentities(sql: Sql, ids: readonly string[]): Promise<Map<string, ClientIdentity>> {
  const rows = await sql<{ client: ClientIdentity }[]>`
    select ${clientIdentity(sql)} as client from oauth_clients c
    where c.id = any(${[...ids]}::uuid[]) order by c.name, c.id`;
  return new Map(rows.map(({ client }) => [client.id, client]));
}
