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

type EndedSession = Pick<SessionView, "id" | "userId">;

/** POST /v1/auth/logout (docs/contract.md, section 7.4): revokes the session, if any. */
export async function logout(deps: SessionDeps, input: LogoutInput): Promise<void> {
  const session = await sessionOfLogout(deps, input);
  if (session) await logoutSession(deps, session, input.client);
}

/** The session that a sign-out names. */
export async function sessionOfLogout(
  deps: SessionDeps,
  { caller, refreshToken }: LogoutInput,
): Promise<EndedSession | undefined> {
  if (caller) return caller;
  const claims = refreshToken && (await verifyToken(deps, refreshToken, "refresh"));
  return claims ? { id: claims.sid, userId: claims.sub } : undefined;
}

export async function logoutSession(
  deps: SessionDeps,
  { id, userId }: EndedSession,
  client: RequestContext,
): Promise<void> {
  await endSession(deps, id, { userId, reason: "logout", auditAction: "auth.logout", client });
}
