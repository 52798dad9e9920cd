import type { Deps, SessionDeps } from "../../../deps.ts";
import type { ComposeDeps } from "../../steps/email/compose-email.ts";
import { withdrawUnfoundedRoles } from "../../steps/roles/withdraw-unfounded-roles.ts";
import { endBoundSessions } from "../../steps/sessions/end-bound-sessions.ts";
import type { ConnectionInput } from "./audit-connection.ts";

/**
 * Ends the sessions of a connection, the token families of these sessions, and the roles that only this connection
 * gave, on every replica.
 */
export async function endConnectionAccess(
  deps: SessionDeps & ComposeDeps & { readonly outbox: Pick<Deps["outbox"], "wake"> },
  { caller, connectionId, client }: ConnectionInput,
): Promise<void> {
  const { organizationId } = caller;
  await endBoundSessions(deps, {
    sessions: { connectionId, organizationId },
    reason: "sso_connection_ended",
    actor: caller.actor,
    client,
  });
  await withdrawUnfoundedRoles(deps, { organizationId, actor: caller.actor, client });
}
