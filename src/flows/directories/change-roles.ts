/** Roles that follow from the groups of a directory. */
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { SessionDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import type { Directory } from "../../models/directory/directory.ts";
import { listUsersOfRecords } from "../../models/directory/directory-group.ts";
import { applyGroupRoles, type ChangedRole } from "../../models/directory/managed-account.ts";
import { type FollowedRole, findJointPower, followGroups } from "../../models/member-group/group-roles.ts";
import { findRoles } from "../../models/organization-role/organization-role.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { holds, isAtLeast, type MemberPower, mayChange } from "../../vocabulary/member-power.ts";
import { revokeSentInvitations } from "../steps/accounts/change-member-role.ts";
import { type Actor, userAuditEvent } from "../steps/audit/audit-event.ts";
import { mailCreationsOfMembers } from "../steps/creations/creations.ts";
import type { ComposeDeps } from "../steps/email/compose-email.ts";
import { logPowerChange } from "../steps/power/end-uncovered-sessions.ts";

export interface RoleChanges {
  /** Locked. */
  readonly directory: Directory;
  /** Null: all records. */
  readonly recordIds: readonly string[] | null;
  readonly actor: Actor;
  readonly client: RequestContext;
  /**
   * The locked power of the administrator whose change of settings changes the roles; absent for changes by the
   * directory.
   */
  readonly editor?: MemberPower;
}

/** An administrator would change roles beyond the administrator's own permissions: the transaction rolls back. */
class BeyondEditor extends Error {}

const BEYOND_EDITOR = refusal("forbidden", "This changes roles of members beyond your own permissions.");

/** Runs a transaction of an administrator; `forbidden` for changes of roles beyond the administrator's permissions. */
export async function withinEditor<T, E extends Refusal>(
  { database }: Pick<SessionDeps, "database">,
  name: string,
  work: (sql: Sql) => Promise<Result<T, E>>,
): Promise<Result<T, E | Refusal<"forbidden">>> {
  try {
    return await database.transaction(name, work);
  } catch (error) {
    if (error instanceof BeyondEditor) return err(BEYOND_EDITOR);
    throw error;
  }
}

/** The reason in the log of session events: cached views of the session are stale. */
const ROLE_CHANGED = "role_changed";

/**
 * Sets the built-in and the additional roles of members by their groups, and emails the owners what members with fewer
 * permissions created; the caller wakes the outbox. The members' sessions have the new roles at once; invitations
 * beyond the new roles are revoked. Returns the events to announce after the commit.
 */
export async function changeRolesByGroups(
  deps: SessionDeps & ComposeDeps,
  sql: Sql,
  changes: RoleChanges,
): Promise<readonly SessionEvent[]> {
  const { loserIds, events, at } = await changeRolesOfRecords(deps, sql, changes);
  const { organizationId } = changes.directory;
  await mailCreationsOfMembers(deps, sql, loserIds, { organizationId, client: changes.client, at });
  return events;
}

/** Changed roles; an email about the losers is due. */
export interface ChangedRoles {
  /** The members with fewer permissions than before. */
  readonly loserIds: readonly string[];
  /** To announce after the commit. */
  readonly events: readonly SessionEvent[];
  readonly at: Date;
}

/** As `changeRolesByGroups` without the email, which a change of several transactions sends once. */
export async function changeRolesOfRecords(
  deps: SessionDeps & ComposeDeps,
  sql: Sql,
  changes: RoleChanges,
): Promise<ChangedRoles> {
  const { directory, recordIds, editor } = changes;
  const { organizationId } = directory;
  const at = new Date(deps.clock.now());
  const changed = directory.roleSource === "none" ? [] : await applyGroupRoles(sql, directory, recordIds);
  const userIds = recordIds === null ? null : await listUsersOfRecords(sql, directory.id, recordIds);
  const followed = await followGroups(sql, "directory", organizationId, userIds, at);
  if (editor) await requireWithin(sql, organizationId, editor, { changed, followed });
  await persistBuiltInRoles(deps, sql, changes, changed, at);
  const affected = [...new Set([...changed, ...followed].map(({ userId }) => userId))];
  const { actor, client } = changes;
  const demoted = changed.filter(({ from, to }) => !isAtLeast(to, from));
  const losers = [...demoted, ...followed.filter(({ isGranted }) => !isGranted)].map(({ userId }) => userId);
  const changedPower = { organizationId, userIds: affected, actor, client, reason: ROLE_CHANGED, at };
  return { loserIds: [...new Set(losers)], events: await logPowerChange(deps, sql, changedPower), at };
}

/**
 * An editor changes no role above the editor's own, no additional role beyond the editor's permissions, and no built-in
 * role of a member with a permission that the editor lacks.
 */
async function requireWithin(
  sql: Sql,
  organizationId: string,
  editor: MemberPower,
  { changed, followed }: { readonly changed: readonly ChangedRole[]; readonly followed: readonly FollowedRole[] },
): Promise<void> {
  const builtIn = changed.flatMap(({ from, to }) => [from, to]);
  const { granted } = await findJointPower(sql, organizationId, [...new Set(changed.map(({ userId }) => userId))]);
  if (!builtIn.every((role) => mayChange(editor, { role, granted }))) throw new BeyondEditor(BEYOND_EDITOR.message);
  await requirePermissionsOf(sql, organizationId, editor, [...new Set(followed.map(({ roleId }) => roleId))]);
}

/** Throws within `withinEditor` unless the editor has every permission of the additional roles. */
export async function requirePermissionsOf(
  sql: Sql,
  organizationId: string,
  editor: MemberPower,
  roleIds: readonly string[],
): Promise<void> {
  const roles = await findRoles(sql, organizationId, roleIds);
  const isWithin = roles.every(({ permissions }) => permissions.every((permission) => holds(editor, permission)));
  if (!isWithin) throw new BeyondEditor(BEYOND_EDITOR.message);
}

async function persistBuiltInRoles(
  deps: SessionDeps,
  sql: Sql,
  changes: RoleChanges,
  changed: readonly ChangedRole[],
  at: Date,
): Promise<void> {
  if (changed.length === 0) return;
  const { directory, actor, client } = changes;
  const { organizationId } = directory;
  for (const { userId, to } of changed.filter(({ from }) => from === "admin")) {
    await revokeSentInvitations(deps, sql, { organizationId, userId, actor, client }, to);
  }
  await recordRoles(deps, sql, changes, changed, at);
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
