/** POST, PUT, PATCH and DELETE of /scim/v2/Users (docs/contract.md, section 31.5). */
import { isDeepStrictEqual } from "node:util";
import { nameKey } from "../../base/display-name.ts";
import { ok } from "../../base/result.ts";
import { DIRECTORY_USERS_MAX } from "../../limits/directory-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { changeUserCount } from "../../models/directory/directory.ts";
import {
  type DescribedUser,
  type DirectoryUser,
  deleteDirectoryUser,
  findDescribedUser,
  findDirectoryUser,
  insertDirectoryUser,
  updateDirectoryUser,
  userNameIsTaken,
} from "../../models/directory/directory-user.ts";
import { applyCommands } from "../../models/directory/protocol/apply-commands.ts";
import { matchesEntityTag } from "../../models/directory/protocol/entity-tag.ts";
import { type ScimResult, scimError, scimProblem } from "../../models/directory/protocol/scim-problem.ts";
import { requestsDeactivation, translateUserPatch } from "../../models/directory/protocol/user-command.ts";
import { readUser, type UserDocument } from "../../models/directory/protocol/user-document.ts";
import type { AuditAction } from "../../vocabulary/audit-action.ts";
import { rememberRemoval } from "../steps/accounts/member-removal.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { createTogether, ordinaryCreation } from "./create-together.ts";
import { type DirectoryCaller, type DirectoryDeps, NO_SUCH_RESOURCE, VERSION_MISMATCH } from "./directory-caller.ts";
import type { DirectoryWrite } from "./directory-write.ts";
import { deactivateMember, linkWaitingRecord, provisionMember } from "./provision-member.ts";
import { BUSY, runDirectoryWrite, runInTurn } from "./run-write.ts";

/** The addressed record. `ifMatch`: the header of a conditional request (RFC 7644, section 3.14). */
export interface RecordAddress {
  readonly id: string;
  readonly ifMatch: string | null;
}

const TOO_MANY_USERS = scimProblem(413, `A directory has at most ${DIRECTORY_USERS_MAX} users.`);
const NAME_IS_TAKEN = scimError("uniqueness", "Another user of the directory has this userName.");

export async function createDirectoryUser(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  body: unknown,
): Promise<ScimResult<DescribedUser>> {
  // A step each for the document, the change and the response: sessions are checked in between.
  await deps.directoryRequests.step();
  const read = readUser(body, undefined, caller.omissions);
  if (!read.ok) return read;
  const document = read.value;
  const turn = takeTurn(deps, caller, document);
  if (!turn) return BUSY;
  const created = await turn;
  await deps.directoryRequests.step();
  return created;
}

/** An ordinary creation may share a transaction with others of the key. Undefined: too many changes wait. */
function takeTurn(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  document: UserDocument,
): Promise<ScimResult<DescribedUser>> | undefined {
  const { organizationId, key } = caller;
  const alone = () => createAlone(deps, caller, document);
  const creation = ordinaryCreation(deps, caller, document);
  if (!creation) return deps.directoryRequests.change(organizationId, alone);
  return deps.directoryRequests.create({ organizationId, keyId: key.id }, creation, {
    together: (batch) => createTogether(deps, caller, batch),
    alone,
  });
}

async function createAlone(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  document: UserDocument,
): Promise<ScimResult<DescribedUser>> {
  return await runInTurn(deps, caller, "directory_user.create", async (write) => {
    const { sql, directory, at } = write;
    if (await userNameIsTaken(sql, directory.id, document.userName, null)) return NAME_IS_TAKEN;
    if (directory.userCount >= DIRECTORY_USERS_MAX) return TOO_MANY_USERS;
    const id = deps.random.uuid();
    const entry = auditOf(write, id, "directory_user.created", {});
    await sql`
      with created as (${insertDirectoryUser(sql, directory.id, id, document, at)}),
      counted as (${changeUserCount(sql, directory.id, 1)})
      ${insertAudit(sql, entry, sql`from created`)}`;
    const record = { id, document, userId: null, link: "none", formerRole: null, formerJoinedAt: null } as const;
    const provisioned = await provisionMember(write, record, undefined);
    return provisioned.ok ? await readRecord(write, id) : provisioned;
  });
}

export async function replaceDirectoryUser(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  address: RecordAddress,
  body: unknown,
): Promise<ScimResult<DescribedUser>> {
  caller.omissions.deactivates = requestsDeactivation(body);
  return await changeUser(deps, caller, address, ({ document }) => {
    return readUser(body, document, caller.omissions);
  });
}

export async function patchDirectoryUser(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  address: RecordAddress,
  body: unknown,
): Promise<ScimResult<DescribedUser>> {
  const { omissions } = caller;
  omissions.deactivates = requestsDeactivation(body);
  const commands = translateUserPatch(body, omissions);
  if (!commands.ok) return commands;
  return await changeUser(deps, caller, address, ({ id, document }) =>
    applyCommands(document, commands.value, id, omissions),
  );
}

export async function removeDirectoryUser(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  address: RecordAddress,
): Promise<ScimResult<void>> {
  return await runDirectoryWrite(deps, caller, "directory_user.delete", async (write) => {
    const { sql, directory, at } = write;
    const record = await findRecord(write, address);
    if (!record.ok) return record;
    const { id, userId } = record.value;
    const ended = await deactivateMember(write, record.value, userId);
    if (!ended.ok) return ended;
    if (userId !== null) await rememberRemoval(deps, sql, caller.organizationId, userId, at);
    const entry = auditOf(write, id, "directory_user.deleted", {});
    await sql`
      with deleted as (${deleteDirectoryUser(sql, id)}), counted as (${changeUserCount(sql, directory.id, -1)})
      ${insertAudit(sql, entry, sql`from deleted`)}`;
    if (userId !== null) await linkWaitingRecord(write, userId);
    return ok(undefined);
  });
}

/** Replaces the document of a record. An equal document changes and records nothing. */
async function changeUser(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  address: RecordAddress,
  change: (record: DirectoryUser) => ScimResult<UserDocument>,
): Promise<ScimResult<DescribedUser>> {
  return await runDirectoryWrite(deps, caller, "directory_user.update", async (write) => {
    const { sql, directory, at } = write;
    const record = await findRecord(write, address);
    if (!record.ok) return record;
    const { id, document: before } = record.value;
    const changed = change(record.value);
    if (!changed.ok) return changed;
    let document = changed.value;
    const isRenamed = nameKey(document.userName) !== nameKey(before.userName);
    if (isRenamed && (await userNameIsTaken(sql, directory.id, document.userName, id))) {
      // A deactivation counts whatever else the request contains.
      const isDeactivation = !document.active && (before.active || caller.omissions.deactivates);
      if (!isDeactivation) return NAME_IS_TAKEN;
      document = { ...document, userName: before.userName };
      caller.omissions.add("userName", NAME_IS_TAKEN.error.detail);
    }
    const fields = changedFields(before, document);
    if (fields.length > 0) {
      const entry = auditOf(write, id, actionOf(before, document), { fields: fields.join(" ") });
      await sql`
        with updated as (${updateDirectoryUser(sql, id, document, at)})
        ${insertAudit(sql, entry, sql`from updated`)}`;
    }
    const provisioned = await provisionMember(write, { ...record.value, document }, before);
    return provisioned.ok ? await readRecord(write, id) : provisioned;
  });
}

function changedFields(before: UserDocument, after: UserDocument): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name])).sort();
}

function actionOf(before: UserDocument, after: UserDocument): AuditAction {
  if (before.active === after.active) return "directory_user.updated";
  return after.active ? "directory_user.activated" : "directory_user.deactivated";
}

async function findRecord(
  { sql, directory }: DirectoryWrite,
  { id, ifMatch }: RecordAddress,
): Promise<ScimResult<DirectoryUser>> {
  const record = await findDirectoryUser(sql, directory.id, id);
  if (!record) return NO_SUCH_RESOURCE;
  return ifMatch === null || matchesEntityTag(ifMatch, record.version) ? ok(record) : VERSION_MISMATCH;
}

async function readRecord({ sql, directory }: DirectoryWrite, id: string): Promise<ScimResult<DescribedUser>> {
  const record = await findDescribedUser(sql, directory.id, id);
  return record ? ok(record) : NO_SUCH_RESOURCE;
}

function auditOf(
  { deps, caller, at }: DirectoryWrite,
  id: string,
  action: AuditAction,
  metadata: Readonly<Record<string, string>>,
) {
  const resource = { type: "directory_user", id } as const;
  return userAuditEvent(deps, caller.actor, caller.client, { action, at, resource, metadata });
}
