import { hkdfSync, type KeyObject } from "node:crypto";
import { ed25519FromSeed } from "../../base/ed25519.ts";

/** Separates the derived key from every other use of the private key (RFC 5869, section 3.2). */
const PURPOSE = "identity-service/ed25519 refresh tokens";
const SEED_BYTES = 32;

/**
 * The Ed25519 private key that belongs to a key of the ring and signs refresh and MFA tokens: HKDF-SHA-256 of the RSA
 * private key in sealed form. A derived key needs no storage, is as secret as the RSA key, and is rotated and deleted
 * with the RSA key.
 */
export function deriveRefreshKey(privateKeyPem: string): KeyObject {
  return ed25519FromSeed(Buffer.from(hkdfSync("sha256", privateKeyPem, "", PURPOSE, SEED_BYTES)));
}
