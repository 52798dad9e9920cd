import { createHmac, timingSafeEqual } from "node:crypto";
import { uuidOfHex } from "../../base/random.ts";

const UUID_BYTES = 16;
const MAC_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{86}$/;

/** The refresh token of a family, as stated by the row. */
export interface RefreshTokenParts {
  readonly familyId: string;
  readonly jti: string;
}

/**
 * A refresh token: the family, the `jti` of the row, and a MAC over the two, in base64url. The row stores no secret,
 * and an unchanged row gives an unchanged token, as the two-tab grace needs (docs/contract.md, section 3.6).
 */
export function makeRefreshToken(key: Buffer, { familyId, jti }: RefreshTokenParts): string {
  const parts = Buffer.concat([uuidBytes(familyId), uuidBytes(jti)]);
  return Buffer.concat([parts, macOf(key, parts)]).toString("base64url");
}

/** The parts of a token of this service; undefined for any further text. */
export function openRefreshToken(key: Buffer, token: string): RefreshTokenParts | undefined {
  if (!SHAPE.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  if (bytes.toString("base64url") !== token || bytes.length !== 2 * UUID_BYTES + MAC_BYTES) return undefined;
  const parts = bytes.subarray(0, 2 * UUID_BYTES);
  if (!timingSafeEqual(macOf(key, parts), bytes.subarray(2 * UUID_BYTES))) return undefined;
  return {
    familyId: uuidOfHex(parts.toString("hex", 0, UUID_BYTES)),
    jti: uuidOfHex(parts.toString("hex", UUID_BYTES)),
  };
}

function macOf(key: Buffer, parts: Buffer): Buffer {
  return createHmac("sha256", key).update("oauth refresh token\n").update(parts).digest();
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}
