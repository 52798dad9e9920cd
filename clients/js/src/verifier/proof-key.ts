/** The key in the header of a proof of possession (RFC 9449, section 4.2). */
import { base64url, type CryptoKey, calculateJwkThumbprint, importJWK, type JWK } from "jose";
import { BoundedMap } from "./bounded-map.ts";

/** Algorithms of proofs, in the order of the metadata (`dpop_signing_alg_values_supported`). */
export const PROOF_ALGORITHMS = ["ES256", "EdDSA", "PS256", "RS256"] as const;
type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number];

export interface ProofKey {
  readonly algorithm: ProofAlgorithm;
  readonly key: CryptoKey;
  /** RFC 7638. */
  readonly thumbprint: string;
}

/** Members of a public key. A key with any other member of a key, such as a private member, is refused. */
const PUBLIC_MEMBERS: Readonly<Record<ProofAlgorithm, readonly [kty: string, crv: string | undefined, ...string[]]>> = {
  ES256: ["EC", "P-256", "x", "y"],
  EdDSA: ["OKP", "Ed25519", "x"],
  PS256: ["RSA", undefined, "n", "e"],
  RS256: ["RSA", undefined, "n", "e"],
};
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
/** 4,096 bits: a larger modulus costs the verifier more than the client. */
const MEMBER_MAX_CHARACTERS = 683;
/** The header with a key of 4,096 bits has less. */
const REMEMBERED_HEADER_MAX_CHARACTERS = 1_366;

const decoder = new TextDecoder("utf-8", { fatal: true });

export interface ProofKeys {
  /** The key of an encoded header; undefined for a header that is none of a proof. */
  find(encodedHeader: string): Promise<ProofKey | undefined>;
  /** Remembers a key whose signature was verified: a caller without the private key fills no memory. */
  remember(encodedHeader: string, key: ProofKey): void;
}

/**
 * All proofs of a client have an equal header: the imported key is cached by the header. A header with further members
 * is imported at each use.
 */
export function proofKeys(max: number): ProofKeys {
  const known = new BoundedMap<string, ProofKey>(max);
  return {
    async find(encodedHeader) {
      return known.get(encodedHeader) ?? (await importKey(encodedHeader).catch(() => undefined));
    },
    remember(encodedHeader, key) {
      if (encodedHeader.length <= REMEMBERED_HEADER_MAX_CHARACTERS) known.set(encodedHeader, key);
    },
  };
}

async function importKey(encodedHeader: string): Promise<ProofKey | undefined> {
  const { typ, alg, jwk, crit } = JSON.parse(decoder.decode(base64url.decode(encodedHeader)));
  const algorithm = PROOF_ALGORITHMS.find((each) => each === alg);
  if (typ !== "dpop+jwt" || algorithm === undefined || crit !== undefined) return undefined;
  if (typeof jwk !== "object" || jwk === null || PRIVATE_MEMBERS.some((member) => member in jwk)) return undefined;
  const [kty, crv, ...members] = PUBLIC_MEMBERS[algorithm];
  if (jwk.kty !== kty || (crv !== undefined && jwk.crv !== crv)) return undefined;
  const values = members.map((member) => [member, jwk[member]] as const);
  if (!values.every(([, value]) => typeof value === "string" && value.length <= MEMBER_MAX_CHARACTERS))
    return undefined;
  const publicKey: JWK = { kty, ...(crv === undefined ? {} : { crv }), ...Object.fromEntries(values) };
  const [key, thumbprint] = await Promise.all([importJWK(publicKey, algorithm), calculateJwkThumbprint(publicKey)]);
  return { algorithm, key: key as CryptoKey, thumbprint };
}
