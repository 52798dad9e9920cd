/** Bounds of directory synchronization by SCIM 2.0 (docs/contract.md, chapter 31). */

// Requests
/** The age of the directory that a request finds in memory. */
export const DIRECTORY_HELD_MS = 1_000;
export const DIRECTORIES_HELD_MAX = 1_000;
export const SCIM_BODY_MAX_BYTES = 2 * 1024 * 1024;
export const SCIM_OPERATIONS_MAX = 100;
/** Members that one request names. */
export const SCIM_REQUEST_MEMBERS_MAX = 10_000;

// Records
export const SCIM_RECORD_MAX_BYTES = 16 * 1024;
/** Email addresses, telephone numbers and postal addresses of a record together. */
export const SCIM_CONTACTS_MAX = 64;
export const SCIM_USER_NAME_MAX_CHARACTERS = 320;
export const SCIM_EXTERNAL_ID_MAX_CHARACTERS = 255;
export const SCIM_GROUP_NAME_MAX_CHARACTERS = 256;
/** Between two mails about refused deactivations of one user. */
export const SCIM_REFUSAL_NOTICE_PAUSE_MS = 7 * 24 * 3600 * 1000;
/** Attributes and members that the record of one request names as left out. */
export const SCIM_OMISSIONS_MAX = 10;

// Deletion
/** Rows of one table in one transaction of the deletion of a directory. */
export const DIRECTORY_DELETION_BATCH = 1_000;
/** Members with roles of groups, and groups, in one transaction: a member and a group have up to 10 roles each. */
export const DIRECTORY_ROLE_HOLDERS_BATCH = 100;
/** The deletion of 100,000 records and of the members of groups takes longer than the idle timeout of a request. */
export const DIRECTORY_DELETION_IDLE_SECONDS = 255;

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

// Watch
/** Days before the expiry of a key with scopes of directories, each with a warning. */
export const KEY_WARNING_DAYS = [30, 14, 7, 1] as const;
export const KEY_WARNINGS_BATCH = 100;
/** A managed user without a membership is erased this long after the deletion by the directory. */
export const MANAGED_USER_RETENTION_MS = 30 * 24 * 3600 * 1000;
export const MANAGED_USERS_BATCH = 100;
/** The record of an erased user lives this long after the last change. */
export const ERASED_RECORD_RETENTION_MS = 30 * 24 * 3600 * 1000;
/** An active directory without a request for this time is silent: some products send changes only. */
export const DIRECTORY_SILENT_AFTER_MS = 3 * 24 * 3600 * 1000;
/** An active directory with this many refused requests in the window is refused. */
export const DIRECTORY_REFUSED_REQUESTS = 20;
export const DIRECTORY_REFUSED_WINDOW_MS = 3600 * 1000;
export const DIRECTORY_WATCH_MS = 60_000;
/** Released at the end of a round; after a crash, the next replica waits for the end of the lease. */
export const DIRECTORY_WATCH_LEASE_MS = 120_000;

// Refused requests
/** Requests of a directory. */
export const DIRECTORY_REQUESTS_MAX = 500;
export const DIRECTORY_REQUEST_LIFETIME_MS = 30 * 24 * 3600 * 1000;

// Invitations
/** Emails of an organization whose owners have no verified address, and which has no verified domain. */
export const UNVERIFIED_DIRECTORY_INVITATIONS = { count: 5, seconds: 24 * 3600 } as const;

// Writes
/** Changes of one organization that wait or run on a replica. */
export const DIRECTORY_WRITES_MAX = 200;
/** Users that one transaction creates: a longer transaction would delay the directory's other changes. */
export const DIRECTORY_CREATIONS_AT_ONCE = 32;
/** Lists of one organization that wait or run on a replica: a filter without an index reads every record. */
export const DIRECTORY_LISTS_MAX = 200;
/** Records of a directory. */
export const DIRECTORY_USERS_MAX = 100_000;
export const DIRECTORY_GROUPS_MAX = 5_000;
/** Groups of a user. */
export const DIRECTORY_USER_GROUPS_MAX = 200;
/** Members of a group, and members in one list of groups. */
export const DIRECTORY_GROUP_MEMBERS_MAX = 50_000;
/** Ids of added or removed members in one entry of the metadata of an audit record, and in all entries. */
export const AUDITED_MEMBERS_CHUNK = 100;
export const AUDITED_MEMBERS_MAX = 1_000;
/** Members that a response has in memory: the response streams a larger group. */
export const SCIM_MEMBERS_AT_ONCE = 1_000;
/** Members that the preview of a role names. */
export const ROLE_PREVIEW_MAX = 20;
/** The path of a refused request, as stored. */
export const SCIM_PATH_LOGGED_MAX_CHARACTERS = 200;
