/** The first factor of a session: the claim `auth_method` (docs/contract.md, section 3.4). */
export type FirstFactor = "password" | "passkey" | "social_oauth" | "email_otp" | "sso" | "ticket";

/** The kinds of second factor: the types of the table of factors and of the metric derive from this union. */
export type SecondFactorKind = "totp" | "recovery_code";

/** Authenticator assurance level (NIST SP 800-63B-4): `aal2` after a second factor or a passkey was verified. */
export type AssuranceLevel = "aal1" | "aal2";

/**
 * Requirements on a sign-in (`acr`), from least to most: an assurance level, or `phr`, a passkey with user verification
 * (phishing-resistant).
 */
export const ACR_VALUES = ["aal1", "aal2", "phr"] as const;
export type Acr = (typeof ACR_VALUES)[number];

/** Why an action needs a step-up (docs/contract.md, section 3.9). */
export type StepUpReason = "grants_power" | "adds_credential" | "takes_data_out" | "ends_credentials";
