/**
 * The erasure of users and organizations whose deletion is due (docs/contract.md, section 30.3). Every step can be
 * repeated: after a crash any replica continues.
 */
import type { Sql } from "../../database/database.ts";
import type { Deps } from "../../deps.ts";
import { ERASURE_ROWS_BATCH, ERASURES_BATCH } from "../../limits/deletion-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { deleteAvatar } from "../../models/avatar/avatar.ts";
import {
  claimDueDeletion,
  type Deletion,
  listDependentDeletions,
  listDueDeletions,
  markErased,
} from "../../models/deletion/deletion.ts";
import { deleteOrganizationRow } from "../../models/erasure/erase-organization.ts";
import {
  clearReferences,
  deleteOwnedRows,
  MEMBER_ROWS,
  ORGANIZATION_ROWS,
  type OwnedRows,
  USER_REFERENCES,
  USER_ROWS,
} from "../../models/erasure/erase-rows.ts";
import {
  deleteAddressEvents,
  deleteByAddress,
  deleteDecisionsOf,
  deleteUserRow,
  lockErasedUser,
} from "../../models/erasure/erase-user.ts";
import { keepErasedAddresses } from "../../models/member/removal.ts";
import { hashAddress } from "../../models/user/email-address.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";
import { keepErasedPower } from "../steps/channels/keep-departed-power.ts";

export type EraseDeps = Pick<Deps, "database" | "clock" | "random" | "log" | "addressKey"> & {
  /** Deletes a picture outside of PostgreSQL. Undefined for a command without a store. */
  readonly removePicture: ((hash: string) => Promise<void>) | undefined;
};

/**
 * Erases what is due, at most `ERASURES_BATCH` deletions; returns whether more may be due. A failure leaves the
 * deletion for the next round and stops no other deletion. Once `isStopped` returns true, no further erasure begins.
 */
export async function eraseDue(deps: EraseDeps, isStopped = () => false): Promise<boolean> {
  const at = new Date(deps.clock.now());
  const due = await deps.database.run("deletion.list_due", (sql) => listDueDeletions(sql, at, ERASURES_BATCH));
  if (due.length === 0) return false;
  const failed = await eraseEach(deps, due, at, isStopped);
  return failed === 0 && due.length === ERASURES_BATCH && !isStopped();
}

/** Erases a batch of deletions; returns the number of failures. Exported for the replay of the deletion log. */
export async function eraseEach(
  deps: EraseDeps,
  due: readonly Deletion[],
  at: Date,
  isStopped = () => false,
): Promise<number> {
  const userIds = due.flatMap(({ subjectType, subjectId }) => (subjectType === "user" ? [subjectId] : []));
  await eraseDecisions(deps, userIds, isStopped);
  let failed = 0;
  for (const deletion of due) {
    if (isStopped()) break;
    await erase(deps, deletion, at, isStopped).catch((error) => {
      failed += 1;
      deps.log.warn({ err: error, deletion: deletion.id }, "erasure: a deletion failed; the next round repeats it");
    });
  }
  return failed;
}

/**
 * The rows go first, in bounded statements: the transaction then holds the lock of the user for a moment only. The
 * deletion is due, so no cancellation brings back a user or organization without rows.
 */
async function erase(deps: EraseDeps, deletion: Deletion, at: Date, isStopped: () => boolean): Promise<void> {
  const dependent = await deps.database.run("deletion.list_dependent", (sql) =>
    listDependentDeletions(sql, deletion.id),
  );
  for (const subject of [deletion, ...dependent]) await eraseRows(deps, subject, isStopped);
  if (isStopped()) return;
  if (deletion.subjectType === "user") await removeExternalPicture(deps, deletion.subjectId);
  await deps.database.transaction("deletion.erase", async (sql) => {
    const claimed = await claimDueDeletion(sql, deletion.id, at);
    if (!claimed) return;
    if (claimed.subjectType === "user") await eraseUser(deps, sql, claimed.subjectId, at);
    for (const each of [claimed, ...(await listDependentDeletions(sql, claimed.id))]) {
      if (each.subjectType === "organization") await eraseOrganization(deps, sql, each.subjectId, at);
      await markErased(sql, each.id, at);
    }
  });
}

/** The address is available again at once. The records come first: a trigger reads the memberships for the events. */
async function eraseUser(deps: EraseDeps, sql: Sql, userId: string, at: Date): Promise<void> {
  const user = await lockErasedUser(sql, userId);
  if (!user) return;
  await deleteAddressEvents(sql, userId, at);
  const entry = systemAuditEvent(deps, {
    action: "user.deleted",
    at,
    organizationId: user.organizationId,
    resource: { type: "user", id: userId },
    metadata: {},
  });
  await recordAudit(sql, entry);
  const hashes = user.addresses.map((address) => hashAddress(deps.addressKey, address));
  const addressHashes = user.verifiedAddresses.map((address) => hashAddress(deps.addressKey, address));
  await keepErasedAddresses(sql, { userId, addressHashes });
  await deleteByAddress(sql, user, hashes);
  await keepErasedPower(sql, userId);
  await deleteUserRow(sql, userId);
  if (user.avatarHash !== null) await deleteAvatar(sql, user.avatarHash);
}

async function eraseOrganization(deps: EraseDeps, sql: Sql, organizationId: string, at: Date): Promise<void> {
  if (!(await deleteOrganizationRow(sql, organizationId))) return;
  const entry = systemAuditEvent(deps, {
    action: "organization.deleted",
    at,
    organizationId,
    resource: { type: "organization", id: organizationId },
    metadata: {},
  });
  await recordAudit(sql, entry);
}

/** Decisions name the user by id; the table has no index by user, so one statement serves all due users. */
async function eraseDecisions(deps: EraseDeps, userIds: readonly string[], isStopped: () => boolean): Promise<void> {
  if (userIds.length === 0) return;
  for (;;) {
    const deleted = await deps.database.run("decision.delete_of_users", (sql) =>
      deleteDecisionsOf(sql, userIds, ERASURE_ROWS_BATCH),
    );
    if (deleted < ERASURE_ROWS_BATCH || isStopped()) return;
  }
}

async function eraseRows(
  deps: EraseDeps,
  { subjectType, subjectId, parentId }: Deletion,
  isStopped: () => boolean,
): Promise<void> {
  const isUser = subjectType === "user";
  for (const rows of isUser ? USER_ROWS : ORGANIZATION_ROWS) {
    await inBatches(deps, "erasure.delete_rows", deleteOwnedRows, rows, subjectId, isStopped);
  }
  for (const rows of isUser ? USER_REFERENCES : []) {
    await inBatches(deps, "erasure.clear_references", clearReferences, rows, subjectId, isStopped);
  }
  // The membership of the leaving user names the organization of the record of the erasure.
  if (isUser || parentId !== null) return;
  await inBatches(deps, "erasure.delete_rows", deleteOwnedRows, MEMBER_ROWS, subjectId, isStopped);
}

async function inBatches(
  { database }: EraseDeps,
  statement: string,
  change: (sql: Sql, rows: OwnedRows, ownerId: string, batch: number) => Promise<number>,
  rows: OwnedRows,
  ownerId: string,
  isStopped: () => boolean,
): Promise<void> {
  for (;;) {
    const changed = await database.run(statement, (sql) => change(sql, rows, ownerId, ERASURE_ROWS_BATCH));
    if (changed < ERASURE_ROWS_BATCH || isStopped()) return;
  }
}

/** Before the commit: a crash in between leaves a closed account without a picture, and no picture without an owner. */
async function removeExternalPicture(deps: EraseDeps, userId: string): Promise<void> {
  const [user] = await deps.database.run(
    "user.find_avatar",
    (sql) => sql<{ hash: string | null }[]>`select avatar_hash as hash from users where id = ${userId}`,
  );
  if (user?.hash) await deps.removePicture?.(user.hash);
}
