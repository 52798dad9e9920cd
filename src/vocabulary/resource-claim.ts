/** Claims of access tokens that an API can request beside the claims of every token. */
export const RESOURCE_CLAIMS = ["email", "name", "organization", "roles", "permissions", "groups"] as const;
export type ResourceClaim = (typeof RESOURCE_CLAIMS)[number];

/** The claims of a token that an API requests by the name. */
export function claimNames(claim: ResourceClaim): readonly string[] {
  if (claim === "organization") return ["org_slug"];
  const isList = claim === "roles" || claim === "permissions" || claim === "groups";
  return isList ? [claim, `${claim}_truncated`] : [claim];
}
