/** Bounds of registrations and pending sign-ups (docs/contract.md, chapter 11). */

/** A pending sign-up lives as long as an emailed code. */
export const SIGN_UP_LIFETIME_MS = 10 * 60 * 1000;
/** Live pending sign-ups of the deployment, and of one client network. */
export const SIGN_UPS_MAX = 100_000;
export const SIGN_UPS_PER_NETWORK_MAX = 2_000;
