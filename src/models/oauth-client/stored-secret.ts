/** The rows of client secrets, which are stored as hashes. */
import type { Fragment, Sql } from "../../database/database.ts";
import type { ClientSecret } from "./oauth-client.ts";

/** CTE fragment: inserts a secret, for a row of `from` if given. */
export function insertSecret(sql: Sql, clientId: string, secret: ClientSecret, from = sql``): Fragment {
  return sql`
    insert into oauth_client_secrets (id, client_id, secret_hash, created_at)
    select ${secret.id}::uuid, ${clientId}::uuid, ${secret.hash}::bytea, ${secret.createdAt}::timestamptz ${from}
    returning id`;
}

/** CTE fragment: one row if the client had this secret. */
export function deleteSecret(sql: Sql, clientId: string, id: string): Fragment {
  return sql`delete from oauth_client_secrets where client_id = ${clientId} and id = ${id} returning id`;
}

/** CTE fragment: deletes all secrets of a client. */
export function deleteSecrets(sql: Sql, clientId: string): Fragment {
  return sql`delete from oauth_client_secrets where client_id = ${clientId} returning id`;
}
