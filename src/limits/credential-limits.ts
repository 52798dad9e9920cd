/** Bounds of passkeys, email codes, trusted browsers and mailed links (docs/contract.md, section 20.1). */

export const PASSKEY_CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;
export const PASSKEY_CHALLENGE_BYTES = 32;
export const PASSKEYS_PER_USER_MAX = 50;
/** Deleted passkeys and ended trusted browsers are kept this long, so that deleting them again succeeds. */
export const TOMBSTONE_RETENTION_MS = 30 * 24 * 3600 * 1000;
export const EMAIL_CODE_LIFETIME_MS = 10 * 60 * 1000;
export const EMAIL_CODE_ATTEMPTS_MAX = 5;
export const TRUSTED_BROWSER_LIFETIME_SECONDS = 30 * 24 * 3600;
export const TRUSTED_BROWSERS_PER_USER_MAX = 50;
/** Random tokens of links, cookies, codes and handles (`base/opaque-token.ts`). */
export const OPAQUE_TOKEN_BYTES = 32;
export const PASSWORD_RESET_LIFETIME_MS = 3600 * 1000;
export const EMAIL_VERIFICATION_LIFETIME_MS = 24 * 3600 * 1000;
export const INVITATION_LIFETIME_MS = 7 * 24 * 3600 * 1000;
/** Invitations of an inviter without a verified address (docs/contract.md, section 3.11). */
export const UNVERIFIED_INVITATIONS_MAX = 5;
export const UNVERIFIED_INVITATIONS_WINDOW_MS = 24 * 3600 * 1000;
/** Minimum duration of requests that must not reveal whether an address is known (G13). */
export const UNIFORM_RESPONSE_MS = 40;
/** Concurrent background tasks that write emails. At the bound the requests fail, for any address. */
export const BACKGROUND_WORK_MAX = 1_000;

/** Lifetime of the link by which the owner of a new organization sets a password. */
export const ORGANIZATION_READY_LIFETIME_MS = 24 * 60 * 60 * 1000;
