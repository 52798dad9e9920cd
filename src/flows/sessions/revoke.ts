import type { ClientFacts } from "../../base/client-facts.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { lockLiveSessions } from "../../models/session/revocation.ts";
import { ownsSession, type SessionView } from "../../models/session/session.ts";
import { type EndDeps, endSession, endSessions, tokensLiveSince } from "../steps/end-sessions.ts";

interface RevokeInput {
  readonly caller: SessionView;
  readonly client: ClientFacts;
}

/**
 * DELETE /v1/auth/sessions/:id (docs/contract.md, section 7.7): succeeds also when it was revoked before. Refuses with
 * `not_found` when it is not a session of the caller, whether it exists or not.
 */
export async function revokeOwnSession(
  deps: EndDeps,
  input: RevokeInput & { readonly sessionId: string },
): Promise<Result<void, Refusal<"not_found">>> {
  const { caller, sessionId } = input;
  const owned = await deps.database.run("session.owns", (sql) => ownsSession(sql, sessionId, caller.userId));
  if (!owned) return err(refusal("not_found", "There is no such session."));
  await endSession(deps, sessionId, endOf(input));
  return ok(undefined);
}

/** DELETE /v1/auth/sessions (docs/contract.md, section 7.8): all sessions of the caller, or all but this one. */
export async function revokeOwnSessions(
  deps: EndDeps,
  input: RevokeInput & { readonly exceptCurrent: boolean },
): Promise<void> {
  const { caller, exceptCurrent } = input;
  const except = exceptCurrent ? caller.id : undefined;
  const since = tokensLiveSince(deps);
  await endSessions(deps, (sql) => lockLiveSessions(sql, caller.userId, except, since), endOf(input));
}

function endOf({ caller, client }: RevokeInput) {
  return {
    userId: caller.userId,
    reason: "user_request",
    auditAction: "auth.session.revoked",
    client,
  } as const;
}
