import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { findIdentityOfUser } from "../../../models/sso-identity/sso-identity.ts";
import { authorizeLink } from "../../social-sign-in/begin-link.ts";
import { authorizeMember } from "../../steps/authorization/authorize-member.ts";
import { findRoutable, type SsoDeps } from "../sign-in/connection.ts";
import { NO_CONNECTION, requestIdentity, type SsoStarted, type StartRefusal } from "../sign-in/start.ts";

const BOUND = refusal("forbidden", "A session of single sign-on reaches its organization only.");
export const ALREADY_LINKED = refusal("conflict", "Your account is linked to an account of this company already.");

type LinkStartProblem = StartRefusal | Refusal<"authentication_required" | "conflict" | "forbidden" | "mfa_required">;

/**
 * POST /v1/auth/sso/:connection_id/start with the intent `link` (docs/contract.md, section 29.15): a member of the
 * organization of the connection, in an unbound session that is new or stepped up. For every other user the connection
 * is unknown.
 */
export async function beginSsoLink(
  deps: SsoDeps,
  {
    session,
    connectionId,
    redirectTo,
  }: { readonly session: SessionView; readonly connectionId: string; readonly redirectTo: string },
): Promise<Result<SsoStarted, LinkStartProblem>> {
  if (session.organizationBound) return err(BOUND);
  const connection = findRoutable(deps, connectionId);
  if (!connection) return err(NO_CONNECTION);
  const member = await authorizeMember(deps, session, connection.organizationId);
  if (!member.ok) return err(NO_CONNECTION);
  const authorized = await authorizeLink(deps, session);
  if (!authorized.ok) return authorized;
  if (await isLinkedInPerson(deps, connectionId, session.userId)) return err(ALREADY_LINKED);
  const { userId, id: sessionId } = session;
  const purpose = { intent: "link", userId, sessionId, redirectTo, maxAge: null } as const;
  return await requestIdentity(deps, connection, purpose, {});
}

/** A link by a domain or a directory does not count: the user may take the link over. */
async function isLinkedInPerson({ database }: StoreDeps, connectionId: string, userId: string): Promise<boolean> {
  const identity = await database.run("sso_identity.find_of_user", (sql) =>
    findIdentityOfUser(sql, connectionId, userId),
  );
  return identity?.linkedBy === "user";
}

export interface LinkableConnection {
  readonly id: string;
  readonly name: string;
}

/** The connections of the session's organization that the user may still link. `linkedIds`: linked in person. */
export function listLinkable(
  deps: Pick<SsoDeps, "ssoDirectory">,
  { organizationId, organizationBound }: SessionView,
  linkedIds: ReadonlySet<string>,
): readonly LinkableConnection[] {
  if (organizationBound) return [];
  const connections = deps.ssoDirectory.ofOrganization(organizationId);
  return connections.filter(({ id }) => !linkedIds.has(id) && findRoutable(deps, id) !== undefined);
}
