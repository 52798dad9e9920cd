/** The public keys of proofs of possession in the memory of a replica (RFC 9449). */
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, type JWTHeaderParameters } from "jose";
import { LRUCache } from "lru-cache";
import { DPOP_KEYS_MAX, DPOP_REMEMBERED_KEY_MAX_CHARACTERS } from "../../limits/oauth-limits.ts";
import { isBoundedKey } from "../../vocabulary/public-jwk.ts";

/** A public key of proofs, and its thumbprint. */
export interface ProofKey {
  readonly key: CryptoKey;
  readonly thumbprint: string;
}

export interface ProofKeys {
  /** The key in the header of a proof. Throws for a private key, an unreadable key and a key above 4,096 bits. */
  find(header: JWTHeaderParameters): Promise<ProofKey>;
  /**
   * Remembers a key whose signature was verified: a caller without the private key fills no memory. A key that is
   * longer than the keys of applications is imported at each use.
   */
  remember(header: JWTHeaderParameters, key: ProofKey): void;
  readonly size: number;
}

/** The latest keys by algorithm and JWK: an application proves many requests by one key. */
export function proofKeys(max = DPOP_KEYS_MAX): ProofKeys {
  const known = new LRUCache<string, ProofKey>({ max });
  return {
    async find(header) {
      const held = known.get(idOf(header));
      if (held) return held;
      if (!isBoundedKey(header.jwk ?? {})) throw new Error("a key above 4,096 bits");
      return { key: await EmbeddedJWK(header), thumbprint: await calculateJwkThumbprint(header.jwk as JWK) };
    },
    remember(header, key) {
      const id = idOf(header);
      if (id.length <= DPOP_REMEMBERED_KEY_MAX_CHARACTERS) known.set(id, key);
    },
    get size() {
      return known.size;
    },
  };
}

function idOf({ alg, jwk }: JWTHeaderParameters): string {
  return `${alg} ${JSON.stringify(jwk)}`;
}
