/** An identity at another provider, as a proof names it. */
export interface ProvenIdentity {
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
}

/** A first factor that shows control of the mailbox (docs/contract.md, "Whose account is it"). */
export type SignInProof =
  | { readonly kind: "email_code" }
  | { readonly kind: "social_sign_in"; readonly identity: ProvenIdentity };

/** A controlling proof that is not made in a session of the account. */
export type ControlProof = SignInProof | { readonly kind: "password_reset" };
