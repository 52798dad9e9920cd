/** The compact form of a token (RFC 7515, section 7.1). */
import { base64url } from "jose";

/** A token of the service is less than a quarter of this. */
const TOKEN_MAX_CHARACTERS = 8_192;
const COMPACT = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;
export const CLOCK_SKEW_SECONDS = 5;

/** The encoded header; undefined for a text in another form. */
export function encodedHeader(token: string): string | undefined {
  const [, header, , signature = ""] = (token.length <= TOKEN_MAX_CHARACTERS && COMPACT.exec(token)) || [];
  return isCanonical(signature) ? header : undefined;
}

/** Only the canonical spelling: stray bits in the last character, and lengths impossible in base64url, are refused. */
function isCanonical(segment: string): boolean {
  try {
    return base64url.encode(base64url.decode(segment)) === segment;
  } catch {
    return false;
  }
}
