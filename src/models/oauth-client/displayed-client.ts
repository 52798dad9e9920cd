/** Clients as pages, e-mails and endpoints name them (docs/contract.md, section 23.32). */
import type { Sql } from "../../database/database.ts";

/** The names of clients by id. */
export async function findClientNames(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from oauth_clients where id = any(${[...ids]}::uuid[]) order by name, id`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
