/** The JSON text of one metadata object of a member or an organization, in UTF-8. */
export const METADATA_MAX_BYTES = 4 * 1024;
