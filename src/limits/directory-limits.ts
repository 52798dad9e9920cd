/** Bounds of directory synchronization by SCIM 2.0 (docs/contract.md, chapter 31). */

// Requests
export const SCIM_BODY_MAX_BYTES = 1024 * 1024;
export const SCIM_OPERATIONS_MAX = 100;
/** Members that one request names. */
export const SCIM_REQUEST_MEMBERS_MAX = 10_000;

// Records
export const SCIM_RECORD_MAX_BYTES = 16 * 1024;
/** E-mail addresses, telephone numbers and postal addresses of a record together. */
export const SCIM_CONTACTS_MAX = 64;
export const SCIM_USER_NAME_MAX_CHARACTERS = 320;
export const SCIM_EXTERNAL_ID_MAX_CHARACTERS = 255;
export const SCIM_GROUP_NAME_MAX_CHARACTERS = 255;

// Filters
export const SCIM_FILTER_MAX_CHARACTERS = 2_000;
/** Conditions and connectives of a filter. */
export const SCIM_FILTER_NODES_MAX = 50;
/** Nested parentheses, brackets and negations. */
export const SCIM_FILTER_DEPTH_MAX = 10;
/** The path of an operation, without a comparison value of a filter. */
export const SCIM_PATH_MAX_CHARACTERS = 2_000;

// Lists
export const SCIM_PAGE_DEFAULT = 100;
export const SCIM_PAGE_MAX = 200;
export const SCIM_CURSOR_LIFETIME_MS = 3600 * 1000;
/** Names in `attributes` or `excludedAttributes`. */
export const SCIM_PROJECTION_MAX = 100;

// Refused requests
/** Requests of a directory. */
export const DIRECTORY_REQUESTS_MAX = 500;
export const DIRECTORY_REQUEST_LIFETIME_MS = 30 * 24 * 3600 * 1000;

// Writes
/** Changes of one organization that wait or run on a replica. */
export const DIRECTORY_WRITES_MAX = 200;
export const DIRECTORY_GROUPS_MAX = 5_000;
/** Members of a group, and members in one list of groups. */
export const DIRECTORY_GROUP_MEMBERS_MAX = 50_000;
/** The path of a refused request, as stored. */
export const SCIM_PATH_LOGGED_MAX_CHARACTERS = 200;
