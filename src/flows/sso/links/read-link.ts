import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { findSsoOutcome, openOfferedIdentity } from "../../../models/sso-request/sso-outcome.ts";
import { findRoutable, type SsoDeps } from "../sign-in/connection.ts";

export const NO_LINK = refusal("not_found", "There is no such link, or the link has expired. Start again.");

/** A link that waits for the confirmation of the user. */
export interface PendingLink {
  readonly id: string;
  readonly connectionId: string;
  readonly connectionName: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly subject: string;
  readonly email: string | null;
  readonly redirectTo: string;
  readonly expiresAt: Date;
}

/** GET /v1/users/me/sso-links/:id (docs/contract.md, section 29.16): only in the session that began the link. */
export async function readSsoLink(
  deps: OfferedLinkDeps,
  { caller, id }: { readonly caller: SessionView; readonly id: string },
): Promise<Result<PendingLink, Refusal<"not_found">>> {
  const found = await findOfferedLink(deps, { caller, id });
  if (!found.ok) return found;
  const { connection, identity, outcome } = found.value;
  const { redirectTo, expiresAt } = outcome;
  const { organization, organizationId } = connection;
  return ok({
    id,
    connectionId: connection.id,
    connectionName: connection.name,
    organizationId,
    organizationName: organization.name,
    subject: identity.subject,
    email: identity.email,
    redirectTo,
    expiresAt,
  });
}

type OfferedLinkDeps = Pick<SsoDeps, "clock" | "database" | "sealing" | "ssoDirectory">;

/** The verified identity that waits for the session, and its connection while users can sign in by the connection. */
export async function findOfferedLink(
  deps: OfferedLinkDeps,
  { caller, id }: { readonly caller: SessionView; readonly id: string },
) {
  const proof = { handle: id, sessionId: caller.id, userId: caller.userId };
  const at = new Date(deps.clock.now());
  const outcome = await deps.database.run("sso_outcome.find", (sql) => findSsoOutcome(sql, proof, at));
  const identity = outcome && openOfferedIdentity(deps, id, outcome.sealedIdentity);
  const connection = outcome && findRoutable(deps, outcome.connectionId);
  return identity && connection ? ok({ connection, identity, outcome, proof, at }) : err(NO_LINK);
}
