import type { Deps } from "../../../deps.ts";
import { OAUTH_TOKEN_GROUPS_MAX } from "../../../limits/oauth-limits.ts";
import type { RolesOfMember } from "../../../models/conditions/member-grants.ts";
import { listGroupNames } from "../../../models/oauth-grant/user-claims.ts";
import type { ResourceClaims } from "../../../models/token/provider-claims.ts";
import { holds } from "../../../vocabulary/member-power.ts";
import { isPersonalOrganization } from "../../../vocabulary/personal-organization.ts";
import type { ResourceClaim } from "../../../vocabulary/resource-claim.ts";
import { apiPermissions, type OrganizationMember, registeredApis } from "./role-scopes.ts";

type ResourceClaimsDeps = Pick<Deps, "database" | "oauthResources" | "userClaims">;

/** Claims with a value from the row of the user or organization. */
const USER_CLAIMS: readonly ResourceClaim[] = ["email", "name", "organization"];

/**
 * The claims that the APIs of an access token list (docs/contract.md, section 23.26). `power`: the roles to which the
 * token is bound. Permissions of the service itself are never in a token.
 */
export async function readResourceClaims(
  deps: ResourceClaimsDeps,
  member: OrganizationMember,
  resources: readonly string[],
  power: RolesOfMember | undefined,
): Promise<ResourceClaims> {
  const claims = new Set(registeredApis(deps, resources).flatMap((api) => api.claims));
  const [ofUser, groups] = await Promise.all([
    USER_CLAIMS.some((claim) => claims.has(claim)) ? readUserClaims(deps, member, claims) : {},
    claims.has("groups") ? readGroups(deps, member) : {},
  ]);
  return {
    ...ofUser,
    ...groups,
    ...(power && claims.has("roles") && !isPersonalOrganization(member)
      ? { roles: [power.role, ...power.roleKeys] }
      : {}),
    ...(power && claims.has("permissions")
      ? { permissions: apiPermissions(deps, resources).filter((permission) => holds(power, permission)) }
      : {}),
  };
}

async function readUserClaims(
  { userClaims }: ResourceClaimsDeps,
  member: OrganizationMember,
  claims: ReadonlySet<ResourceClaim>,
): Promise<ResourceClaims> {
  const user = await userClaims.find(member);
  if (!user) return {};
  return {
    ...(claims.has("email") ? { email: user.email } : {}),
    ...(claims.has("name") && user.displayName ? { name: user.displayName } : {}),
    ...(claims.has("organization") && !isPersonalOrganization(member) ? { org_slug: user.organizationSlug } : {}),
  };
}

async function readGroups({ database }: ResourceClaimsDeps, member: OrganizationMember): Promise<ResourceClaims> {
  const groups = await database.run("directory_group.list_names", (sql) =>
    listGroupNames(sql, member, OAUTH_TOKEN_GROUPS_MAX + 1),
  );
  if (groups.length <= OAUTH_TOKEN_GROUPS_MAX) return { groups };
  return { groups: groups.slice(0, OAUTH_TOKEN_GROUPS_MAX), groups_truncated: true };
}
