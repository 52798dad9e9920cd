/** An identity at an external provider. */
export interface ProvenIdentity {
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
}

/** A subject at the identity provider of an organization. */
export interface CompanyAccount {
  readonly connectionId: string;
  readonly subject: string;
}

/** A first factor that proves control of the mailbox (docs/contract.md, section 5.2). */
export type SignInProof = FirstFactorProof & {
  /** The row of the proven address; absent: the primary address. */
  readonly addressId?: string | undefined;
};

type FirstFactorProof =
  | { readonly kind: "email_code" }
  /** The identity provider of an organization asserted an address in a verified domain of the organization. */
  | { readonly kind: "single_sign_on"; readonly companyAccount: CompanyAccount }
  | { readonly kind: "social_sign_in"; readonly identity: ProvenIdentity };

/** A controlling proof made outside of a session of the account. */
export type ControlProof =
  | SignInProof
  | { readonly kind: "password_reset" | "invitation" | "directory"; readonly addressId?: string | undefined };

/** A user ends what was set up before a reset. `email`: the address that remains. */
export interface ReviewProof {
  readonly kind: "credential_review";
  readonly email: string;
  /** False: by the mailed link alone. */
  readonly inSession: boolean;
  /** The mailbox of an older address ends the reset by a recent address, and so the password. */
  readonly endsReset: boolean;
}

/**
 * The reason for which credentials end: a first controlling proof, the undo of a change of the address, a disowned
 * sign-in, a review after a reset, or the move of a managed account to another mailbox by the organization.
 */
export type CredentialsEnd =
  | ControlProof
  | ReviewProof
  | { readonly kind: "email_undo" | "sign_in_disowned" | "managed_address" };
