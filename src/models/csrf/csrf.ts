import { createHmac, timingSafeEqual } from "node:crypto";
import type { Random } from "../../base/random.ts";

const RANDOM_BYTES = 16;

/**
 * The value of the cookie `service_csrf`: random, then an HMAC-SHA-256 binding the value to the session family. A
 * cookie planted by a sibling domain is invalid for every session (docs/contract.md, section 3.3).
 */
export function makeCsrfToken(key: Buffer, random: Random, sessionId: string): string {
  const nonce = random.bytes(RANDOM_BYTES).toString("base64url");
  return `${nonce}.${bind(key, nonce, sessionId)}`;
}

/** Verifies the equality of header and cookie, and the binding of the cookie to the session. */
export function csrfTokenFits(
  key: Buffer,
  header: string | null,
  cookie: string | undefined,
  sessionId: string,
): boolean {
  if (!header || !cookie || !equal(header, cookie)) return false;
  const [nonce, binding, ...rest] = cookie.split(".");
  if (!nonce || !binding || rest.length > 0) return false;
  return equal(binding, bind(key, nonce, sessionId));
}

function bind(key: Buffer, nonce: string, sessionId: string): string {
  return createHmac("sha256", key).update(`${nonce}.${sessionId}`).digest("base64url");
}

function equal(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
