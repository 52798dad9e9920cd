import { type OAuthRefusal, oauthRefusal } from "../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { findUserClaims, type UserClaims } from "../../models/oauth-grant/user-claims.ts";
import { findLiveToken, type LiveTokenDeps } from "./live-token.ts";

/** OpenID Connect Core, section 5.1, by scope; `organization` is of this service. */
export interface UserInfo {
  readonly sub: string;
  readonly name?: string;
  readonly picture?: string;
  readonly locale?: string;
  readonly updated_at?: number;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly organization?: { readonly id: string; readonly slug: string; readonly role: string };
}

const BAD_TOKEN = oauthRefusal("invalid_token", "The access token is invalid, expired or revoked.");

/**
 * GET and POST /oauth2/userinfo (OpenID Connect Core, section 5.3; docs/contract.md, section 23.9). The scope `openid`
 * decides, and not the audience: a token bound to a resource server is accepted too.
 */
export async function readUserInfo(
  deps: LiveTokenDeps & Pick<Deps, "config">,
  token: string,
): Promise<Result<UserInfo, OAuthRefusal<"invalid_token" | "insufficient_scope">>> {
  const live = await findLiveToken(deps, token);
  if (!live) return err(BAD_TOKEN);
  const { claims, owner } = live;
  const scopes = claims.scope.split(" ");
  if (!owner || !scopes.includes("openid")) return err(oauthRefusal("insufficient_scope", "This needs scope openid."));
  const user = await deps.database.run("oauth_family.find_claims", (sql) => findUserClaims(sql, owner));
  return user ? ok(byScope(deps, claims.sub, user, scopes)) : err(BAD_TOKEN);
}

function byScope({ config }: Pick<Deps, "config">, sub: string, user: UserClaims, scopes: readonly string[]): UserInfo {
  const picture = user.avatarHash && `${config.urls.publicBaseUrl}/avatars/${user.avatarHash}.webp`;
  const profile = {
    ...(user.displayName ? { name: user.displayName } : {}),
    ...(picture ? { picture } : {}),
    ...(user.locale ? { locale: user.locale } : {}),
    updated_at: Math.floor(user.updatedAt.getTime() / 1000),
  };
  const { organizationId: id, organizationSlug: slug, role } = user;
  return {
    sub,
    ...(scopes.includes("profile") ? profile : {}),
    ...(scopes.includes("email") ? { email: user.email, email_verified: user.emailVerified } : {}),
    ...(scopes.includes("organization") ? { organization: { id, slug, role } } : {}),
  };
}
