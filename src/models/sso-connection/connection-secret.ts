/** Secrets of connections at rest: the client secret and the private keys of the service. */
import type { Random } from "../../base/random.ts";
import { type ConfigKeys, open, openingKey, type SealingKey, seal } from "../../base/seal.ts";
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
