import { generateKeyPairSync, type KeyObject } from "node:crypto";

export interface RsaKey {
  readonly kid: string;
  readonly privateKeyPem: string;
  readonly publicKey: KeyObject;
}

/** A new key, by default of the size that the service generates. */
export function newRsaKey(modulusLength = 2048): RsaKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength });
  const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { kid: crypto.randomUUID(), privateKeyPem, publicKey };
}
