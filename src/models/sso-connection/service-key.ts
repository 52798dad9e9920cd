/** The keys with which the service authenticates at an identity provider (`private_key_jwt`, RFC 7523). */
import type { ssoServiceKeys } from "../../../db/schema/sso-connections.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";

type ServiceKeyRow = RowOf<typeof ssoServiceKeys>;

/** A public key with `kid`, `alg` and `use` (RFC 7517). */
export type PublicServiceJwk = Readonly<Record<string, string>>;

export interface ServiceKey extends Omit<ServiceKeyRow, "publicJwk"> {
  readonly publicJwk: PublicServiceJwk;
}

/** Columns of `ServiceKey`, of the table alias `k`. */
export function serviceKeyColumns(sql: Sql): Fragment {
  return sql`
    k.id, k.connection_id as "connectionId", k.status, k.public_jwk as "publicJwk",
    k.sealed_private_key as "sealedPrivateKey", k.key_id as "keyId", k.created_at as "createdAt"`;
}

/** The service keys of connections, oldest first. */
export async function listServiceKeys(sql: Sql, connectionIds: readonly string[]): Promise<ServiceKey[]> {
  return await sql<ServiceKey[]>`
    select ${serviceKeyColumns(sql)} from sso_service_keys k
    where k.connection_id = any(${[...connectionIds]}::uuid[]) order by k.created_at, k.id`;
}

/** Whether a connection has a key with a status. */
export async function hasServiceKey(sql: Sql, connectionId: string, status: ServiceKey["status"]): Promise<boolean> {
  const rows = await sql`
    select 1 from sso_service_keys where connection_id = ${connectionId} and status = ${status}`;
  return rows.length > 0;
}

/** CTE fragment: inserts a key and returns the id; no row if the connection has a key with the status. */
export function insertServiceKey(sql: Sql, key: ServiceKey): Fragment {
  return sql`
    insert into sso_service_keys (id, connection_id, status, public_jwk, sealed_private_key, key_id, created_at)
    values (${key.id}, ${key.connectionId}, ${key.status}, ${sql.json(key.publicJwk)}, ${key.sealedPrivateKey},
            ${key.keyId}, ${key.createdAt})
    on conflict (connection_id, status) do nothing returning id`;
}

/** CTE fragment: deletes the key with a status and returns the id. */
export function deleteServiceKey(sql: Sql, connectionId: string, status: ServiceKey["status"]): Fragment {
  return sql`delete from sso_service_keys where connection_id = ${connectionId} and status = ${status} returning id`;
}

/** CTE fragment: changes the status of the key with a status, and returns the id. */
export function moveServiceKey(
  sql: Sql,
  connectionId: string,
  from: ServiceKey["status"],
  to: ServiceKey["status"],
): Fragment {
  return sql`
    update sso_service_keys set status = ${to} where connection_id = ${connectionId} and status = ${from}
    returning id`;
}
