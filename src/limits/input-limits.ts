/** Bounds of validated input (docs/contract.md, section 2.6). */

/** Maximum number of invalid fields in a response. */
export const INVALID_FIELDS_MAX = 100;

/** Maximum length of a URL from a third party; single fields have smaller bounds (section 2.13). */
export const URL_MAX_CHARACTERS = 2_048;
