import type { SessionDeps } from "../../deps.ts";
import { endBoundSessions } from "../steps/sessions/end-bound-sessions.ts";
import type { ConnectionInput } from "./audit-connection.ts";

/** Ends the sessions of a connection and the token families of these sessions, on every replica. */
export async function endConnectionSessions(
  deps: SessionDeps,
  { caller, connectionId, client }: ConnectionInput,
): Promise<void> {
  const { organizationId } = caller;
  await endBoundSessions(deps, {
    sessions: { connectionId, organizationId },
    reason: "sso_connection_ended",
    actor: caller.actor,
    client,
  });
}
