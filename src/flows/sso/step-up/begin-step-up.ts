import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, type Result } from "../../../base/result.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { findSessionBinding } from "../../../models/session/session-binding.ts";
import { findRoutable, type SsoDeps, type UsableConnection } from "../sign-in/connection.ts";
import { NO_CONNECTION, requestIdentity, type SsoStarted, type StartRefusal } from "../sign-in/start.ts";

const OTHER_SESSION = refusal("forbidden", "This needs a session that began through this connection.");
const NO_TRUSTED_FACTOR = refusal(
  "mfa_required",
  "The connection trusts no second factor of the identity provider. An administrator can set `mfa_trust`.",
);
const OWN_FACTOR = refusal("mfa_required", "Verify the second factor for your organization first.");

type StepUpStartProblem = StartRefusal | Refusal<"forbidden" | "mfa_required">;

/**
 * POST /v1/auth/sso/:connection_id/start with the intent `step_up` (docs/contract.md, section 29.17): the user
 * authenticates anew at the identity provider that began the session.
 */
export async function beginSsoStepUp(
  deps: SsoDeps,
  {
    session,
    connectionId,
    redirectTo,
  }: { readonly session: SessionView; readonly connectionId: string; readonly redirectTo: string },
): Promise<Result<SsoStarted, StepUpStartProblem>> {
  const connection = findRoutable(deps, connectionId);
  if (!connection) return err(NO_CONNECTION);
  const bound = await findStepUpConnection(deps, session);
  if (bound?.id !== connectionId) return err(OTHER_SESSION);
  if (session.ownFactor === "required") return err(OWN_FACTOR);
  if (connection.config.mfa_trust === "never") return err(NO_TRUSTED_FACTOR);
  const { userId, id: sessionId } = session;
  const purpose = { intent: "step_up", userId, sessionId, redirectTo, maxAge: 0 } as const;
  return await requestIdentity(deps, connection, purpose, {});
}

/** The connection that began a bound session, while the connection signs users in. */
export async function findStepUpConnection(
  deps: Pick<SsoDeps, "clock" | "database" | "ssoDirectory">,
  session: Pick<SessionView, "id">,
): Promise<UsableConnection | undefined> {
  const at = new Date(deps.clock.now());
  const binding = await deps.database.run("session.find_binding", (sql) => findSessionBinding(sql, session.id, at));
  return binding && findRoutable(deps, binding.connectionId);
}
