/** DELETE /v1/orgs/:org_id/directory (docs/contract.md, section 31.2). */
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { DIRECTORY_DELETION_BATCH } from "../../limits/directory-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  type Directory,
  deleteDirectory,
  deleteRecords,
  lockDirectory,
  saveDirectory,
} from "../../models/directory/directory.ts";
import { deleteOwnedRows, GROUP_MEMBER_ROWS } from "../../models/erasure/erase-rows.ts";
import type { MemberPower } from "../../models/member/member.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { lockEditor } from "../steps/authorization/authorize-role-edit.ts";
import { type AdministerInput, NO_DIRECTORY } from "./administer.ts";
import { changeRolesByGroups, withinEditor } from "./change-roles.ts";

type RemovalDeps = SessionDeps & Pick<Deps, "directoryRequests">;
type DeletionProblem = Refusal<"conflict" | "forbidden" | "not_found">;

/** A transaction of the deletion. `events`: announced after the commit. */
interface Removed {
  readonly id: string;
  readonly isComplete: boolean;
  readonly events: readonly SessionEvent[];
}

const STILL_ACTIVE = refusal("conflict", "Pause the directory before its deletion.");

/**
 * Members remain without the additional roles of groups, and the organization manages no user any more. The first
 * transaction withdraws the roles; every transaction deletes a bounded number of rows, and the last the directory. A
 * deletion cut off in between leaves a paused directory whose groups grant no role, and the next request continues.
 */
export async function removeDirectory(
  deps: RemovalDeps,
  input: AdministerInput,
): Promise<Result<void, DeletionProblem>> {
  let id: string | undefined;
  for (let isComplete = false; !isComplete; ) {
    const removed = await withinEditor<Removed, DeletionProblem>(deps, "directory.delete", (sql) =>
      removePart(deps, sql, input, id),
    );
    if (!removed.ok) return removed;
    await deps.revocations.announce(removed.value.events);
    ({ id, isComplete } = removed.value);
  }
  deps.directoryRequests.forget(input.caller.organizationId);
  return ok(undefined);
}

/** `begun`: the id of the directory from the transaction before. Another request may have completed the deletion. */
async function removePart(
  deps: RemovalDeps,
  sql: Sql,
  input: AdministerInput,
  begun: string | undefined,
): Promise<Result<Removed, DeletionProblem>> {
  const { organizationId, actor } = input.caller;
  const directory = await lockDirectory(sql, organizationId);
  if (begun !== undefined && directory?.id !== begun) return ok({ id: begun, isComplete: true, events: [] });
  if (!directory) return err(NO_DIRECTORY);
  if (directory.status === "active") return err(STILL_ACTIVE);
  const lock = { organizationId, userId: actor.userId, roleIds: [], permission: "directory.manage" } as const;
  const editor = await lockEditor(sql, lock);
  if (!editor.ok) return editor;
  const at = new Date(deps.clock.now());
  const events = await withdrawRoles(deps, sql, { ...input, directory, editor: editor.value }, at);
  const isEmpty = await deleteRows(sql, directory, at);
  if (isEmpty) await deleteEmpty(deps, sql, input, directory, at);
  return ok({ id: directory.id, isComplete: isEmpty, events });
}

interface RoleWithdrawal extends AdministerInput {
  readonly directory: Directory;
  readonly editor: MemberPower;
}

/** Before the rows, so that no member keeps a role of a deleted group; a setting saved meanwhile has no effect. */
async function withdrawRoles(
  deps: RemovalDeps,
  sql: Sql,
  { caller, client, directory, editor }: RoleWithdrawal,
  at: Date,
): Promise<readonly SessionEvent[]> {
  if (directory.roleSource === "none") return [];
  const without = { ...directory, roleSource: "none" } as const;
  await sql`${saveDirectory(sql, directory.id, directory.organizationId, without, at)}`;
  return await changeRolesByGroups(deps, sql, {
    directory: without,
    recordIds: null,
    actor: caller.actor,
    client,
    editor,
  });
}

/** Returns whether no row is left: a paused directory gets no new rows. */
async function deleteRows(sql: Sql, directory: Directory, at: Date): Promise<boolean> {
  const batch = DIRECTORY_DELETION_BATCH;
  const members = await deleteOwnedRows(sql, GROUP_MEMBER_ROWS, directory.organizationId, batch);
  return members < batch && (await deleteRecords(sql, directory, at, batch)) < batch;
}

async function deleteEmpty(
  deps: RemovalDeps,
  sql: Sql,
  { caller, client }: AdministerInput,
  { id }: Directory,
  at: Date,
): Promise<void> {
  const resource = { type: "directory", id } as const;
  const entry = userAuditEvent(deps, caller.actor, client, { action: "directory.deleted", at, resource });
  await sql`with deleted as (${deleteDirectory(sql, id)}) ${insertAudit(sql, entry, sql`from deleted`)}`;
}
