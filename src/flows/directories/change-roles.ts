/** Roles that follow from the groups of a directory. */
import type { RequestContext } from "../../base/request-context.ts";
import type { Sql } from "../../database/database.ts";
import type { SessionDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import type { Directory } from "../../models/directory/directory.ts";
import { applyGroupRoles, type ChangedRole } from "../../models/directory/provisioning.ts";
import { logChangeOfMembers, type SessionEvent } from "../../models/session/revocation.ts";
import { revokeSentInvitations } from "../steps/accounts/change-member-role.ts";
import { type Actor, userAuditEvent } from "../steps/audit/audit-event.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";

export interface RoleChanges {
  /** Locked. */
  readonly directory: Directory;
  /** Null: all records. */
  readonly recordIds: readonly string[] | null;
  readonly actor: Actor;
  readonly client: RequestContext;
}

/** The reason in the log of session events: cached views of the session are stale. */
const ROLE_CHANGED = "role_changed";

/**
 * Sets the roles of members by their groups. The members' sessions have the new roles at once; invitations beyond the
 * new roles are revoked. Returns the events to announce after the commit.
 */
export async function changeRolesByGroups(deps: SessionDeps, sql: Sql, changes: RoleChanges): Promise<SessionEvent[]> {
  const { directory, recordIds, actor, client } = changes;
  if (directory.roleSource === "none") return [];
  const changed = await applyGroupRoles(sql, directory, recordIds);
  if (changed.length === 0) return [];
  const { organizationId } = directory;
  for (const { userId, to } of changed.filter(({ from }) => from === "admin")) {
    await revokeSentInvitations(deps, sql, { organizationId, userId, actor, client }, to);
  }
  const at = new Date(deps.clock.now());
  await recordRoles(deps, sql, changes, changed, at);
  const userIds = changed.map(({ userId }) => userId);
  const stale = { reason: ROLE_CHANGED, at, tokensDeadAt: tokensDeadAt(deps, at) };
  return await logChangeOfMembers(sql, organizationId, userIds, stale);
}

async function recordRoles(
  deps: SessionDeps,
  sql: Sql,
  { actor, client }: RoleChanges,
  changed: readonly ChangedRole[],
  at: Date,
): Promise<void> {
  const metadata = { source: "directory" };
  const entry = userAuditEvent(deps, actor, client, { action: "member.role_changed", at, metadata });
  const ids = changed.map(() => deps.random.uuid());
  const [users, from, to] = [
    changed.map(({ userId }) => userId),
    changed.map((each) => each.from),
    changed.map((each) => each.to),
  ];
  const fresh = sql`
    from unnest(${ids}::uuid[], ${users}::uuid[], ${from}::text[], ${to}::text[])
      fresh (event_id, user_id, role, wanted)`;
  const metadataOfRow = sql`jsonb_build_object('from', fresh.role, 'to', fresh.wanted)`;
  await insertAudit(
    sql,
    { ...entry, eventId: sql`fresh.event_id`, resourceType: "user", resourceId: sql`fresh.user_id`, metadataOfRow },
    fresh,
  );
}
