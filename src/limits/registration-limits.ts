/** Bounds of registrations and pending sign-ups (docs/contract.md, chapter 37). */

/** A pending sign-up lives as long as an emailed code. */
export const SIGN_UP_LIFETIME_MS = 10 * 60 * 1000;
/** Live pending sign-ups of the deployment, and of one client network. */
export const SIGN_UPS_MAX = 100_000;
export const SIGN_UPS_PER_NETWORK_MAX = 2_000;
/** Domains in a list of the registration settings. */
export const REGISTRATION_DOMAINS_MAX = 500;
/** The time for which front ends and proxies keep GET /auth/registration, in seconds. */
export const REGISTRATION_CACHE_SECONDS = 60;
