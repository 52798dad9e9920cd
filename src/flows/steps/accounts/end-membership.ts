/** The end of a membership with everything that the membership gave: a removal, or a deactivation by a directory. */
import type { Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import { deleteMember } from "../../../models/member/members.ts";
import { endFamiliesOfMember } from "../../../models/oauth-grant/family-state.ts";
import { type RevocationReason, type SessionEvent, sessionsIn } from "../../../models/session/revocation.ts";
import { keepDepartedPower } from "../channels/keep-departed-power.ts";
import { mailCreations } from "../creations/creations.ts";
import type { ComposeDeps } from "../email/compose-email.ts";
import { endDepartedSessions, endSessionsIn, tokensLiveSince } from "../sessions/end-sessions.ts";
import { endFamilies } from "../tokens/token-family-events.ts";
import { type ChangedMember, revokeSentInvitations } from "./change-member-role.ts";

/**
 * Deletes a membership, revokes the sessions in the organization and the sessions that have just left, the token
 * families of the organization and the member's invitations. Returns the events to announce after the commit.
 */
export async function endMembership(
  deps: SessionDeps & ComposeDeps,
  sql: Sql,
  membership: ChangedMember & { readonly reason: RevocationReason },
): Promise<SessionEvent[]> {
  const { organizationId, userId, actor, client, reason } = membership;
  await keepDepartedPower(sql, organizationId, userId);
  await deleteMember(sql, organizationId, userId);
  await revokeSentInvitations(deps, sql, membership, undefined);
  const sessionIds = await sessionsIn(sql, organizationId, userId, tokensLiveSince(deps));
  const end = { userId, actor, reason, auditAction: "auth.session.revoked", client } as const;
  const sessions = await endSessionsIn(deps, sql, sessionIds, end);
  const departed = await endDepartedSessions(deps, sql, { organizationId, userId, limit: null });
  const at = new Date(deps.clock.now());
  await mailCreations(deps, sql, { organizationId, userId, client, at });
  const families = await endFamilies(sql, endFamiliesOfMember(sql, organizationId, userId, reason, at), reason, at);
  return [...sessions, ...departed, ...families.events];
}
