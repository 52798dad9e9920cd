/** How a session began: the claim `auth_method` (decisions, section 3). */
export type FirstFactor = "password" | "passkey" | "social_oauth" | "email_otp";

/** Authenticator assurance level (NIST SP 800-63B-4): `aal2` once a second factor or a passkey was shown. */
export type AssuranceLevel = "aal1" | "aal2";
