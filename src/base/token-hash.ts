import { createHash } from "node:crypto";

/** The stored form of a random token: SHA-256. A random token of 32 bytes needs no salt and no slow hash. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
