import { invalidInput } from "../../base/invalid-input.ts";
import { isLocalPath } from "../../base/local-path.ts";
import { makeOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { OAUTH_STATE_LIFETIME_SECONDS } from "../../limits/provider-limits.ts";
import { browserProof, insertOauthState, type OauthState } from "../../models/oauth-state/oauth-state.ts";
import { inProviderSpan } from "../../telemetry/spans.ts";
import { providerUnreachable } from "../steps/sign-in/identity-problem.ts";

export interface Started {
  /** The authorization request at the provider. */
  readonly location: string;
  /** The `state` of the request: names the cookie. */
  readonly handle: string;
  /** The value of the cookie that binds the sign-in to this browser. */
  readonly browserToken: string;
}

/**
 * GET /v1/auth/oauth/:provider/start (docs/contract.md, section 16.2). The state is stored; the PKCE verifier and the
 * nonce are derived from the cookie, so that no other browser can complete the sign-in. `not_found` means an unknown or
 * disabled provider, `internal_error` an unavailable provider.
 */
export async function startSocialSignIn(
  deps: SignInDeps,
  request: { readonly provider: string; readonly redirectTo: string },
): Promise<Result<Started, Refusal<"internal_error" | "invalid_input" | "not_found">>> {
  return await requestAuthorization(deps, { ...request, linkSessionId: null });
}

/** Stores the state of a sign-in or of a link, and builds the authorization request. */
export async function requestAuthorization(
  deps: SignInDeps,
  { provider, redirectTo, linkSessionId }: Pick<OauthState, "provider" | "redirectTo" | "linkSessionId">,
): Promise<Result<Started, Refusal<"internal_error" | "invalid_input" | "not_found">>> {
  if (!isLocalPath(redirectTo)) return err(invalidInput("redirect_to", "format", "must be a path of this site"));
  const identityProvider = deps.identityProviders.find(provider);
  if (!identityProvider) return err(refusal("not_found", "There is no such sign-in method."));
  const [state, browserToken] = [makeOpaqueToken(deps.random), makeOpaqueToken(deps.random)];
  const exchange = { state, ...browserProof(browserToken, state) };
  const url = await inProviderSpan(deps.telemetry, provider, () => identityProvider.authorizationUrl(exchange));
  // No input of the user was involved yet: every failure comes from the provider or the settings.
  if (!url.ok) {
    deps.telemetry.metrics.signInAttempt("social_oauth", "unavailable");
    return err(providerUnreachable(url.error.cause));
  }
  const expiresAt = new Date(deps.clock.now() + OAUTH_STATE_LIFETIME_SECONDS * 1000);
  await deps.database.run("oauth_state.insert", (sql) =>
    insertOauthState(sql, { state, browserToken, provider, redirectTo, linkSessionId, expiresAt }),
  );
  return ok({ location: url.value.href, handle: state, browserToken });
}

/** Returns the keys of the enabled providers. */
export function listSignInProviders({ identityProviders }: Pick<Deps, "identityProviders">): string[] {
  return identityProviders.list().map(({ key }) => key);
}
