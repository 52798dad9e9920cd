import { unixSeconds } from "../../../base/clock.ts";
import { type Refusal, rateLimited } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps, SessionDeps } from "../../../deps.ts";
import { MFA_TOKEN_LIFETIME_SECONDS } from "../../../limits/factor-limits.ts";
import type { Session } from "../../../models/session/session.ts";
import {
  type MfaTokenSubject,
  makeClaims,
  makeMfaClaims,
  type TokenClaims,
  type TokenSubject,
  type TokenTimes,
} from "../../../models/token/claims.ts";
import { signEd25519, signHere, signingInput } from "../../../models/token/compact.ts";
import { isEnrolmentOnly } from "./enrolment-only.ts";

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

/**
 * Admission control of the signing pool. A full pool refuses the request here, before the first write, so that every
 * created, moved or rotated session gets its tokens. Users take turns. Disposal releases the slot. `fairnessKey`: the
 * user, if known.
 */
export function acquireSigningSlot(
  { signing }: Pick<Deps, "signing">,
  fairnessKey: string,
): Result<Disposable, Refusal<"rate_limited">> {
  const release = signing.admit(fairnessKey);
  if (!release) {
    const counters = { waiting_jobs: signing.queued, workers: signing.workers };
    return err(rateLimited("sign_slots", signing.secondsToDrain(), "signing pool: no slot", { counters }));
  }
  return ok({ [Symbol.dispose]: release });
}

/**
 * Signs the access and the refresh token of a session by the last rotation. All claims come from the row, and both
 * RS256 and Ed25519 are deterministic, so an unchanged row yields an identical pair under unchanged policies, as the
 * two-tab grace requires (docs/contract.md, section 3.6).
 */
export async function issueTokens(deps: SessionDeps, session: Session): Promise<TokenPair> {
  const issuer = deps.config.urls.publicBaseUrl;
  const access = accessTimes(deps, session, unixSeconds(session.rotatedAt));
  const refresh = { issuedAtSeconds: access.issuedAtSeconds, expiresAtSeconds: unixSeconds(session.expiresAt) };
  const subject = await subjectOf(deps, session);
  const accessClaims = makeClaims(issuer, "access", session.accessJti, subject, access);
  const refreshClaims = makeClaims(issuer, "refresh", session.refreshJti, subject, refresh);
  const [accessToken, refreshToken] = await Promise.all([
    sign(deps, session.userId, accessClaims),
    signForThisService(deps, session.userId, refreshClaims),
  ]);
  return { accessToken, refreshToken, expiresInSeconds: access.expiresAtSeconds - access.issuedAtSeconds };
}

export type AccessToken = Omit<TokenPair, "refreshToken">;

/** Signs an access token for a session stepped up at `issuedAt`; the refresh token of the session stays valid. */
export async function issueAccessToken(
  deps: SessionDeps,
  session: Session,
  token: { readonly jti: string; readonly issuedAt: number },
): Promise<AccessToken> {
  const times = accessTimes(deps, session, unixSeconds(token.issuedAt));
  const claims = makeClaims(deps.config.urls.publicBaseUrl, "access", token.jti, await subjectOf(deps, session), times);
  const accessToken = await sign(deps, session.userId, claims);
  return { accessToken, expiresInSeconds: times.expiresAtSeconds - times.issuedAtSeconds };
}

/** Signs the mfa_token of a first factor for the challenge (docs/contract.md, section 3.5). */
export async function issueMfaToken(
  deps: SessionDeps,
  subject: MfaTokenSubject,
  token: { readonly jti: string; readonly issuedAt: number },
): Promise<string> {
  const issuedAtSeconds = unixSeconds(token.issuedAt);
  const times = { issuedAtSeconds, expiresAtSeconds: issuedAtSeconds + MFA_TOKEN_LIFETIME_SECONDS };
  const claims = makeMfaClaims(deps.config.urls.publicBaseUrl, token.jti, subject, times);
  return await signForThisService(deps, subject.userId, claims);
}

/**
 * An access token outlives neither the refresh token of its session nor the age that the organization permits, and
 * lives at most half of the permitted time without activity: a refresh is the activity, and an active client refreshes
 * before the session is idle.
 */
function accessTimes({ config, ssoDirectory }: SessionDeps, session: Session, issuedAtSeconds: number): TokenTimes {
  const policy = ssoDirectory.rulesOf(session.organizationId, new Date(session.rotatedAt));
  const idleSeconds = (policy?.sessionIdleMinutes ?? Number.POSITIVE_INFINITY) * 60;
  const longest = issuedAtSeconds + Math.min(config.tokens.accessExpirySeconds, Math.floor(idleSeconds / 2));
  const maxHours = policy?.sessionMaxHours ?? Number.POSITIVE_INFINITY;
  const ends = Math.min(unixSeconds(session.expiresAt), unixSeconds(session.authTime) + maxHours * 3600);
  // A policy in memory may be newer than the policy that admitted the session.
  return { issuedAtSeconds, expiresAtSeconds: Math.max(issuedAtSeconds, Math.min(longest, ends)) };
}

/** Refresh and MFA tokens, which only this service reads. */
async function signForThisService(deps: SessionDeps, userId: string, claims: TokenClaims): Promise<string> {
  const key = deps.keyRing.activeRefresh();
  if (!key) return await sign(deps, userId, claims);
  const input = signingInput(key.encodedHeader, claims);
  return `${input}.${signEd25519(key.privateKey, input)}`;
}

/**
 * Signs with RS256 in the pool, in the user's turn, and on this thread after a refusal of the pool: written rows are
 * not rolled back, and a client that repeats a refresh may come after the grace period. The slots bound the number of
 * signatures on this thread.
 */
async function sign(deps: SessionDeps, userId: string, claims: TokenClaims): Promise<string> {
  return await signRs256(deps, userId, claims, ({ encodedHeader }) => encodedHeader);
}

/**
 * Signs claims of any kind. `fairnessKey`: the key of the turn; `headerOf`: the encoded header under the signing key.
 */
export async function signRs256(
  deps: Pick<Deps, "keyRing" | "signing">,
  fairnessKey: string,
  claims: object,
  headerOf: (key: { readonly kid: string; readonly encodedHeader: string }) => string,
): Promise<string> {
  const { kid, privateKeyPem, encodedHeader } = deps.keyRing.active();
  const input = signingInput(headerOf({ kid, encodedHeader }), claims);
  const signed = await deps.signing.run({ key: { kid, privateKeyPem }, input }, fairnessKey);
  if (!signed.ok && signed.code === "bad_key") throw new Error("the active signing key cannot sign");
  return `${input}.${signed.ok ? signed.signature : await signHere(privateKeyPem, input)}`;
}

async function subjectOf(deps: SessionDeps, session: Session): Promise<TokenSubject> {
  return {
    sessionId: session.id,
    userId: session.userId,
    organizationId: session.organizationId,
    aal: session.aal,
    authMethod: session.authMethod,
    emailClaim: session.emailClaim,
    isEnrolmentOnly: await isEnrolmentOnly(deps, session),
    authTimeSeconds: unixSeconds(session.authTime),
  };
}
