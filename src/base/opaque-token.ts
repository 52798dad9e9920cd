import { OPAQUE_TOKEN_BYTES } from "../limits/credential-limits.ts";
import type { Random } from "./random.ts";
import { hashToken } from "./token-hash.ts";

const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** 32 random bytes in base64url: a link, cookie, code, `state` or handle without meaning. */
export function makeOpaqueToken(random: Random): string {
  return random.bytes(OPAQUE_TOKEN_BYTES).toString("base64url");
}

export function isOpaqueToken(text: string | undefined | null): text is string {
  return typeof text === "string" && SHAPE.test(text);
}

/** The stored hash; undefined for a malformed token. */
export function hashOpaqueToken(text: string | undefined): Buffer | undefined {
  return isOpaqueToken(text) ? hashToken(text) : undefined;
}
