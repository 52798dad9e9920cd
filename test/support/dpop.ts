/** Proofs of possession of a key (RFC 9449), as an application makes them. */
import { createHash, randomUUID } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { ISSUER } from "./replica.ts";

export interface ProofKey {
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
  readonly thumbprint: string;
}

export async function makeProofKey(alg = "ES256"): Promise<ProofKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { alg, privateKey, publicKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
}

export interface ProofParts {
  readonly path?: string;
  readonly accessToken?: string;
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
}

/** A proof for POST at the token endpoint unless the parts say otherwise. A claim of `undefined` is left out. */
export async function makeProof(
  key: ProofKey,
  { path, accessToken, claims, header }: ProofParts = {},
): Promise<string> {
  const ath = accessToken && createHash("sha256").update(accessToken).digest("base64url");
  const payload = {
    jti: randomUUID(),
    htm: "POST",
    htu: `${ISSUER}${path ?? "/oauth2/token"}`,
    iat: Math.floor(Date.now() / 1000),
    ...(ath ? { ath } : {}),
    ...claims,
  };
  return await new SignJWT(payload as never)
    .setProtectedHeader({ typ: "dpop+jwt", alg: key.alg, jwk: key.jwk, ...header })
    .sign(key.privateKey);
}
