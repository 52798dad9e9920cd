import type { RequestContext } from "../../base/request-context.ts";
import type { SessionDeps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import { endSession } from "../steps/sessions/end-sessions.ts";
import { verifyToken } from "../steps/tokens/verify-own-token.ts";

export interface LogoutInput {
  /** The caller, if the access token is valid. */
  readonly caller: SessionView | undefined;
  /** Identifies the session after the access token has expired. */
  readonly refreshToken: string | undefined;
  readonly client: RequestContext;
}

/** POST /v1/auth/logout (docs/contract.md, section 7.4): revokes the session, if any. */
export async function logout(deps: SessionDeps, input: LogoutInput): Promise<void> {
  const session = input.caller
    ? { id: input.caller.id, userId: input.caller.userId }
    : await sessionOfRefreshToken(deps, input.refreshToken);
  if (!session) return;
  await endSession(deps, session.id, {
    userId: session.userId,
    reason: "logout",
    auditAction: "auth.logout",
    client: input.client,
  });
}

async function sessionOfRefreshToken(deps: SessionDeps, refreshToken: string | undefined) {
  const claims = refreshToken && (await verifyToken(deps, refreshToken, "refresh"));
  return claims ? { id: claims.sid, userId: claims.sub } : undefined;
}
