/** The public half of a key, as JWK (RFC 7517) and as thumbprint (RFC 7638). */
import { base64url } from "./base64url.ts";

/** The members that identify the key, in the order of RFC 7638, section 3.2. */
export async function publicJwkOf(key: CryptoKey): Promise<{ crv: string; kty: string; x: string; y: string }> {
  const { crv = "", kty = "", x = "", y = "" } = await crypto.subtle.exportKey("jwk", key);
  return { crv, kty, x, y };
}

export async function thumbprintOf(key: CryptoKey): Promise<string> {
  return await sha256(JSON.stringify(await publicJwkOf(key)));
}

/** SHA-256 of a text in base64url. */
export async function sha256(text: string): Promise<string> {
  return base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
