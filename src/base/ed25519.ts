import { createPrivateKey, type KeyObject } from "node:crypto";

/** PKCS #8 of an Ed25519 key, up to the seed (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** The private key of a seed of 32 bytes (RFC 8032, section 5.1.5). */
export function ed25519FromSeed(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
}
