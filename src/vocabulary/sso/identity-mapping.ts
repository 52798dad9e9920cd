/** Settings of the identity in a response, of both protocols (docs/contract.md, chapter 29). */

export const IDP_INITIATED_MODES = ["off", "restart"] as const;

/** An attribute of the membership, and the claim with its value. */
export interface AttributeMapping {
  readonly name: string;
  readonly from: string;
}

/** Names of claims or of attributes of SAML, compared exactly; null: the value is not read. */
export interface IdentityMapping {
  /** Null, with SAML only: the NameID. */
  readonly subject_from: string | null;
  /** Null, with SAML only: the NameID. */
  readonly email_from: string | null;
  readonly first_name_from: string | null;
  readonly last_name_from: string | null;
  readonly display_name_from: string | null;
  readonly groups_from: string | null;
  readonly attributes: readonly AttributeMapping[];
  /** Values of `acr` or `amr`, or classes of authentication of SAML, that give `aal2`. */
  readonly mfa_trust: "never" | readonly string[];
  readonly clock_skew_seconds: number;
  readonly idp_initiated: (typeof IDP_INITIATED_MODES)[number];
}
