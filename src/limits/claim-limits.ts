/** Claim mappings of applications and APIs (docs/contract.md, section 23.34). */

/** Mappings of one application or API. */
export const CLAIM_MAPPINGS_MAX = 30;
export const CLAIM_URL_MAX_CHARACTERS = 200;
/** Names of a path of a source, such as `organization.public_metadata.plan`. */
export const CLAIM_SOURCE_PATH_MAX = 5;
export const CLAIM_SOURCE_MAX_CHARACTERS = 400;
/** The JSON text of a constant in UTF-8, and the levels of its nesting. */
export const CLAIM_CONSTANT_MAX_BYTES = 1_024;
export const CLAIM_CONSTANT_LEVELS_MAX = 8;

/** Bounds of an expression, checked on the syntax tree when a mapping is saved. */
export const EXPRESSION_MAX_CHARACTERS = 1_000;
export const EXPRESSION_NODES_MAX = 100;
export const EXPRESSION_DEPTH_MAX = 12;
export const EXPRESSION_ELEMENTS_MAX = 50;
export const EXPRESSION_ARGUMENTS_MAX = 3;
/** `map`, `filter`, `all`, `exists` and `exists_one`, never one within another. */
export const EXPRESSION_LOOPS_MAX = 2;
/** The values that an expression may read and create over the longest lists, in bytes: about a millisecond. */
export const EXPRESSION_WORK_MAX_BYTES = 4 * 1024 * 1024;
/** The part of a problem of the parser in a message. */
export const EXPRESSION_PROBLEM_MAX_CHARACTERS = 120;

/** Groups of a member that a mapping reads, sorted by name. */
export const CLAIM_GROUPS_MAX = 500;
/** The JSON text of a value in a token, in UTF-8. */
export const CLAIM_VALUE_MAX_BYTES = 2 * 1024;
/** The JSON text of a value, and of all values together, in UserInfo and introspection. */
export const CLAIM_VALUE_BY_ENDPOINT_MAX_BYTES = 32 * 1024;
/** An ID token with claims of mappings: many products keep the token in a cookie of 4 KiB. */
export const MAPPED_ID_TOKEN_MAX_CHARACTERS = 4_096;

/** How long the slug of an organization stays reserved after a change or deletion. */
export const RELEASED_SLUG_MS = 180 * 24 * 3600 * 1000;
