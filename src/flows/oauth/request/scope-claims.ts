import type { Deps } from "../../../deps.ts";
import { avatarUrl } from "../../../models/avatar/avatar.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import type { ClaimsOwner, MembershipClaims, UserClaims } from "../../../models/oauth-grant/user-claims.ts";
import type { ScopeClaims } from "../../../models/token/provider-claims.ts";
import { isPersonalOrganization } from "../../../vocabulary/personal-organization.ts";
import { userNames } from "../../../vocabulary/user-names.ts";

/** The scopes with claims of a user beside `sub`. */
const CLAIM_SCOPES = ["profile", "email", "organization"];

/**
 * The claims of a user by scope (docs/contract.md, section 23.9): the single source of UserInfo and of ID tokens, so
 * the two never differ. Undefined for a disabled user, a former member and a suspended organization.
 */
export async function readScopeClaims(
  deps: Pick<Deps, "config" | "userClaims">,
  owner: ClaimsOwner,
  scopes: readonly string[],
): Promise<ScopeClaims | undefined> {
  if (scopes.includes("organization") && !isPersonalOrganization(owner)) {
    const member = await deps.userClaims.findWithMembership(owner);
    return member && { ...claimsByScope(deps, member, scopes), organization: organizationClaims(member) };
  }
  const user = await deps.userClaims.find(owner);
  return user && claimsByScope(deps, user, scopes);
}

/**
 * The claims of the ID token beside the protocol claims: those of the granted scopes, unless the client is registered
 * with `id_token_claims: none`. An account that ended since the exchange has no claims; the tokens ended as well.
 */
export async function readIdTokenClaims(
  deps: Pick<Deps, "config" | "userClaims">,
  { idTokenClaims }: Pick<OAuthClient, "idTokenClaims">,
  owner: ClaimsOwner,
  scopes: readonly string[],
): Promise<ScopeClaims> {
  if (idTokenClaims === "none" || !scopes.includes("openid")) return {};
  if (!scopes.some((scope) => CLAIM_SCOPES.includes(scope))) return {};
  return (await readScopeClaims(deps, owner, scopes)) ?? {};
}

function claimsByScope({ config }: Pick<Deps, "config">, user: UserClaims, scopes: readonly string[]): ScopeClaims {
  const { name, login } = userNames(user, scopes.includes("email"));
  const picture = user.avatarHash && avatarUrl(config, user.avatarHash);
  const profile = {
    ...(name ? { name } : {}),
    ...(login ? { preferred_username: login } : {}),
    ...(picture ? { picture } : {}),
    ...(user.locale ? { locale: user.locale } : {}),
    updated_at: Math.floor(user.updatedAt.getTime() / 1000),
  };
  return {
    ...(scopes.includes("profile") ? profile : {}),
    ...(scopes.includes("email") ? { email: user.email, email_verified: user.emailVerified } : {}),
  };
}

function organizationClaims(user: MembershipClaims): NonNullable<ScopeClaims["organization"]> {
  const { organizationId: id, organizationSlug: slug, role, roleKeys, organizationMetadata, memberMetadata } = user;
  return {
    id,
    slug,
    role,
    ...(roleKeys.length === 0 ? {} : { roles: roleKeys }),
    ...(organizationMetadata ? { public_metadata: organizationMetadata } : {}),
    ...(memberMetadata ? { member_public_metadata: memberMetadata } : {}),
  };
}
