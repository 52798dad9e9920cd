/** The ways on the sign-in page, by wire name, in the order without `SERVICE_SIGN_IN_METHODS`. */
export const SIGN_IN_METHODS = [
  "password",
  "email_code",
  "passkey",
  "oauth_idp_a",
  "oauth_idp_b",
  "oauth_idp_c",
  "oauth_idp_d",
  "oauth_idp_e",
] as const;

/** One of `SIGN_IN_METHODS`, or the key of a provider by configuration. */
export type SignInMethod = string;
