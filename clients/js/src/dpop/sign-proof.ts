/** Proofs of possession (RFC 9449, section 4.2). */
import { contentDigestOf } from "../content-digest.ts";
import { base64url } from "./base64url.ts";
import { publicJwkOf, sha256 } from "./public-key.ts";

/** The request that a proof accompanies. */
export interface ProvenCall {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** The access token beside the proof, at an API. */
  readonly accessToken?: string;
  /** The nonce of the server, from `DPoP-Nonce`. */
  readonly nonce?: string;
  /** The content of the request, exactly: the proof has the claim `content_digest`. */
  readonly content?: string | Uint8Array;
}

export async function signProof(
  { privateKey, publicKey }: CryptoKeyPair,
  { method, url, accessToken, nonce, content }: ProvenCall,
): Promise<string> {
  const { origin, pathname } = new URL(url);
  const header = { typ: "dpop+jwt", alg: "ES256", jwk: await publicJwkOf(publicKey) };
  const claims = {
    jti: crypto.randomUUID(),
    htm: method,
    htu: origin + pathname,
    iat: Math.floor(Date.now() / 1000),
    ...(accessToken === undefined ? {} : { ath: await sha256(accessToken) }),
    ...(nonce === undefined ? {} : { nonce }),
    ...(content === undefined ? {} : { content_digest: await contentDigestOf(content) }),
  };
  const signed = `${encoded(header)}.${encoded(claims)}`;
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(signed));
  return `${signed}.${base64url(signature)}`;
}

function encoded(part: object): string {
  return base64url(new TextEncoder().encode(JSON.stringify(part)));
}
