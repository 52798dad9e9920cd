import type { ProviderAlgorithm } from "../../vocabulary/provider-algorithm.ts";
import type { TokenKind } from "./claims.ts";

/** `alg` of the header of a token (RFC 7518, section 3.1; RFC 8037, section 3.1; RFC 9864, section 2.2). */
export type TokenAlgorithm = ProviderAlgorithm | "Ed25519";

interface AlgorithmRules {
  /** The kinds of session token with this algorithm; the OpenID provider has headers of its own. */
  readonly kinds: readonly TokenKind[];
  /** The digest of node:crypto; Ed25519 hashes by itself. */
  readonly digest: "RSA-SHA256" | "sha256" | null;
  /**
   * RSA signatures have the size of the modulus (2048 bits), signatures of ES256 two integers of 32 bytes (RFC 7518,
   * section 3.4), signatures of Ed25519 64 bytes (RFC 8032, section 5.1.6).
   */
  readonly signatureBytes: number;
}

/**
 * Only this service reads refresh and MFA tokens, so they need no algorithm that other verifiers know: a signature of
 * Ed25519 costs a thirtieth of one of RS256. Those that version 0.1.0 signed with RS256 stay valid until they expire.
 */
export const TOKEN_ALGORITHMS = {
  RS256: { kinds: ["access", "refresh", "mfa"], digest: "RSA-SHA256", signatureBytes: 256 },
  Ed25519: { kinds: ["refresh", "mfa"], digest: null, signatureBytes: 64 },
  ES256: { kinds: [], digest: "sha256", signatureBytes: 64 },
  EdDSA: { kinds: [], digest: null, signatureBytes: 64 },
} as const satisfies Record<TokenAlgorithm, AlgorithmRules>;
