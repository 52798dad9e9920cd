import type { ClientFacts } from "../../base/client-facts.ts";
import type { Deps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { type EndNeeds, endSession } from "../steps/end-sessions.ts";
import { openToken } from "../steps/open-token.ts";

export type LogoutNeeds = EndNeeds & Pick<Deps, "keyRing" | "verifiedTokens">;

export interface LogoutInput {
  /** The caller, if its access token holds. */
  readonly caller: SessionView | undefined;
  /** Where the access token has expired, the refresh token still says which session to end. */
  readonly refreshToken: string | undefined;
  readonly client: ClientFacts;
}

/** POST /v1/auth/logout: ends the session if there is one; nothing to do otherwise (contract, section 1, rule 4). */
export async function logout(needs: LogoutNeeds, input: LogoutInput): Promise<void> {
  const session = input.caller
    ? { id: input.caller.id, userId: input.caller.userId }
    : await sessionOfRefreshToken(needs, input.refreshToken);
  if (!session) return;
  await endSession(needs, session.id, {
    userId: session.userId,
    reason: "logout",
    auditAction: "auth.logout",
    client: input.client,
  });
}

async function sessionOfRefreshToken(needs: LogoutNeeds, refreshToken: string | undefined) {
  const claims = refreshToken && (await openToken(needs, refreshToken, "refresh"));
  return claims ? { id: claims.sid, userId: claims.sub } : undefined;
}
