import { OAUTH_STATE_LIFETIME_SECONDS } from "../../base/limits.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { browserProof, insertOauthState, isLocalPath, makeOauthToken } from "../../models/oauth-state/oauth-state.ts";
import { identityRefusal } from "../steps/identity-refusal.ts";

export type StartDeps = Pick<Deps, "clock" | "random" | "database" | "identityProviders">;

export interface Started {
  /** Where the browser goes: the provider's own page. */
  readonly location: string;
  /** The value of the cookie that binds the sign-in to this browser. */
  readonly browserToken: string;
}

/**
 * GET /v1/auth/oauth/:provider/start (decisions, section 9): state, PKCE and nonce for a sign-in at a provider. The state is remembered; verifier
 * and nonce follow from the browser's cookie, so that no other browser can go on. Refuses with `invalid_input`, `not_found` for a provider that
 * is unknown or off, `internal_error` when it cannot be reached.
 */
export async function startSocialSignIn(
  deps: StartDeps,
  { provider, redirectTo }: { readonly provider: string; readonly redirectTo: string },
): Promise<Result<Started>> {
  if (!isLocalPath(redirectTo)) return err(refusal("invalid_input", "redirect_to: must be a path of this site"));
  const identityProvider = deps.identityProviders.find(provider);
  if (!identityProvider) return err(refusal("not_found", "There is no such way to sign in."));
  const [state, browserToken] = [makeOauthToken(deps.random), makeOauthToken(deps.random)];
  const url = await identityProvider.authorizationUrl({ state, ...browserProof(browserToken, state) });
  // Nobody has said anything yet that could be wrong: whatever it is, the provider cannot be used.
  if (!url.ok) return err(identityRefusal({ ...url.error, kind: "unavailable" }));
  const expiresAt = new Date(deps.clock.now() + OAUTH_STATE_LIFETIME_SECONDS * 1000);
  await deps.database.run("oauth_state.insert", (sql) =>
    insertOauthState(sql, { state, browserToken, provider, redirectTo, expiresAt }),
  );
  return ok({ location: url.value.href, browserToken });
}
