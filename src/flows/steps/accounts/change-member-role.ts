import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import { cte } from "../../../database/statement.ts";
import type { SessionDeps } from "../../../deps.ts";
import { type AuditEntry, insertAudit } from "../../../models/audit/audit.ts";
import { lockReceivedInvitations } from "../../../models/directory/managed-account.ts";
import { lockSentInvitations, revokeInvitations } from "../../../models/invitation/invitation.ts";
import { updateMemberRole } from "../../../models/member/members.ts";
import {
  type EventRow,
  eventColumns,
  logChange,
  type SessionEvent,
  toEvent,
} from "../../../models/session/revocation.ts";
import { releaseIndependentUser } from "../../../models/user/managed-user.ts";
import { isAtLeast, MEMBER_ROLES, type MemberRole, mayGrant } from "../../../vocabulary/member-power.ts";
import { type Actor, userAuditEvent } from "../audit/audit-event.ts";
import { mailCreations } from "../creations/creations.ts";
import type { ComposeDeps } from "../email/compose-email.ts";
import { endUncoveredSessions } from "../power/end-uncovered-sessions.ts";
import { tokensDeadAt } from "../sessions/end-sessions.ts";

/** The member whose membership changes, and the acting party. */
export interface ChangedMember {
  readonly organizationId: string;
  readonly actor: Actor;
  readonly userId: string;
  readonly client: RequestContext;
}

/** The reason in the log of session events: cached views of the session are stale. */
const ROLE_CHANGED = "role_changed";

/**
 * Changes the role of a locked member. Bound sessions without the new power end, and no organization manages the
 * account of an owner or admin. Returns the events to announce after the commit.
 */
export async function changeMemberRole(
  deps: SessionDeps & ComposeDeps,
  sql: Sql,
  member: ChangedMember,
  {
    from,
    to,
    metadata,
  }: { readonly from: MemberRole; readonly to: MemberRole; readonly metadata?: AuditEntry["metadata"] },
): Promise<SessionEvent[]> {
  const { organizationId, actor, userId, client } = member;
  const at = new Date(deps.clock.now());
  const entry = userAuditEvent(deps, actor, client, {
    action: "member.role_changed",
    at,
    resource: { type: "user", id: userId },
    metadata: { from, to, ...metadata },
  });
  const rows = await sql<EventRow[]>`
    with member as (${updateMemberRole(sql, organizationId, userId, to)}),
    changed as (
      select id from sessions
      where organization_id = ${organizationId} and user_id = ${userId} and revoked_at is null and expires_at > ${at}
    ),
    events as (${logChange(sql, cte(sql, "changed"), ROLE_CHANGED, at, tokensDeadAt(deps, at))}),
    audit as (${insertAudit(sql, entry, sql`from member`)})
    select ${eventColumns(sql)} from events e`;
  await revokeSentInvitations(deps, sql, member, to);
  if (!isAtLeast(to, from)) await mailCreations(deps, sql, { organizationId, userId, client, at });
  if (to !== "member") await releaseIndependentUser(sql, userId, organizationId);
  const ended = await endUncoveredSessions(deps, sql, { organizationId, userIds: [userId], actor, client });
  return [...ended, ...rows.map(toEvent)];
}

/**
 * Revokes the open invitations of a member beyond the member's new role, so a later promotion does not make these
 * invitations valid again. `newRole`: undefined after a removal. A concurrent acceptance holds a lock on the membership
 * (`lockGrantors`) and is committed before this runs.
 */
export async function revokeSentInvitations(
  deps: SessionDeps,
  sql: Sql,
  { organizationId, actor, userId, client }: ChangedMember,
  newRole: MemberRole | undefined,
): Promise<void> {
  const roles = MEMBER_ROLES.filter((role) => newRole === undefined || !mayGrant({ role: newRole, granted: [] }, role));
  const ids = await lockSentInvitations(sql, organizationId, userId, roles);
  const reason = newRole === undefined ? "inviter_removed" : "inviter_demoted";
  await revokeLockedInvitations(deps, sql, { actor, client, reason }, ids);
}

/** Revokes the open invitations to a removed member: the link of an earlier invitation does not undo the removal. */
export async function revokeReceivedInvitations(
  deps: SessionDeps,
  sql: Sql,
  { organizationId, actor, userId, client }: ChangedMember,
): Promise<void> {
  const ids = await lockReceivedInvitations(sql, organizationId, { userId, emails: [] });
  await revokeLockedInvitations(deps, sql, { actor, client, reason: "member_removed" }, ids);
}

/** Revokes locked invitations, with an audit record for each invitation. */
export async function revokeLockedInvitations(
  deps: SessionDeps,
  sql: Sql,
  { actor, client, reason }: Pick<ChangedMember, "actor" | "client"> & { readonly reason: string },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const at = new Date(deps.clock.now());
  const entry = userAuditEvent(deps, actor, client, { action: "invitation.revoked", at, metadata: { reason } });
  const eventIds = ids.map(() => deps.random.uuid());
  const audit = insertAudit(
    sql,
    { ...entry, eventId: sql`fresh.event_id`, resourceType: "invitation", resourceId: sql`revoked.id` },
    sql`from revoked
        join unnest(${[...ids]}::uuid[], ${eventIds}::uuid[]) fresh (invitation_id, event_id)
          on fresh.invitation_id = revoked.id`,
  );
  await sql`with revoked as (${revokeInvitations(sql, ids, at)}) ${audit}`;
}
