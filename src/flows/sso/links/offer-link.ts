import { err, ok, type Result } from "../../../base/result.ts";
import { SSO_REQUEST_LIFETIME_SECONDS } from "../../../limits/sso-sign-in-limits.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { findSsoIdentity } from "../../../models/sso-identity/sso-identity.ts";
import { insertSsoOutcome } from "../../../models/sso-request/sso-outcome.ts";
import type { SsoDeps, UsableConnection } from "../sign-in/connection.ts";
import type { AssertedIdentity } from "../sign-in/map-claims.ts";

/** A verified response to a request with the intent `link`. */
export interface LinkResponse {
  readonly connection: UsableConnection;
  readonly session: SessionView;
  readonly browserToken: string;
  readonly redirectTo: string;
  readonly asserted: AssertedIdentity;
}

/**
 * Stores a verified identity until the user confirms the link: nothing is linked by the response alone, because a third
 * party could have signed the browser in at the identity provider. Returns the id of the offer.
 */
export async function offerSsoLink(
  deps: SsoDeps,
  { connection, session, browserToken, redirectTo, asserted }: LinkResponse,
): Promise<Result<string, "changed" | "identity_conflict">> {
  const { id: connectionId, revision } = connection;
  const { subject, email = null } = asserted;
  const { userId, id: sessionId } = session;
  const linked = await deps.database.run("sso_identity.find", (sql) => findSsoIdentity(sql, connectionId, subject));
  if (linked && linked.userId !== userId) return err("identity_conflict");
  const handle = deps.random.uuid();
  const expiresAt = new Date(deps.clock.now() + SSO_REQUEST_LIFETIME_SECONDS * 1000);
  const outcome = { handle, browserToken, connectionId, userId, sessionId, redirectTo, expiresAt };
  const isStored = await deps.database.run("sso_outcome.insert", (sql) =>
    insertSsoOutcome(sql, deps, outcome, { revision, subject, email }),
  );
  return isStored ? ok(handle) : err("changed");
}
