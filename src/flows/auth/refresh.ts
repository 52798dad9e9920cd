import type { ClientFacts } from "../../base/client-facts.ts";
import { NOT_SIGNED_IN } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { classifyRefresh, findFamily, rotateSession } from "../../models/session/rotation.ts";
import type { Session } from "../../models/session/session.ts";
import type { SessionClaims } from "../../models/token/claims.ts";
import { type Admission, admit } from "../steps/admission.ts";
import { type EndDeps, endSession } from "../steps/end-sessions.ts";
import { issueTokens, type TokenPair, withSigningSlot } from "../steps/issue-tokens.ts";
import { verifyToken } from "../steps/verify-token.ts";

export type RefreshDeps = EndDeps & Pick<Deps, "keyRing" | "verifiedTokens" | "signing" | "state">;

export interface RefreshInput {
  readonly refreshToken: string | undefined;
  /** The limit of a user. */
  readonly admissionOf: (userId: string) => Admission | undefined;
  readonly client: ClientFacts;
}

export interface Refreshed {
  readonly sessionId: string;
  readonly tokens: TokenPair;
}

/**
 * POST /v1/auth/refresh (decisions, section 3): the presented token is taken and replaced in one statement; the one before it
 * gets the same new pair for ten seconds; any older one ends the family. The limit of the token's user is counted first, so that
 * a refused request leaves the token as it was. Refuses with `authentication_required`, `rate_limited`; throws when Postgres cannot
 * tell, which becomes 500 and never 401.
 */
export async function refresh(deps: RefreshDeps, input: RefreshInput): Promise<Result<Refreshed>> {
  const claims = input.refreshToken && (await verifyToken(deps, input.refreshToken, "refresh"));
  if (!claims) return err(NOT_SIGNED_IN);
  const admitted = await admit(deps, input.admissionOf(claims.sub));
  if (!admitted.ok) return admitted;
  return await withSigningSlot(deps, claims.sub, () => rotate(deps, claims, input.client));
}

async function rotate(deps: RefreshDeps, claims: SessionClaims, client: ClientFacts): Promise<Result<Refreshed>> {
  const at = deps.clock.now();
  const rotation = {
    sessionId: claims.sid,
    presentedJti: claims.jti,
    nextRefreshJti: deps.random.uuid(),
    nextAccessJti: deps.random.uuid(),
    at,
    refreshMaxAgeMs: deps.config.tokens.refreshMaxAgeSeconds * 1000,
  };
  const rotated = await deps.database.run("session.rotate", (sql) => rotateSession(sql, rotation));
  const session = rotated ?? (await repeatOrRefuse(deps, claims, at, client));
  if (!session) return err(NOT_SIGNED_IN);
  deps.revocations.forget(session.id);
  return ok({ sessionId: session.id, tokens: await issueTokens(deps, session) });
}

/** The current session for the second of two tabs; nothing for anyone else, and the end of the family for a thief. */
async function repeatOrRefuse(
  deps: RefreshDeps,
  claims: SessionClaims,
  at: number,
  client: ClientFacts,
): Promise<Session | undefined> {
  const family = await deps.database.run("session.find_family", (sql) => findFamily(sql, claims.sid));
  const verdict = classifyRefresh(family, claims.jti, at);
  if (verdict === "reused") await endFamily(deps, claims.sid, claims.sub, client);
  return verdict === "repeated" ? family?.session : undefined;
}

async function endFamily(deps: RefreshDeps, sessionId: string, userId: string, client: ClientFacts): Promise<void> {
  await endSession(deps, sessionId, {
    userId,
    reason: "refresh_reuse",
    auditAction: "auth.refresh.reuse_detected",
    client,
  });
}
