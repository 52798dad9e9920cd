/** The directory of an organization, for its administrators (docs/contract.md, section 31.2). */
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import { lockName } from "../../database/statement.ts";
import type { SessionDeps } from "../../deps.ts";
import { ROLE_PREVIEW_MAX } from "../../limits/directory-limits.ts";
import { type AuditAction, insertAudit } from "../../models/audit/audit.ts";
import {
  type Directory,
  type DirectorySettings,
  deleteDirectory,
  findDirectory,
  lockDirectory,
  releaseManagedUsers,
  saveDirectory,
} from "../../models/directory/directory.ts";
import {
  countGroupMembers,
  type DirectoryGroup,
  findDirectoryGroup,
  listDirectoryGroups,
  listMemberIds,
  updateGroupRole,
} from "../../models/directory/directory-group.ts";
import { type DirectoryUser, listDirectoryUsers } from "../../models/directory/directory-user.ts";
import { type PreviewedRole, previewGroupRole } from "../../models/directory/provisioning.ts";
import { listRefusedRequests, type RefusedRequest } from "../../models/directory/refused-request.ts";
import { isAtLeast } from "../../models/member/member.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { MemberCaller } from "../steps/authorization/authorize-member.ts";
import { changeRolesByGroups } from "./change-roles.ts";

interface AdministerInput {
  readonly caller: MemberCaller;
  readonly client: RequestContext;
}

const ABOVE_CALLER = refusal("forbidden", "You cannot grant a role above your own.");
const NO_DIRECTORY = refusal("not_found", "The organization has no directory.");
const NO_SUCH_GROUP = refusal("not_found", "The directory has no such group.");
const STILL_ACTIVE = refusal("conflict", "Pause the directory before its deletion.");

/** GET /v1/orgs/:org_id/directory. */
export async function readDirectory(
  deps: Pick<SessionDeps, "database">,
  { organizationId }: Pick<MemberCaller, "organizationId">,
): Promise<Result<Directory, Refusal<"not_found">>> {
  const directory = await deps.database.run("directory.find", (sql) => findDirectory(sql, organizationId));
  return directory ? ok(directory) : err(NO_DIRECTORY);
}

/** PUT /v1/orgs/:org_id/directory: creates the directory or replaces the settings. Roles follow the new settings. */
export async function putDirectory(
  deps: SessionDeps,
  { caller, client, settings }: AdministerInput & { readonly settings: DirectorySettings },
): Promise<Result<Directory, Refusal<"forbidden" | "not_found">>> {
  if (!isAtLeast(caller.role, settings.defaultRole)) return err(ABOVE_CALLER);
  const { organizationId, actor } = caller;
  const at = new Date(deps.clock.now());
  const events = await deps.database.transaction("directory.save", async (sql) => {
    await lockName(sql, `directory of ${organizationId}`);
    const before = await lockDirectory(sql, organizationId);
    const id = before?.id ?? deps.random.uuid();
    const fields = before ? changedSettings(before, settings) : [];
    if (before && fields.length === 0) return [];
    const resource = { type: "directory", id } as const;
    const action = actionOf(before, settings);
    const entry = userAuditEvent(deps, actor, client, { action, at, resource, metadata: { fields: fields.join(" ") } });
    await sql`
      with saved as (${saveDirectory(sql, id, organizationId, settings, at)})
      ${insertAudit(sql, entry, sql`from saved`)}`;
    const directory = await lockDirectory(sql, organizationId);
    if (!before || !directory) return [];
    return await changeRolesByGroups(deps, sql, { directory, recordIds: null, actor, client });
  });
  await deps.revocations.announce(events);
  return await readDirectory(deps, caller);
}

function changedSettings(before: DirectorySettings, after: DirectorySettings): string[] {
  const names = Object.keys(SETTING_MEMBERS) as (keyof DirectorySettings)[];
  return names.filter((name) => before[name] !== after[name]).map((name) => SETTING_MEMBERS[name]);
}

/** The member of the API for every setting. */
const SETTING_MEMBERS: Readonly<Record<keyof DirectorySettings, string>> = {
  status: "status",
  defaultRole: "default_role",
  outsideDomains: "outside_domains",
  roleSource: "role_source",
};

function actionOf(before: DirectorySettings | undefined, { status }: DirectorySettings): AuditAction {
  if (!before) return "directory.created";
  return before.status !== status && status === "paused" ? "directory.paused" : "directory.updated";
}

/** DELETE /v1/orgs/:org_id/directory: members remain, and the organization manages no user any more. */
export async function removeDirectory(
  deps: SessionDeps,
  { caller, client }: AdministerInput,
): Promise<Result<void, Refusal<"conflict" | "not_found">>> {
  const { organizationId, actor } = caller;
  const at = new Date(deps.clock.now());
  return await deps.database.transaction("directory.delete", async (sql) => {
    const directory = await lockDirectory(sql, organizationId);
    if (!directory) return err(NO_DIRECTORY);
    if (directory.status === "active") return err(STILL_ACTIVE);
    const { id } = directory;
    await releaseManagedUsers(sql, organizationId, at);
    const resource = { type: "directory", id } as const;
    const entry = userAuditEvent(deps, actor, client, { action: "directory.deleted", at, resource });
    await sql`with deleted as (${deleteDirectory(sql, id)}) ${insertAudit(sql, entry, sql`from deleted`)}`;
    return ok(undefined);
  });
}

/** PATCH /v1/orgs/:org_id/directory/groups/:id: the role that a group grants. */
export async function mapGroupRole(
  deps: SessionDeps,
  input: AdministerInput & GroupMapping,
): Promise<Result<ListedGroup, Refusal<"forbidden" | "not_found">>> {
  const { caller, client, groupId, role } = input;
  if (role !== null && !isAtLeast(caller.role, role)) return err(ABOVE_CALLER);
  const { organizationId, actor } = caller;
  const at = new Date(deps.clock.now());
  const mapped = await deps.database.transaction("directory_group.map_role", async (sql) => {
    const directory = await lockDirectory(sql, organizationId);
    const group = directory && (await findDirectoryGroup(sql, directory.id, groupId));
    if (!directory || !group) return err(NO_SUCH_GROUP);
    if (group.role === role) return ok([]);
    const resource = { type: "directory_group", id: groupId } as const;
    const metadata = { from: group.role, to: role };
    const auditEvent = { action: "directory_group.role_mapped", at, resource, metadata } as const;
    const entry = userAuditEvent(deps, actor, client, auditEvent);
    await sql`
      with mapped as (${updateGroupRole(sql, groupId, role, at)})
      ${insertAudit(sql, entry, sql`from mapped`)}`;
    const recordIds = await listMemberIds(sql, groupId);
    return ok(await changeRolesByGroups(deps, sql, { directory, recordIds, actor, client }));
  });
  if (!mapped.ok) return mapped;
  await deps.revocations.announce(mapped.value);
  const directory = await readDirectory(deps, caller);
  const group = directory.ok
    ? await deps.database.run("directory_group.find", (sql) => findDirectoryGroup(sql, directory.value.id, groupId))
    : undefined;
  return group ? ok((await withCounts(deps, [group]))[0] ?? { ...group, memberCount: 0 }) : err(NO_SUCH_GROUP);
}

/** The changes of roles that `mapGroupRole` would make, without an effect: at most `ROLE_PREVIEW_MAX` members. */
export async function readRolePreview(
  deps: Pick<SessionDeps, "database">,
  { caller, groupId, role }: Pick<AdministerInput, "caller"> & Pick<GroupMapping, "groupId" | "role">,
): Promise<Result<RolePreview, Refusal<"not_found">>> {
  const directory = await readDirectory(deps, caller);
  if (!directory.ok) return directory;
  const { value } = directory;
  const previewed = { groupId, role, limit: ROLE_PREVIEW_MAX };
  return await deps.database.transaction("directory_group.preview_role", async (sql) => {
    const group = await findDirectoryGroup(sql, value.id, groupId);
    return group ? ok({ group, role, ...(await previewGroupRole(sql, value, previewed)) }) : err(NO_SUCH_GROUP);
  });
}

export interface GroupMapping {
  readonly groupId: string;
  /** Null: the group grants no role. */
  readonly role: DirectoryGroup["role"];
}

export interface RolePreview {
  readonly items: readonly PreviewedRole[];
  readonly total: number;
  readonly group: DirectoryGroup;
  readonly role: DirectoryGroup["role"];
}

export interface ListedGroup extends DirectoryGroup {
  readonly memberCount: number;
}

interface ListInput {
  readonly caller: Pick<MemberCaller, "organizationId">;
  readonly page: Page;
}

/** GET /v1/orgs/:org_id/directory/groups. */
export async function listGroups(
  deps: Pick<SessionDeps, "database">,
  { caller, page }: ListInput,
): Promise<Result<Listing<ListedGroup>, Refusal<"not_found">>> {
  const directory = await readDirectory(deps, caller);
  if (!directory.ok) return directory;
  const listed = await deps.database.run("directory_group.list", (sql) =>
    listDirectoryGroups(sql, directory.value.id, sql`true`, positionOf(page)),
  );
  return ok({ ...page, total: listed.total, items: await withCounts(deps, listed.items) });
}

async function withCounts(
  deps: Pick<SessionDeps, "database">,
  groups: readonly DirectoryGroup[],
): Promise<ListedGroup[]> {
  const ids = groups.map(({ id }) => id);
  const counts = await deps.database.run("directory_group.count_members", (sql) => countGroupMembers(sql, ids));
  return groups.map((group) => ({ ...group, memberCount: counts.get(group.id) ?? 0 }));
}

/** GET /v1/orgs/:org_id/directory/users. */
export async function listUsers(
  deps: Pick<SessionDeps, "database">,
  { caller, page }: ListInput,
): Promise<Result<Listing<DirectoryUser>, Refusal<"not_found">>> {
  const directory = await readDirectory(deps, caller);
  if (!directory.ok) return directory;
  const listed = await deps.database.run("directory_user.list", (sql) =>
    listDirectoryUsers(sql, directory.value.id, sql`true`, positionOf(page)),
  );
  return ok({ ...page, ...listed });
}

/** GET /v1/orgs/:org_id/directory/requests. */
export async function listRequests(
  deps: Pick<SessionDeps, "database">,
  { caller, page }: ListInput,
): Promise<Result<Listing<RefusedRequest>, Refusal<"not_found">>> {
  const directory = await readDirectory(deps, caller);
  if (!directory.ok) return directory;
  const listed = await deps.database.run("directory_request.list", (sql) =>
    listRefusedRequests(sql, directory.value.id, pageBounds(page)),
  );
  return ok({ ...page, ...listed });
}

function positionOf(page: Page) {
  const { limit, offset } = pageBounds(page);
  return { method: "index", startIndex: offset + 1, count: limit } as const;
}
