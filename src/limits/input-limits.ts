/** Bounds of validated input (docs/contract.md, section 2.6). */

/** Maximum number of invalid fields in a response. */
export const INVALID_FIELDS_MAX = 100;
