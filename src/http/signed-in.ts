import { rfc3339 } from "../base/clock.ts";
import { NIL_UUID } from "../base/random.ts";
import type { Deps } from "../deps.ts";
import { heldPermissions } from "../flows/roles/known-permissions.ts";
import type { SignInOutcome } from "../flows/steps/sign-in/complete-first-factor.ts";
import type { SignInResult } from "../flows/steps/sign-in/complete-sign-in.ts";
import type { TokenPair } from "../flows/steps/tokens/issue-session-tokens.ts";
import type { MemberGrants } from "../models/conditions/member-grants.ts";
import { csrfTokenFits, makeCsrfToken } from "../models/csrf/csrf.ts";
import type { KeyView } from "../models/service-account/api-key.ts";
import type { SessionView } from "../models/session/session.ts";
import type { MemberRole } from "../vocabulary/member-power.ts";
import { isPersonalOrganization, organizationKindOf } from "../vocabulary/personal-organization.ts";
import { accessCookies, type Cookies, CSRF_COOKIE, sessionCookies } from "./cookies.ts";
import type { Caller } from "./guards/caller.ts";
import { reply } from "./reply.ts";

export type CookieDeps = Pick<Deps, "config" | "csrfKey" | "random">;
export type CapabilityDeps = Pick<Deps, "oauthResources">;

/** LoginResponse of either status (docs/contract.md, section 4.1). */
export function signInReply(deps: CookieDeps & CapabilityDeps, outcome: SignInOutcome) {
  if (outcome.status === "success") return signedInReply(deps, 200, outcome.signedIn);
  const { mfaToken, expiresInSeconds } = outcome;
  return reply(200, { status: "mfa_required", mfa_token: mfaToken, mfa_token_expires_in: expiresInSeconds });
}

/** LoginResponse of status `success`, with the session cookies (docs/contract.md, sections 3.2 and 4.1). */
export function signedInReply<const Status extends 200 | 201>(
  deps: CookieDeps & CapabilityDeps,
  status: Status,
  signedIn: SignInResult,
) {
  const { session, email, tokens } = signedIn;
  return reply(
    status,
    {
      status: "success",
      user: userBody({ ...session, email }),
      capabilities: capabilitiesBody(deps, { ...signedIn, ...session }),
      access_token: tokens.accessToken,
      expires_in: tokens.expiresInSeconds,
    },
    { cookies: freshCookies(deps, session.id, tokens) },
  );
}

/** Set-Cookie values of a session, with a new CSRF value bound to the session. */
export function freshCookies(deps: CookieDeps, sessionId: string, tokens: TokenPair): string[] {
  return sessionCookies(deps.config, tokens, makeCsrfToken(deps.csrfKey, deps.random, sessionId));
}

/**
 * Set-Cookie values for a session with a new access token and an unchanged refresh token. The session keeps the CSRF
 * value too (docs/contract.md, section 8.8), so that further tabs can continue; a request without a valid CSRF value
 * gets a new value.
 */
export function freshAccessCookies(
  deps: CookieDeps,
  { via, session }: Caller,
  accessToken: string,
  cookies: Cookies,
): string[] {
  const current = via === "cookie" ? cookies[CSRF_COOKIE] : undefined;
  const kept = current !== undefined && csrfTokenFits(deps.csrfKey, current, current, session.id);
  const csrfToken = kept ? current : makeCsrfToken(deps.csrfKey, deps.random, session.id);
  return accessCookies(deps.config, accessToken, csrfToken);
}

type SignedInCaller = Pick<SessionView, "id" | "userId" | "organizationId" | "email" | "authMethod" | "mfaVerifiedAt">;

/**
 * docs/contract.md, section 4.2. `password_with_mfa` means that a second factor was presented after the first factor,
 * for any method of the first factor except `passkey` and `sso`.
 */
export function userBody(session: SignedInCaller) {
  const { authMethod, mfaVerifiedAt } = session;
  const withMfa = authMethod !== "passkey" && authMethod !== "sso" && mfaVerifiedAt !== null;
  return {
    user_id: session.userId,
    organization_id: session.organizationId,
    organization_kind: organizationKindOf(session),
    email: session.email,
    auth_method: withMfa ? ("password_with_mfa" as const) : authMethod,
    session_family_id: session.id,
    scopes: [],
    allowed_ips: [],
    allowed_referrers: [],
    extensions: {},
    mfa_verified_at: mfaVerifiedAt === null ? null : rfc3339(mfaVerifiedAt),
  };
}

/**
 * An API key where a client expects a session (docs/contract.md, section 25.5): the user is the service account, the
 * session is the key.
 */
export function keyBody(key: KeyView) {
  const { id, serviceAccountId, organizationId, scopes, allowedIps, allowedReferrers } = key;
  const authMethod = key.kind === "trust" ? ("federated" as const) : ("api_key" as const);
  return {
    user: {
      user_id: serviceAccountId,
      organization_id: organizationId ?? NIL_UUID,
      email: null,
      auth_method: authMethod,
      session_family_id: id,
      scopes,
      allowed_ips: allowedIps,
      allowed_referrers: allowedReferrers,
      extensions: {},
      mfa_verified_at: null,
    },
    capabilities: { role: null, permissions: scopes },
    session: {
      id,
      auth_method: authMethod,
      aal: "aal1" as const,
      auth_time: rfc3339(key.createdAt),
      mfa_verified_at: null,
      expires_at: rfc3339(key.expiresAt),
    },
  };
}

/**
 * `roles`: the keys of additional roles; `permissions`: every permission, sorted. A user without a team owns the
 * personal organization, without a permission.
 */
export function capabilitiesBody(
  { oauthResources }: CapabilityDeps,
  {
    role,
    roleKeys,
    granted,
    ...of
  }: MemberGrants & { readonly role: MemberRole; readonly userId: string; readonly organizationId: string },
) {
  if (isPersonalOrganization(of)) return { role: "owner" as const, roles: [], permissions: [] };
  return { role, roles: [...roleKeys], permissions: heldPermissions({ role, granted }, oauthResources.index()) };
}
