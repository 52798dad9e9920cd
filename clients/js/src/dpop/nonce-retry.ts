/** Refusals that a nonce of the server settles (RFC 9449, sections 8 and 9). */

/** An authorization server names the error in the body, an API in the challenge. */
const REFUSED_PROOF = /(?:use_dpop_nonce|invalid_dpop_proof)/;
const ERROR_MAX_CHARACTERS = 10_000;

/**
 * The nonce for a second attempt; undefined where the response is final. With a nonce the age of the proof is the age
 * of the nonce: the clock of the device may be wrong.
 */
export async function nonceOfRetry(response: Response, sent: string | undefined): Promise<string | undefined> {
  const nonce = response.headers.get("dpop-nonce");
  if (nonce === null || nonce === sent || (response.status !== 400 && response.status !== 401)) return undefined;
  if (REFUSED_PROOF.test(response.headers.get("www-authenticate") ?? "")) return nonce;
  if (Number(response.headers.get("content-length") ?? 0) > ERROR_MAX_CHARACTERS) return undefined;
  return REFUSED_PROOF.test(await response.clone().text()) ? nonce : undefined;
}
