import { createECDH, createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from "node:crypto";
import { ed25519FromSeed } from "../../base/ed25519.ts";
import type { DerivedAlgorithm, DerivedSigningKey } from "../../vocabulary/provider-algorithm.ts";

/** A public key of the JWKS other than RSA (RFC 7518, section 6.2.1; RFC 8037, section 2). */
export interface DerivedJwk {
  readonly kty: "EC" | "OKP";
  readonly crv: "P-256" | "Ed25519";
  readonly x: string;
  /** P-256 only. */
  readonly y?: string;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly alg: DerivedAlgorithm;
  readonly use: "sig";
}

export interface ProviderKey extends DerivedSigningKey {
  readonly publicKey: KeyObject;
  readonly publicJwk: DerivedJwk;
}

export type ProviderKeys = Readonly<Record<DerivedAlgorithm, ProviderKey>>;

/** Separates a derived key from every other use of the private key (RFC 5869, section 3.2). */
const PURPOSES = {
  ES256: "identity-service/es256 provider tokens",
  EdDSA: "identity-service/eddsa provider tokens",
} as const satisfies Record<DerivedAlgorithm, string>;

/** Order of the group of P-256 (SEC 2, section 2.4.2). */
const P256_ORDER = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
const P256_BYTES = 32;
/** 64 bits more than the order has, so that the reduction has no bias (FIPS 186-5, appendix A.2.1). */
const P256_SEED_BYTES = 40;
const ED25519_SEED_BYTES = 32;

/**
 * The ES256 and the EdDSA key that belong to a key of the ring: HKDF-SHA-256 of the RSA private key in sealed form. A
 * derived key needs no storage, is as secret as the RSA key, and is published, activated, retired and deleted with the
 * RSA key.
 */
export function deriveProviderKeys(privateKeyPem: string): ProviderKeys {
  return {
    ES256: toProviderKey("ES256", p256Key(expand(privateKeyPem, "ES256", P256_SEED_BYTES))),
    EdDSA: toProviderKey("EdDSA", ed25519FromSeed(expand(privateKeyPem, "EdDSA", ED25519_SEED_BYTES))),
  };
}

function expand(privateKeyPem: string, algorithm: DerivedAlgorithm, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", privateKeyPem, "", PURPOSES[algorithm], bytes));
}

/** FIPS 186-5, appendix A.2.1: the seed modulo the order less one, plus one. */
function p256Key(seed: Buffer): KeyObject {
  const scalar = (BigInt(`0x${seed.toString("hex")}`) % (P256_ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(2 * P256_BYTES, "0"), "hex");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(d);
  // Uncompressed: a leading byte, then both coordinates (SEC 1, section 2.3.3).
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 1 + P256_BYTES), point.subarray(1 + P256_BYTES)];
  const jwk = { kty: "EC", crv: "P-256", d: encoded(d), x: encoded(x), y: encoded(y) };
  return createPrivateKey({ key: jwk, format: "jwk" });
}

function toProviderKey(algorithm: DerivedAlgorithm, privateKey: KeyObject): ProviderKey {
  const publicKey = createPublicKey(privateKey);
  const jwk = publicKey.export({ format: "jwk" }) as Pick<DerivedJwk, "kty" | "crv" | "x" | "y">;
  const { kty, crv, x, y } = jwk;
  // The members in lexical order, as RFC 7638 requires; JSON omits an absent `y`.
  const kid = createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
  const published = { kty, crv, x, ...(y === undefined ? {} : { y }), kid, alg: algorithm, use: "sig" } as const;
  return { algorithm, kid, privateKey, publicKey, publicJwk: published };
}

function encoded(bytes: Buffer): string {
  return bytes.toString("base64url");
}
