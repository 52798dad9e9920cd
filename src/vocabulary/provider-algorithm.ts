import type { KeyObject } from "node:crypto";

/**
 * `alg` of tokens that the OpenID provider issues to applications and APIs (RFC 7518, section 3.1; RFC 8037, section
 * 3.1). The first is the default.
 */
export const PROVIDER_ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const;
export type ProviderAlgorithm = (typeof PROVIDER_ALGORITHMS)[number];
/** The algorithms whose keys are derived from the RSA keys of the ring (docs/decisions/0025). */
export type DerivedAlgorithm = Exclude<ProviderAlgorithm, "RS256">;

/** A private key for ES256 or EdDSA. */
export interface DerivedSigningKey {
  readonly algorithm: DerivedAlgorithm;
  readonly kid: string;
  readonly privateKey: KeyObject;
}
