import type { ClientFacts } from "../../base/client-facts.ts";
import { NOT_SIGNED_IN } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { findFamily, judgeRefresh, rotateSession } from "../../models/session/rotation.ts";
import type { Session } from "../../models/session/session.ts";
import type { SessionClaims } from "../../models/token/claims.ts";
import { type EndNeeds, endSession } from "../steps/end-sessions.ts";
import { mintTokens, type TokenPair } from "../steps/mint-tokens.ts";
import { openToken } from "../steps/open-token.ts";

export type RefreshNeeds = EndNeeds & Pick<Deps, "keyRing" | "verifiedTokens" | "signing">;

export interface Refreshed {
  readonly sessionId: string;
  readonly tokens: TokenPair;
}

/**
 * POST /v1/auth/refresh (decisions, section 3): the presented token is taken and replaced in one statement; the one before it
 * gets the same new pair for ten seconds; any older one ends the family. Refuses with `authentication_required`; throws when
 * Postgres cannot tell, which becomes 500 and never 401.
 */
export async function refresh(
  needs: RefreshNeeds,
  input: { readonly refreshToken: string | undefined; readonly client: ClientFacts },
): Promise<Result<Refreshed>> {
  const claims = input.refreshToken && (await openToken(needs, input.refreshToken, "refresh"));
  if (!claims) return refuse(NOT_SIGNED_IN);
  const at = needs.clock.now();
  const rotation = {
    sessionId: claims.sid,
    presentedJti: claims.jti,
    nextRefreshJti: needs.random.uuid(),
    nextAccessJti: needs.random.uuid(),
    at,
    refreshMaxAgeMs: needs.config.tokens.refreshMaxAgeSeconds * 1000,
  };
  const rotated = await needs.database.run("session.rotate", (sql) => rotateSession(sql, rotation));
  const session = rotated ?? (await repeatOrRefuse(needs, claims, at, input.client));
  if (!session) return refuse(NOT_SIGNED_IN);
  needs.revocations.forget(session.id);
  const tokens = await mintTokens(needs, session);
  return tokens.ok ? ok({ sessionId: session.id, tokens: tokens.value }) : tokens;
}

/** The current session for the second of two tabs; nothing for anyone else, and the end of the family for a thief. */
async function repeatOrRefuse(
  needs: RefreshNeeds,
  claims: SessionClaims,
  at: number,
  client: ClientFacts,
): Promise<Session | undefined> {
  const family = await needs.database.run("session.find_family", (sql) => findFamily(sql, claims.sid));
  const verdict = judgeRefresh(family, claims.jti, at);
  if (verdict === "reused") await endFamily(needs, claims.sid, claims.sub, client);
  return verdict === "repeated" ? family?.session : undefined;
}

async function endFamily(needs: RefreshNeeds, sessionId: string, userId: string, client: ClientFacts): Promise<void> {
  await endSession(needs, sessionId, {
    userId,
    reason: "refresh_reuse",
    auditAction: "auth.refresh.reuse_detected",
    client,
  });
}
