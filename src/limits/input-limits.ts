/** Bounds of validated input (docs/contract.md, section 2.6). */

/** Invalid fields that one response lists. */
export const INVALID_FIELDS_MAX = 100;
