/** The keys with which the service authenticates at an identity provider (`private_key_jwt`, RFC 7523). */
import type { ssoServiceKeys } from "../../../db/schema/sso-connections.ts";
import type { Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";

type ServiceKeyRow = RowOf<typeof ssoServiceKeys>;

/** A public key with `kid`, `alg` and `use` (RFC 7517). */
export type PublicServiceJwk = Readonly<Record<string, string>>;

export interface ServiceKey extends Omit<ServiceKeyRow, "publicJwk"> {
  readonly publicJwk: PublicServiceJwk;
}

/** The service keys of connections, without an order. */
export async function listServiceKeys(sql: Sql, connectionIds: readonly string[]): Promise<ServiceKey[]> {
  return await sql<ServiceKey[]>`
    select id, connection_id as "connectionId", status, public_jwk as "publicJwk",
           sealed_private_key as "sealedPrivateKey", key_id as "keyId", created_at as "createdAt"
    from sso_service_keys where connection_id = any(${[...connectionIds]}::uuid[])`;
}
