import type { Sql } from "../../database/database.ts";
import type { Deps } from "../../deps.ts";
import { MANAGED_USER_RETENTION_MS, MANAGED_USERS_BATCH } from "../../limits/directory-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { insertDeletion } from "../../models/deletion/deletion.ts";
import { closeUser, lockClosingUser } from "../../models/user/closing-user.ts";
import {
  type DepartedUser,
  findManagedUser,
  hasMembership,
  listDepartedUsers,
  releaseIndependentUser,
} from "../../models/user/managed-user.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";

export type DepartureDeps = Pick<Deps, "clock" | "database" | "random">;

/**
 * Requests the erasure of managed users without a membership, 30 days after the deletion by the directory
 * (docs/contract.md, section 31.9). Returns the number of requests; a replica erases the users at once.
 */
export async function eraseDepartedUsers(deps: DepartureDeps, isStopped = () => false): Promise<number> {
  const at = new Date(deps.clock.now());
  const before = new Date(at.getTime() - MANAGED_USER_RETENTION_MS);
  const departed = await deps.database.run("user.list_departed", (sql) =>
    listDepartedUsers(sql, before, MANAGED_USERS_BATCH),
  );
  let requested = 0;
  for (const user of departed) {
    if (isStopped()) break;
    const isRequested = await deps.database.transaction("user.erase_departed", (sql) => request(deps, sql, user, at));
    requested += isRequested ? 1 : 0;
  }
  return requested;
}

/** Decides again under the lock of the user: a credential or a membership since the list keeps the account. */
async function request(
  deps: DepartureDeps,
  sql: Sql,
  { userId, organizationId }: DepartedUser,
  at: Date,
): Promise<boolean> {
  const user = await lockClosingUser(sql, userId);
  if (!user || user.pending) return false;
  await releaseIndependentUser(sql, userId, organizationId);
  const managed = await findManagedUser(sql, userId, organizationId);
  if (!managed || (await hasMembership(sql, userId))) return false;
  const id = deps.random.uuid();
  await insertDeletion(sql, {
    id,
    subjectType: "user",
    subjectId: userId,
    parentId: null,
    requestedBy: null,
    reason: null,
    noticeId: null,
    wasClosed: user.disabled,
    requestedAt: at,
    dueAt: at,
  });
  await closeUser(sql, userId, at, at);
  const metadata = { deletion_id: id, due_at: at.toISOString(), source: "directory" };
  const resource = { type: "user", id: userId } as const;
  const event = { action: "user.deletion_requested", at, resource, organizationId, metadata } as const;
  await recordAudit(sql, systemAuditEvent(deps, event));
  return true;
}
