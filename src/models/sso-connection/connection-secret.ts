/** Secrets of connections at rest: the client secret and the private keys of the service. */

import type { Random } from "../../base/random.ts";
import { type ConfigKeys, open, openingKey, type SealingKey, seal } from "../../base/seal.ts";
import type { Sql } from "../../database/database.ts";
import type { ServiceKey } from "./service-key.ts";
import type { SsoConnection } from "./sso-connection.ts";

/** Associated data: a secret copied to another connection does not open (G22). */
function identity(connectionId: string): string {
  return `sso:${connectionId}`;
}

export function sealConnectionSecret(
  { random }: { readonly random: Random },
  key: SealingKey,
  connectionId: string,
  secret: string,
): Buffer {
  return seal(key, random, identity(connectionId), Buffer.from(secret));
}

/** Undefined without a secret, and when no configured key opens the secret. */
export function openClientSecret(
  keys: ConfigKeys,
  { id, sealedSecret, keyId }: Pick<SsoConnection, "id" | "sealedSecret" | "keyId">,
): string | undefined {
  return sealedSecret === null ? undefined : openText(keys, id, keyId, sealedSecret);
}

/** The private key of the service in PEM form (PKCS #8); undefined when no configured key opens the private key. */
export function openServiceKey(
  keys: ConfigKeys,
  { connectionId, sealedPrivateKey, keyId }: Pick<ServiceKey, "connectionId" | "sealedPrivateKey" | "keyId">,
): string | undefined {
  return openText(keys, connectionId, keyId, sealedPrivateKey);
}

function openText(keys: ConfigKeys, connectionId: string, keyId: string | null, sealed: Buffer): string | undefined {
  const key = openingKey(keys, keyId);
  return key && open(key, identity(connectionId), sealed)?.toString();
}

/** A sealed value of a connection in the database. */
export interface SealedValue {
  readonly table: "sso_connections" | "sso_service_keys";
  /** Id of the row. */
  readonly id: string;
  readonly connectionId: string;
  readonly connectionName: string;
  readonly sealed: Buffer;
  readonly keyId: string;
}

/** All sealed values, in the order of the connections. */
export async function listSealedValues(sql: Sql): Promise<SealedValue[]> {
  return await sql<SealedValue[]>`
    select 'sso_connections' as table, c.id, c.id as "connectionId", c.name as "connectionName",
           c.sealed_secret as sealed, c.key_id as "keyId", c.created_at
    from sso_connections c where c.sealed_secret is not null
    union all
    select 'sso_service_keys', k.id, k.connection_id, c.name, k.sealed_private_key, k.key_id, c.created_at
    from sso_service_keys k join sso_connections c on c.id = k.connection_id
    order by created_at, "connectionId"`;
}

/** Opens a sealed value and seals the value under a key; undefined when no configured key opens the value. */
export function resealValue(
  deps: { readonly random: Random },
  keys: ConfigKeys,
  key: SealingKey,
  { connectionId, keyId, sealed }: SealedValue,
): Buffer | undefined {
  const text = openText(keys, connectionId, keyId, sealed);
  return text === undefined ? undefined : sealConnectionSecret(deps, key, connectionId, text);
}

/** Replaces a sealed value by another form of the value; false if the value changed concurrently. */
export async function replaceSealedValue(
  sql: Sql,
  { table, id, connectionId, sealed: before }: SealedValue,
  sealed: Buffer,
  keyId: string,
): Promise<boolean> {
  const column = sql(table === "sso_connections" ? "sealed_secret" : "sealed_private_key");
  const replaced = await sql`
    update ${sql(table)} set ${column} = ${sealed}, key_id = ${keyId} where id = ${id} and ${column} = ${before}
    returning id`;
  if (replaced.length === 0) return false;
  await sql`update sso_connections set updated_at = updated_at + interval '1 millisecond' where id = ${connectionId}`;
  return true;
}
