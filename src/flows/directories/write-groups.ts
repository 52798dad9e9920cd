/** POST, PUT, PATCH and DELETE of /scim/v2/Groups (docs/contract.md, section 31.6). */
import { err, ok } from "../../base/result.ts";
import {
  AUDITED_MEMBERS_CHUNK,
  AUDITED_MEMBERS_MAX,
  DIRECTORY_GROUP_MEMBERS_MAX,
  DIRECTORY_GROUPS_MAX,
  DIRECTORY_USER_GROUPS_MAX,
} from "../../limits/directory-limits.ts";
import { insertAudit, recordAudit } from "../../models/audit/audit.ts";
import {
  type ChangedMembers,
  changeGroupMembers,
  countDirectoryGroups,
  countGroupMembers,
  type DirectoryGroup,
  deleteDirectoryGroup,
  exceedsGroups,
  findDirectoryGroup,
  grantsRoles,
  groupNameIsTaken,
  insertDirectoryGroup,
  listMemberIds,
  listUnknownRecords,
  updateDirectoryGroup,
} from "../../models/directory/directory-group.ts";
import { matchesEntityTag } from "../../models/directory/protocol/entity-tag.ts";
import {
  type GroupChange,
  type MemberChange,
  readGroup,
  translateGroupPatch,
  unknownMember,
} from "../../models/directory/protocol/group-document.ts";
import { type ScimResult, scimError, scimProblem } from "../../models/directory/protocol/scim-problem.ts";
import type { AuditAction } from "../../vocabulary/audit-action.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { changeRolesByGroups } from "./change-roles.ts";
import { type DirectoryCaller, type DirectoryDeps, NO_SUCH_RESOURCE, VERSION_MISMATCH } from "./directory-caller.ts";
import type { DirectoryWrite } from "./directory-write.ts";
import { runDirectoryWrite } from "./run-write.ts";
import type { RecordAddress } from "./write-users.ts";

const NAME_IS_TAKEN = scimError("uniqueness", "Another group of the directory has this displayName.");
const TOO_MANY_GROUPS = scimProblem(413, `A directory has at most ${DIRECTORY_GROUPS_MAX} groups.`);
const TOO_MANY_GROUPS_OF_USER = scimProblem(413, `A user has at most ${DIRECTORY_USER_GROUPS_MAX} groups.`);
const TOO_MANY_MEMBERS = scimProblem(413, `A group has at most ${DIRECTORY_GROUP_MEMBERS_MAX} members.`);

export async function createDirectoryGroup(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  body: unknown,
): Promise<ScimResult<DirectoryGroup>> {
  const read = readGroup(body, caller.omissions);
  if (!read.ok) return read;
  const { displayName, externalId = null, members } = read.value;
  return await runDirectoryWrite(deps, caller, "directory_group.create", async (write) => {
    const { sql, directory, at } = write;
    if (await groupNameIsTaken(sql, directory.id, displayName, null)) return NAME_IS_TAKEN;
    if ((await countDirectoryGroups(sql, directory.id)) >= DIRECTORY_GROUPS_MAX) return TOO_MANY_GROUPS;
    const id = deps.random.uuid();
    const entry = auditOf(write, id, "directory_group.created", {});
    const inserted = insertDirectoryGroup(sql, directory.id, id, { displayName, externalId }, at);
    await sql`with created as (${inserted}) ${insertAudit(sql, entry, sql`from created`)}`;
    const changed = await changeMembers(write, id, members);
    return changed.ok ? await readDirectoryGroup(write, id) : changed;
  });
}

export async function replaceDirectoryGroup(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  address: RecordAddress,
  body: unknown,
): Promise<ScimResult<DirectoryGroup>> {
  const read = readGroup(body, caller.omissions);
  return read.ok ? await changeGroup(deps, caller, address, read.value) : read;
}

export async function patchDirectoryGroup(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  address: RecordAddress,
  body: unknown,
): Promise<ScimResult<DirectoryGroup>> {
  const change = translateGroupPatch(body, address.id, caller.omissions);
  return change.ok ? await changeGroup(deps, caller, address, change.value) : change;
}

export async function removeDirectoryGroup(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  address: RecordAddress,
): Promise<ScimResult<void>> {
  return await runDirectoryWrite(deps, caller, "directory_group.delete", async (write) => {
    const { sql } = write;
    const group = await findGroup(write, address);
    if (!group.ok) return group;
    const { id } = group.value;
    const recordIds = (await grantsRoles(sql, id)) ? await listMemberIds(sql, id) : [];
    const entry = auditOf(write, id, "directory_group.deleted", {});
    await sql`with deleted as (${deleteDirectoryGroup(sql, id)}) ${insertAudit(sql, entry, sql`from deleted`)}`;
    await changeRoles(write, recordIds);
    return ok(undefined);
  });
}

/** Applies a change of name and members. A request without an effect leaves the version unchanged. */
async function changeGroup(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  address: RecordAddress,
  change: GroupChange,
): Promise<ScimResult<DirectoryGroup>> {
  return await runDirectoryWrite(deps, caller, "directory_group.update", async (write) => {
    const { sql, directory, at } = write;
    const group = await findGroup(write, address);
    if (!group.ok) return group;
    const { id, displayName, externalId } = group.value;
    const name = change.displayName ?? displayName;
    const external = change.externalId === undefined ? externalId : change.externalId;
    const isRenamed = name !== displayName || external !== externalId;
    if (isRenamed && (await groupNameIsTaken(sql, directory.id, name, id))) return NAME_IS_TAKEN;
    const changed = await changeMembers(write, id, change.members);
    if (!changed.ok) return changed;
    const { added, removed } = changed.value;
    if (!isRenamed && added.length + removed.length === 0) return group;
    await sql`${updateDirectoryGroup(sql, id, { displayName: name, externalId: external }, at)}`;
    if (isRenamed) await recordAudit(sql, auditOf(write, id, "directory_group.updated", {}));
    const { version } = group.value;
    return ok({ ...group.value, displayName: name, externalId: external, version: version + 1, updatedAt: at });
  });
}

/** Applies a change of the members by difference, and the roles that follow. */
async function changeMembers(
  write: DirectoryWrite,
  groupId: string,
  change: MemberChange,
): Promise<ScimResult<ChangedMembers>> {
  const { sql } = write;
  const known = await withKnownMembers(write, change);
  if (!known.ok) return known;
  const changed = await changeGroupMembers(sql, groupId, known.value);
  const { added, removed } = changed;
  if (added.length + removed.length === 0) return ok(changed);
  if (added.length > 0) {
    if (await exceedsMembers(write, groupId)) return TOO_MANY_MEMBERS;
    if (await exceedsGroups(sql, added, DIRECTORY_USER_GROUPS_MAX)) return TOO_MANY_GROUPS_OF_USER;
  }
  await recordAudit(sql, auditOf(write, groupId, "directory_group.members_changed", describeMembers(changed)));
  if (await grantsRoles(sql, groupId)) await changeRoles(write, [...added, ...removed]);
  return ok(changed);
}

/** The change without users that the directory does not have; refused if the request adds such users alone. */
async function withKnownMembers(
  { sql, directory, caller }: DirectoryWrite,
  change: MemberChange,
): Promise<ScimResult<MemberChange>> {
  const unknown = await listUnknownRecords(sql, directory.id, change.added);
  const [first] = unknown;
  if (first === undefined) return ok(change);
  const { error } = unknownMember(first);
  if (unknown.length === change.added.size) return err(error);
  caller.omissions.add("members", error.detail);
  return ok({ ...change, added: change.added.difference(new Set(unknown)) });
}

/** Exact numbers, and the ids of the first `AUDITED_MEMBERS_MAX` records: a larger record would burden every list. */
function describeMembers({ added, removed }: ChangedMembers): Readonly<Record<string, string | number>> {
  const counts = { added: added.length, removed: removed.length };
  return { ...counts, ...idEntries("added_ids", added), ...idEntries("removed_ids", removed) };
}

/** Entries `<name>_1`, `<name>_2` and so on, each of at most `AUDITED_MEMBERS_CHUNK` ids. */
function idEntries(name: string, ids: readonly string[]): Readonly<Record<string, string>> {
  const audited = ids.slice(0, AUDITED_MEMBERS_MAX);
  const chunks = Map.groupBy(audited.entries(), ([index]) => 1 + Math.floor(index / AUDITED_MEMBERS_CHUNK));
  return Object.fromEntries([...chunks].map(([n, chunk]) => [`${name}_${n}`, chunk.map(([, id]) => id).join(" ")]));
}

/** A group of a directory with fewer users is not counted: members are users of the directory. */
async function exceedsMembers({ sql, directory }: DirectoryWrite, groupId: string): Promise<boolean> {
  if (directory.userCount <= DIRECTORY_GROUP_MEMBERS_MAX) return false;
  const count = (await countGroupMembers(sql, [groupId])).get(groupId) ?? 0;
  return count > DIRECTORY_GROUP_MEMBERS_MAX;
}

async function changeRoles(write: DirectoryWrite, recordIds: readonly string[]): Promise<void> {
  if (recordIds.length === 0) return;
  const { deps, sql, directory, caller } = write;
  const { actor, client } = caller;
  write.events.push(...(await changeRolesByGroups(deps, sql, { directory, recordIds, actor, client })));
}

async function findGroup(
  { sql, directory }: DirectoryWrite,
  { id, ifMatch }: RecordAddress,
): Promise<ScimResult<DirectoryGroup>> {
  const group = await findDirectoryGroup(sql, directory.id, id);
  if (!group) return NO_SUCH_RESOURCE;
  return ifMatch === null || matchesEntityTag(ifMatch, group.version) ? ok(group) : VERSION_MISMATCH;
}

async function readDirectoryGroup({ sql, directory }: DirectoryWrite, id: string): Promise<ScimResult<DirectoryGroup>> {
  const group = await findDirectoryGroup(sql, directory.id, id);
  return group ? ok(group) : NO_SUCH_RESOURCE;
}

function auditOf(
  { deps, caller, at }: DirectoryWrite,
  id: string,
  action: AuditAction,
  metadata: Readonly<Record<string, string | number>>,
) {
  const resource = { type: "directory_group", id } as const;
  return userAuditEvent(deps, caller.actor, caller.client, { action, at, resource, metadata });
}
