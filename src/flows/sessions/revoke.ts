import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SessionDeps } from "../../deps.ts";
import { canCreateKeys } from "../../models/service-account/api-key.ts";
import { lockLiveSessions } from "../../models/session/revocation.ts";
import { reachOf, type SessionView } from "../../models/session/session.ts";
import { reachesSession } from "../../models/session/user-sessions.ts";
import { endSession, endSessionsIn, tokensLiveSince } from "../steps/sessions/end-sessions.ts";
import { endApplicationsRecorded, endKeysRecorded } from "../steps/sessions/end-user-access.ts";

const BEYOND_SESSIONS = refusal("forbidden", "A session of single sign-on ends sessions of its organization only.");

interface RevokeInput {
  readonly caller: SessionView;
  readonly client: RequestContext;
}

/**
 * DELETE /v1/auth/sessions/:id (docs/contract.md, section 7.7): succeeds also for a revoked session of the caller.
 * `not_found` covers the sessions of other users and unknown ids alike.
 */
export async function revokeOwnSession(
  deps: SessionDeps,
  input: RevokeInput & { readonly sessionId: string },
): Promise<Result<void, Refusal<"not_found">>> {
  const { caller, sessionId } = input;
  const owned = await deps.database.run("session.owns", (sql) => reachesSession(sql, sessionId, reachOf(caller)));
  if (!owned) return err(refusal("not_found", "There is no such session."));
  await endSession(deps, sessionId, endOf(input));
  return ok(undefined);
}

export interface RevokeAllInput extends RevokeInput {
  /** Keeps the session of the caller. */
  readonly exceptCurrent: boolean;
  /** Also ends the tokens of connected applications, offline tokens too. */
  readonly endApplications: boolean;
  /** Also revokes the API keys that the caller created, where the caller is an administrator. */
  readonly revokeKeys: boolean;
}

/**
 * DELETE /v1/auth/sessions (docs/contract.md, section 7.8): ends all sessions of the caller, with or without the
 * current session, and the other access named in the request, in one transaction.
 */
export async function revokeOwnSessions(
  deps: SessionDeps,
  input: RevokeAllInput,
): Promise<Result<void, Refusal<"forbidden">>> {
  const { caller, exceptCurrent, endApplications, revokeKeys } = input;
  if (caller.organizationBound && (endApplications || revokeKeys)) return err(BEYOND_SESSIONS);
  const except = exceptCurrent ? caller.id : undefined;
  const end = { actor: caller, userId: caller.userId, reason: "user_request", client: input.client } as const;
  const events = await deps.database.transaction("session.revoke_many", async (sql) => {
    // The order equals the order of a controlling proof, against deadlocks: keys, sessions, tokens of applications.
    const keys = revokeKeys ? await endKeysRecorded(deps, sql, end) : [];
    const sessionIds = await lockLiveSessions(sql, reachOf(caller), except, tokensLiveSince(deps));
    const sessions = await endSessionsIn(deps, sql, sessionIds, endOf(input));
    const tokens = endApplications ? await endApplicationsRecorded(deps, sql, end) : [];
    return [...keys, ...sessions, ...tokens];
  });
  await deps.revocations.announce(events);
  return ok(undefined);
}

/**
 * Returns whether the caller administers an organization or the platform, and so may have created API keys to revoke.
 */
export async function mayRevokeKeys(
  { database }: Pick<SessionDeps, "database">,
  { userId }: SessionView,
): Promise<boolean> {
  return await database.run("api_key.can_create", (sql) => canCreateKeys(sql, userId));
}

function endOf({ caller, client }: RevokeInput) {
  return {
    userId: caller.userId,
    reason: "user_request",
    auditAction: "auth.session.revoked",
    client,
  } as const;
}
