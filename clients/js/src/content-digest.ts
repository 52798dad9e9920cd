/**
 * The claim `content_digest` of a proof of possession: the draft of 2025 of MCP's DPoP profile (SEP-1932) binds a proof
 * to the body of its request, in the form of `Content-Digest` (RFC 9530, section 2).
 */

/** SHA-256 of the bytes in standard base64, as a structured field. */
export async function contentDigestOf(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha-256=:${btoa(String.fromCharCode(...hash))}:`;
}
