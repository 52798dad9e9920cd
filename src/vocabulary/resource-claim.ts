/** Claims of access tokens that an API can request beside the claims of every token. */
export const RESOURCE_CLAIMS = ["email", "name", "organization", "roles", "permissions", "groups"] as const;
export type ResourceClaim = (typeof RESOURCE_CLAIMS)[number];
