/** Bounds of the review after a reset of the password (docs/contract.md, section 12.16). */

/** Credentials that are younger at a reset are held until the user confirms. */
export const CREDENTIAL_HOLD_MS = 7 * 24 * 3600 * 1000;
/** A review lists nothing older, however long ago the last sign-in from a known browser was. */
export const REVIEW_PERIOD_MAX_MS = 30 * 24 * 3600 * 1000;
/** The mailed link that ends what the review lists. */
export const REVIEW_LINK_LIFETIME_MS = 7 * 24 * 3600 * 1000;
/** Items that the review lists and displays, newest first. */
export const REVIEW_ITEMS_MAX = 100;
/** Changes of each kind in organizations, which a review lists beside the items that it ends. */
export const REVIEW_CHANGES_MAX = 30;
/** Items that the list of a person's creations in an organization has, newest first. */
export const CREATIONS_LISTED_MAX = 200;
/** People with creations whom one email names. */
export const CREATORS_NAMED_MAX = 10;
