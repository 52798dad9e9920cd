/** Organizations that one user owns. */
export const ORGANIZATIONS_PER_USER_DEFAULT = 5;
export const ORGANIZATIONS_PER_USER_MAX = 1_000;
