/** The JSON text of one metadata object of a member or an organization, in UTF-8. */
export const METADATA_MAX_BYTES = 4 * 1024;

/** The JSON text of one metadata object of a user, in UTF-8. */
export const USER_METADATA_MAX_BYTES = 8 * 1024;
/** Nested objects and lists of one metadata object of a user. */
export const USER_METADATA_MAX_DEPTH = 8;
