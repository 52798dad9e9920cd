import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import type { Random } from "./random.ts";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key that seals secrets at rest, and the identifier that rows store with the sealed value. */
export interface SealingKey {
  readonly key: Buffer;
  /** First 16 hex digits of SHA-256 of the key: identifies the key without revealing it. */
  readonly id: string;
}

/** The keys of `SERVICE_CONFIG_KEY` and `SERVICE_CONFIG_KEYS_PREVIOUS`. */
export interface ConfigKeys {
  /** Seals and opens. Undefined: secrets cannot be stored. */
  readonly current: SealingKey | undefined;
  /** Only open. */
  readonly previous: readonly SealingKey[];
}

/** The configured key that sealed a row. */
export function openingKey({ current, previous }: ConfigKeys, keyId: string | null): SealingKey | undefined {
  return [current, ...previous].find((key) => key?.id === keyId);
}

export function sealingKey(key: Buffer): SealingKey {
  return { key, id: createHash("sha256").update(key).digest("hex").slice(0, 16) };
}

/**
 * Derives a 32-byte key for a purpose from the root secret: HKDF-SHA-256 (RFC 5869) with the purpose as `info`, so that
 * no two uses of `SERVICE_JWT_SECRET` share a key.
 */
export function deriveKey(rootSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", rootSecret, "", `identity-service/${purpose}`, KEY_BYTES));
}

/**
 * Encrypts with AES-256-GCM and `identity` as associated data: a row copied to another identity does not open (G22).
 * Returns nonce, ciphertext and tag in one buffer.
 */
export function seal(sealing: SealingKey, random: Random, identity: string, plaintext: Buffer): Buffer {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", sealing.key, nonce);
  cipher.setAAD(Buffer.from(identity));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts the output of `seal`. `undefined` when the key, the identity or a single bit differs. */
export function open(sealing: SealingKey, identity: string, sealed: Buffer): Buffer | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", sealing.key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(identity));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}
