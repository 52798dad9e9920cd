import { createPrivateKey, hkdfSync, type KeyObject } from "node:crypto";

/** Separates the derived key from every other use of the private key (RFC 5869, section 3.2). */
const PURPOSE = "identity-service/ed25519 refresh tokens";
const SEED_BYTES = 32;
/** PKCS #8 of an Ed25519 key, up to the seed (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * The Ed25519 private key that belongs to a key of the ring and signs refresh and MFA tokens: HKDF-SHA-256 of the RSA
 * private key as it was sealed. Being derived it needs no storage, and it is as secret as the RSA key, is rotated with
 * it and ends with it.
 */
export function deriveRefreshKey(privateKeyPem: string): KeyObject {
  const seed = Buffer.from(hkdfSync("sha256", privateKeyPem, "", PURPOSE, SEED_BYTES));
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
}
