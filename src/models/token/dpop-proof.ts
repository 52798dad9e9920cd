/** Proofs of possession of a key (DPoP, RFC 9449; docs/contract.md, section 23.14). */
import { createHash } from "node:crypto";
import { decodeProtectedHeader, errors, type JWTHeaderParameters, type JWTVerifyResult, jwtVerify } from "jose";
import { err, ok, type Result } from "../../base/result.ts";
import { DPOP_JTI_MAX_CHARACTERS, DPOP_PROOF_MAX_CHARACTERS } from "../../limits/oauth-limits.ts";
import type { ProofKey, ProofKeys } from "./proof-keys.ts";

/** Algorithms of proofs, in the order of the metadata (`dpop_signing_alg_values_supported`). */
export const DPOP_ALGORITHMS = ["ES256", "EdDSA", "PS256", "RS256"] as const;

/** SHA-256 in base64url: a thumbprint of a key (RFC 7638), and the hash `ath` of an access token. */
const SHA256_TEXT = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of `dpop_jkt` (RFC 9449, section 10). */
export function isThumbprint(text: string): boolean {
  return SHA256_TEXT.test(text);
}

/** The request that a proof accompanies. */
export interface ProvenRequest {
  readonly method: string;
  /** The public URL of the endpoint, without query and fragment. */
  readonly url: string;
  /** The access token beside the proof, at a resource (RFC 9449, section 7). */
  readonly accessToken?: string;
}

/** A proof with a valid signature for one request. Age and repetition are not checked yet. */
export interface Proof {
  /** The thumbprint of the key (`jkt`). */
  readonly thumbprint: string;
  readonly jti: string;
  /** Unix seconds. */
  readonly issuedAt: number;
  readonly nonce: string | undefined;
  readonly algorithm: string;
}

/**
 * Reads a proof by RFC 9449, section 4.3: form, algorithm, signature by the embedded public key, method, URL, and the
 * hash of the access token. `nowSeconds`: for `exp` and `nbf`, where present. The error is a description for
 * developers.
 */
export async function readProof(
  keys: ProofKeys,
  text: string,
  request: ProvenRequest,
  nowSeconds: number,
): Promise<Result<Proof, string>> {
  if (text.length > DPOP_PROOF_MAX_CHARACTERS) return err(`more than ${DPOP_PROOF_MAX_CHARACTERS} characters`);
  const verified = await verifyEmbedded(keys, text, nowSeconds);
  if (!verified.ok) return verified;
  const { payload, protectedHeader, thumbprint } = verified.value;
  const { jti, iat, htm, htu, ath, nonce } = payload;
  if (typeof jti !== "string" || jti === "" || jti.length > DPOP_JTI_MAX_CHARACTERS) {
    return err(`jti must have 1 to ${DPOP_JTI_MAX_CHARACTERS} characters`);
  }
  if (iat === undefined) return err("iat is missing");
  if (htm !== request.method) return err("htm is not the method of the request");
  if (typeof htu !== "string" || !isSameUrl(htu, request.url)) return err("htu is not the URL of the endpoint");
  if (nonce !== undefined && typeof nonce !== "string") return err("nonce must be a string");
  if (request.accessToken !== undefined && ath !== hashOf(request.accessToken)) {
    return err("ath is not the hash of the access token");
  }
  return ok({ thumbprint, jti, issuedAt: iat, nonce, algorithm: protectedHeader.alg });
}

/** Asymmetric algorithms and public keys only, no matter what the header says. */
async function verifyEmbedded(
  keys: ProofKeys,
  text: string,
  nowSeconds: number,
): Promise<Result<JWTVerifyResult & Pick<ProofKey, "thumbprint">, string>> {
  try {
    const header = decodeProtectedHeader(text) as JWTHeaderParameters;
    const key = await keys.find(header);
    const verified = await jwtVerify(text, key.key, {
      typ: "dpop+jwt",
      algorithms: [...DPOP_ALGORITHMS],
      currentDate: new Date(nowSeconds * 1000),
    });
    keys.remember(header, key);
    return ok({ ...verified, thumbprint: key.thumbprint });
  } catch (error) {
    if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
      return err(`${error.claim} is invalid`);
    return err("form, algorithm, key or signature is invalid");
  }
}

/** Query and fragment do not count; scheme and host count in any case (RFC 9449, section 4.3). */
function isSameUrl(presented: string, expected: string): boolean {
  if (presented === expected) return true;
  if (!URL.canParse(presented)) return false;
  const [{ origin, pathname, username, password }, endpoint] = [new URL(presented), new URL(expected)];
  return username === "" && password === "" && origin === endpoint.origin && pathname === endpoint.pathname;
}

function hashOf(accessToken: string): string {
  return createHash("sha256").update(accessToken).digest("base64url");
}
