/** DELETE /v1/orgs/:org_id/directory (docs/contract.md, section 31.2). */
import { type Refusal, refusal } from "../../base/problem.ts";
import { MAX_UUID, NIL_UUID } from "../../base/random.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { Deps, EmailDeps, SessionDeps } from "../../deps.ts";
import { DIRECTORY_DELETION_BATCH, DIRECTORY_ROLE_HOLDERS_BATCH } from "../../limits/directory-limits.ts";
import { insertAudit, recordAudit } from "../../models/audit/audit.ts";
import {
  type Directory,
  deleteDirectory,
  deleteRecords,
  lockDirectory,
  saveDirectory,
} from "../../models/directory/directory.ts";
import { DIRECTORY_GROUP_ROWS, deleteOwnedRows, GROUP_MEMBER_ROWS } from "../../models/erasure/erase-rows.ts";
import { listRecordsWithRoles, listRoleIdsByDirectory } from "../../models/member-group/group-roles.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { lockEditor } from "../steps/authorization/authorize-role-edit.ts";
import { addCreators, mailCreationsOfMembers, mailStoppedChange } from "../steps/creations/creations.ts";
import { type AdministerInput, NO_DIRECTORY } from "./administer.ts";
import { type ChangedRoles, changeRolesOfRecords, requirePermissionsOf, withinEditor } from "./change-roles.ts";

type RemovalDeps = SessionDeps & EmailDeps & Pick<Deps, "directoryRequests">;
type DeletionProblem = Refusal<"conflict" | "forbidden" | "not_found">;

/** The state of a deletion after a transaction. */
interface DeletionStep {
  readonly directoryId: string;
  /** A later revision has settings that were saved meanwhile. */
  readonly revision: number;
  /** No user of a record up to this id has a role of a group. */
  readonly withdrawnTo: string;
  readonly isComplete: boolean;
  /** Members who lost roles, and whom no email names so far. */
  readonly creatorIds: readonly string[];
  /** Announced after the commit. */
  readonly events: readonly SessionEvent[];
}

/** A deletion within a transaction. */
interface DirectoryDeletion extends AdministerInput {
  readonly deps: RemovalDeps;
  readonly sql: Sql;
  /** Locked. */
  readonly directory: Directory;
  readonly at: Date;
}

const STILL_ACTIVE = refusal("conflict", "Pause the directory before its deletion.");

/** The settings of a directory whose groups grant no role. */
const withoutRoles = (directory: Directory): Directory => ({ ...directory, roleSource: "none" });

/**
 * Members remain without the additional roles of groups, and the organization manages no user any more. The first
 * transaction authorizes the deletion with every role that members will lose, so that no later transaction lacks a
 * permission. The roles are withdrawn before the first row is deleted, and every transaction is bounded. The owners get
 * one email about what members without the roles created. A deletion cut off in between leaves a paused directory
 * whose groups grant no role; the next request begins with the roles that members still have.
 */
export async function removeDirectory(
  deps: RemovalDeps,
  input: AdministerInput,
): Promise<Result<void, DeletionProblem>> {
  const { organizationId } = input.caller;
  let step: DeletionStep | undefined;
  try {
    while (!step?.isComplete) {
      const before: DeletionStep | undefined = step;
      const next = await withinEditor<DeletionStep, DeletionProblem>(deps, "directory.delete", (sql) =>
        runStep(deps, sql, input, before),
      );
      if (!next.ok) return next;
      step = next.value;
      await deps.revocations.announce(step.events);
    }
  } finally {
    await mailStoppedChange(deps, step?.creatorIds ?? [], { organizationId, client: input.client });
    deps.outbox.wake();
  }
  deps.directoryRequests.forget(organizationId);
  return ok(undefined);
}

/**
 * Only the first transaction authorizes: the caller may lose a role by a group. Settings that another request saved
 * meanwhile begin the deletion again, because groups may have granted roles.
 */
async function runStep(
  deps: RemovalDeps,
  sql: Sql,
  input: AdministerInput,
  before: DeletionStep | undefined,
): Promise<Result<DeletionStep, DeletionProblem>> {
  const directory = await lockDirectory(sql, input.caller.organizationId);
  // Another request has completed the deletion.
  if (before && directory?.id !== before.directoryId) return ok({ ...before, isComplete: true, events: [] });
  if (!directory) return err(NO_DIRECTORY);
  if (directory.status === "active") return err(STILL_ACTIVE);
  const deletion = { ...input, deps, sql, directory, at: new Date(deps.clock.now()) };
  if (before?.revision === directory.revision) return ok(await deleteNext(deletion, before));
  const started = await startDeletion(deletion);
  if (!started.ok) return started;
  const step = await deleteNext(deletion, { ...started.value, creatorIds: before?.creatorIds ?? [] });
  if (!step.isComplete) await recordStart(deletion);
  return ok(step);
}

/** Authorizes the deletion, and saves that groups grant no role. */
async function startDeletion({
  sql,
  caller,
  directory,
  at,
}: DirectoryDeletion): Promise<Result<Omit<DeletionStep, "creatorIds">, Refusal<"forbidden">>> {
  const { organizationId } = caller;
  const lock = { caller, roleIds: [], permission: "directory.manage" } as const;
  const editor = await lockEditor(sql, lock);
  if (!editor.ok) return editor;
  const roleIds = await listRoleIdsByDirectory(sql, organizationId);
  await requirePermissionsOf(sql, organizationId, editor.value, roleIds);
  const start = { directoryId: directory.id, withdrawnTo: NIL_UUID, isComplete: false, events: [] };
  if (directory.roleSource === "none") return ok({ ...start, revision: directory.revision });
  await sql`${saveDirectory(sql, directory.id, organizationId, withoutRoles(directory), at)}`;
  return ok({ ...start, revision: directory.revision + 1 });
}

/** Withdraws roles and, after the last role, emails the owners and deletes rows: at most a batch of every table. */
async function deleteNext(deletion: DirectoryDeletion, step: DeletionStep): Promise<DeletionStep> {
  const { deps, sql, directory, client, at } = deletion;
  const { organizationId } = directory;
  const recordIds = await listRecordsWithRoles(sql, directory, step.withdrawnTo, DIRECTORY_ROLE_HOLDERS_BATCH);
  const { loserIds, events } = await withdrawRoles(deletion, recordIds);
  const last = recordIds[DIRECTORY_ROLE_HOLDERS_BATCH - 1];
  if (last !== undefined) {
    const creatorIds = await addCreators(sql, step.creatorIds, loserIds, { organizationId, at });
    return { ...step, withdrawnTo: last, creatorIds, events };
  }
  await mailCreationsOfMembers(deps, sql, [...step.creatorIds, ...loserIds], { organizationId, client, at });
  const isComplete = await deleteRows(deletion);
  if (isComplete) await deleteEmpty(deletion);
  return { ...step, withdrawnTo: MAX_UUID, isComplete, creatorIds: [], events };
}

async function withdrawRoles(
  { deps, sql, directory, caller, client }: DirectoryDeletion,
  recordIds: readonly string[],
): Promise<Pick<ChangedRoles, "events" | "loserIds">> {
  if (recordIds.length === 0) return { events: [], loserIds: [] };
  const changes = { directory: withoutRoles(directory), recordIds, actor: caller.actor, client };
  return await changeRolesOfRecords(deps, sql, changes);
}

/** Returns whether no row is left: a paused directory gets no new rows. */
async function deleteRows({ sql, directory, at }: DirectoryDeletion): Promise<boolean> {
  const { organizationId } = directory;
  const batch = DIRECTORY_DELETION_BATCH;
  if ((await deleteOwnedRows(sql, GROUP_MEMBER_ROWS, organizationId, batch)) === batch) return false;
  if ((await deleteRecords(sql, directory, at, batch)) === batch) return false;
  const groups = await deleteOwnedRows(sql, DIRECTORY_GROUP_ROWS, organizationId, DIRECTORY_ROLE_HOLDERS_BATCH);
  return groups < DIRECTORY_ROLE_HOLDERS_BATCH;
}

/** A deletion of several transactions has a record from the first, and `directory.deleted` from the last. */
async function recordStart({ deps, sql, caller, client, directory, at }: DirectoryDeletion): Promise<void> {
  const changed = directory.roleSource === "none" ? [] : ["role_source"];
  const metadata = { fields: [...changed, "users", "groups"].join(" ") };
  const resource = { type: "directory", id: directory.id } as const;
  const entry = userAuditEvent(deps, caller.actor, client, { action: "directory.updated", at, resource, metadata });
  await recordAudit(sql, entry);
}

async function deleteEmpty({ deps, sql, caller, client, directory: { id }, at }: DirectoryDeletion): Promise<void> {
  const resource = { type: "directory", id } as const;
  const entry = userAuditEvent(deps, caller.actor, client, { action: "directory.deleted", at, resource });
  await sql`with deleted as (${deleteDirectory(sql, id)}) ${insertAudit(sql, entry, sql`from deleted`)}`;
}
