import type { TokenKind } from "./claims.ts";

/** `alg` of the header of a token (RFC 7518, section 3.1; RFC 9864, section 2.2). */
export type TokenAlgorithm = "RS256" | "Ed25519";

interface AlgorithmRules {
  /** The kinds of token whose header may have it. */
  readonly kinds: readonly TokenKind[];
  /** The digest of node:crypto; Ed25519 hashes by itself. */
  readonly digest: "RSA-SHA256" | null;
  /** RSA signatures have the size of the modulus (2048 bits), those of Ed25519 64 bytes (RFC 8032, section 5.1.6). */
  readonly signatureBytes: number;
}

/**
 * Only this service reads refresh and MFA tokens, so they need no algorithm that other verifiers know: a signature of
 * Ed25519 costs a thirtieth of one of RS256. Those that version 0.1.0 signed with RS256 stay valid until they expire.
 */
export const TOKEN_ALGORITHMS = {
  RS256: { kinds: ["access", "refresh", "mfa"], digest: "RSA-SHA256", signatureBytes: 256 },
  Ed25519: { kinds: ["refresh", "mfa"], digest: null, signatureBytes: 64 },
} as const satisfies Record<TokenAlgorithm, AlgorithmRules>;
