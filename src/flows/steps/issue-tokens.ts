import { unixSeconds } from "../../base/clock.ts";
import { MFA_TOKEN_LIFETIME_SECONDS } from "../../base/limits.ts";
import { rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { Session } from "../../models/session/session.ts";
import {
  type MfaTokenSubject,
  makeClaims,
  makeMfaClaims,
  type TokenClaims,
  type TokenSubject,
  type TokenTimes,
} from "../../models/token/claims.ts";
import { signingInput } from "../../models/token/compact.ts";

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

type IssueDeps = Pick<Deps, "keyRing" | "signing" | "config">;

/**
 * Signs the access and the refresh token of a session as it was last rotated. All claims come from the row, and RS256 is
 * deterministic, so the same row gives the same pair again (decisions, section 3).
 */
export async function issueTokens(deps: IssueDeps, session: Session): Promise<Result<TokenPair>> {
  const issuer = deps.config.urls.publicBaseUrl;
  const access = accessTimes(deps, session, unixSeconds(session.rotatedAt));
  const refresh = { issuedAtSeconds: access.issuedAtSeconds, expiresAtSeconds: unixSeconds(session.expiresAt) };
  const subject = subjectOf(session);
  const signed = await sign(deps, [
    makeClaims(issuer, "access", session.accessJti, subject, access),
    makeClaims(issuer, "refresh", session.refreshJti, subject, refresh),
  ]);
  if (!signed.ok) return signed;
  const [accessToken = "", refreshToken = ""] = signed.value;
  return ok({ accessToken, refreshToken, expiresInSeconds: access.expiresAtSeconds - access.issuedAtSeconds });
}

export type AccessToken = Omit<TokenPair, "refreshToken">;

/** Signs one more access token of a session whose assurance was raised at `issuedAt`; its refresh token goes on. */
export async function issueAccessToken(
  deps: IssueDeps,
  session: Session,
  token: { readonly jti: string; readonly issuedAt: number },
): Promise<Result<AccessToken>> {
  const times = accessTimes(deps, session, unixSeconds(token.issuedAt));
  const claims = makeClaims(deps.config.urls.publicBaseUrl, "access", token.jti, subjectOf(session), times);
  const signed = await sign(deps, [claims]);
  if (!signed.ok) return signed;
  const [accessToken = ""] = signed.value;
  return ok({ accessToken, expiresInSeconds: times.expiresAtSeconds - times.issuedAtSeconds });
}

/** Signs the token with which a person who has shown a first factor continues at the challenge (contract, section 4.3). */
export async function issueMfaToken(
  deps: IssueDeps,
  subject: MfaTokenSubject,
  token: { readonly jti: string; readonly issuedAt: number },
): Promise<Result<string>> {
  const issuedAtSeconds = unixSeconds(token.issuedAt);
  const times = { issuedAtSeconds, expiresAtSeconds: issuedAtSeconds + MFA_TOKEN_LIFETIME_SECONDS };
  const signed = await sign(deps, [makeMfaClaims(deps.config.urls.publicBaseUrl, token.jti, subject, times)]);
  return signed.ok ? ok(signed.value[0] ?? "") : signed;
}

/** An access token does not outlive the refresh token of its session. */
function accessTimes({ config }: IssueDeps, session: Session, issuedAtSeconds: number): TokenTimes {
  const longest = issuedAtSeconds + config.tokens.accessExpirySeconds;
  return { issuedAtSeconds, expiresAtSeconds: Math.min(longest, unixSeconds(session.expiresAt)) };
}

/** Refuses with `rate_limited` when the signing pool is full or too slow. */
async function sign(deps: IssueDeps, claims: readonly TokenClaims[]): Promise<Result<string[]>> {
  const key = deps.keyRing.active();
  const inputs = claims.map((each) => signingInput(key.encodedHeader, each));
  const signed = await deps.signing.run({ key: { kid: key.kid, privateKeyPem: key.privateKeyPem }, inputs });
  if (signed.ok) return ok(signed.signatures.map((signature, index) => `${inputs[index]}.${signature}`));
  if (signed.code === "queue_full" || signed.code === "deadline") {
    return err(rateLimited(deps.signing.secondsToDrain(), `signing pool: ${signed.code}`));
  }
  throw new Error(`signing failed: ${signed.code}`);
}

function subjectOf(session: Session): TokenSubject {
  return {
    sessionId: session.id,
    userId: session.userId,
    organizationId: session.organizationId,
    aal: session.aal,
    authMethod: session.authMethod,
    emailClaim: session.emailClaim,
    authTimeSeconds: unixSeconds(session.authTime),
  };
}
