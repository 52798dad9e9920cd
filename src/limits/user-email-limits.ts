/** Bounds of the addresses of a user (docs/contract.md, section 12.14). */

export const USER_EMAILS_MAX = 6;
export const EMAIL_CHANGE_LIFETIME_MS = 24 * 3600 * 1000;
/** The undo link is valid, and the former address reserved, for this time after the confirmation. */
export const EMAIL_UNDO_LIFETIME_MS = 7 * 24 * 3600 * 1000;
export const EMAIL_CHANGES_MAX = 5;
export const EMAIL_CHANGES_WINDOW_MS = 3600 * 1000;
