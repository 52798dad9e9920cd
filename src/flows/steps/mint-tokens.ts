import { unixSeconds } from "../../base/clock.ts";
import { rateLimited } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { Session } from "../../models/session/session.ts";
import { makeClaims, type TokenSubject } from "../../models/token/claims.ts";
import { signingInput } from "../../models/token/compact.ts";

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

/**
 * Signs the access and the refresh token of a session as it was last rotated. All claims come from the row, and RS256 is
 * deterministic, so the same row gives the same pair again (decisions, section 3).
 */
export async function mintTokens(
  needs: Pick<Deps, "keyRing" | "signing" | "config">,
  session: Session,
): Promise<Result<TokenPair>> {
  const { publicBaseUrl } = needs.config.urls;
  const subject = subjectOf(session);
  const issuedAtSeconds = unixSeconds(session.rotatedAt);
  const refreshEnds = unixSeconds(session.expiresAt);
  const accessEnds = Math.min(issuedAtSeconds + needs.config.tokens.accessExpirySeconds, refreshEnds);
  const access = { issuedAtSeconds, expiresAtSeconds: accessEnds };
  const refresh = { issuedAtSeconds, expiresAtSeconds: refreshEnds };
  const key = needs.keyRing.active();
  const inputs = [
    signingInput(key.encodedHeader, makeClaims(publicBaseUrl, "access", session.accessJti, subject, access)),
    signingInput(key.encodedHeader, makeClaims(publicBaseUrl, "refresh", session.refreshJti, subject, refresh)),
  ];
  const signed = await needs.signing.run({ key: { kid: key.kid, privateKeyPem: key.privateKeyPem }, inputs });
  if (signed.ok) {
    const [accessToken = "", refreshToken = ""] = signed.signatures.map(
      (signature, index) => `${inputs[index]}.${signature}`,
    );
    return ok({ accessToken, refreshToken, expiresInSeconds: accessEnds - issuedAtSeconds });
  }
  if (signed.code === "queue_full" || signed.code === "deadline") {
    return refuse(rateLimited(needs.signing.secondsToDrain(), `signing pool: ${signed.code}`));
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
    authTimeSeconds: unixSeconds(session.authTime),
  };
}
