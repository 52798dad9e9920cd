import { type OAuthRefusal, oauthRefusal } from "../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { ScopeClaims } from "../../models/token/provider-claims.ts";
import { findLiveToken, type LiveTokenDeps } from "./live-token.ts";
import { readScopeClaims } from "./scope-claims.ts";

/** OpenID Connect Core, section 5.3.2. */
export interface UserInfo extends ScopeClaims {
  readonly sub: string;
}

const BAD_TOKEN = oauthRefusal("invalid_token", "The access token is invalid, expired or revoked.");

/**
 * GET and POST /oauth2/userinfo (OpenID Connect Core, section 5.3; docs/contract.md, section 23.9). The scope `openid`
 * decides, and not the audience: tokens bound to a resource server are accepted.
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
  const user = await readScopeClaims(deps, owner, scopes);
  return user ? ok({ sub: claims.sub, ...user }) : err(BAD_TOKEN);
}
