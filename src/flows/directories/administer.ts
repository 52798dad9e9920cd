/** The directory of an organization, for its administrators (docs/contract.md, section 31.2). */
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import { lockName } from "../../database/statement.ts";
import type { EmailDeps, SessionDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { type Directory, findDirectory, lockDirectory, saveDirectory } from "../../models/directory/directory.ts";
import { countGroupMembers, type DirectoryGroup, listDirectoryGroups } from "../../models/directory/directory-group.ts";
import { type DirectoryUser, listDirectoryUsers } from "../../models/directory/directory-user.ts";
import { listRefusedRequests, type RefusedRequest } from "../../models/directory/refused-request.ts";
import { listRolesOfDirectoryGroups, type RoleOfGroup } from "../../models/member-group/group-roles.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import type { AuditAction } from "../../vocabulary/audit-action.ts";
import type { DirectorySettings } from "../../vocabulary/directory-settings.ts";
import { isAtLeast } from "../../vocabulary/member-power.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { lockCaller, lockEditor, ROLE_ABOVE_CALLER } from "../steps/authorization/authorize-role-edit.ts";
import { authorizeGrant } from "../steps/channels/authorize-grant.ts";
import { channelMetadata, notifyConfirmation } from "../steps/channels/notify-grant.ts";
import { changeRolesByGroups, withinEditor } from "./change-roles.ts";

export interface AdministerInput {
  readonly caller: OrganizationCaller;
  readonly client: RequestContext;
}

/** Events to announce after the commit. */
type Announced = readonly SessionEvent[];

export const NO_DIRECTORY = refusal("not_found", "The organization has no directory.");
export const NO_SUCH_DIRECTORY_GROUP = refusal("not_found", "The directory has no such group.");

/** GET /v1/orgs/:org_id/directory. */
export async function readDirectory(
  deps: Pick<SessionDeps, "database">,
  { organizationId }: Pick<OrganizationCaller, "organizationId">,
): Promise<Result<Directory, Refusal<"not_found">>> {
  const directory = await deps.database.run("directory.find", (sql) => findDirectory(sql, organizationId));
  return directory ? ok(directory) : err(NO_DIRECTORY);
}

/** PUT /v1/orgs/:org_id/directory: creates the directory or replaces the settings. Roles follow the new settings. */
export async function putDirectory(
  deps: SessionDeps & EmailDeps,
  {
    caller,
    client,
    settings,
    confirm = false,
  }: AdministerInput & { readonly settings: DirectorySettings; readonly confirm?: boolean | undefined },
): Promise<Result<Directory, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const { organizationId, actor } = caller;
  const at = new Date(deps.clock.now());
  const saved = await withinEditor<Announced, Refusal<"conflict" | "forbidden">>(
    deps,
    "directory.save",
    async (sql) => {
      await lockName(sql, `directory of ${organizationId}`);
      const before = await lockDirectory(sql, organizationId);
      const lock = { caller, roleIds: [], permission: "directory.manage" } as const;
      // A set-up link creates a directory without a membership, and changes none.
      const editor = before ? await lockEditor(sql, lock) : await lockCaller(sql, caller, "directory.manage");
      if (!editor.ok) return editor;
      const defaults = [before?.defaultRole ?? settings.defaultRole, settings.defaultRole];
      if (!defaults.every((role) => isAtLeast(editor.value.role, role))) return err(ROLE_ABOVE_CALLER);
      const id = before?.id ?? deps.random.uuid();
      const fields = before ? changedSettings(before, settings) : [];
      if (before && fields.length === 0) return ok([]);
      const isRaised = settings.defaultRole === "admin" && before?.defaultRole !== "admin";
      const powers = isRaised ? [{ role: settings.defaultRole, granted: [] }] : [];
      const request = { organizationId, grant: "directory_default", powers, at } as const;
      const granted = await authorizeGrant(sql, request, confirm);
      if (!granted.ok) return granted;
      const resource = { type: "directory", id } as const;
      const action = actionOf(before, settings);
      const entry = userAuditEvent(deps, actor, client, {
        action,
        at,
        resource,
        metadata: { fields: fields.join(" "), ...channelMetadata(granted.value) },
      });
      await sql`
      with saved as (${saveDirectory(sql, id, organizationId, settings, at)})
      ${insertAudit(sql, entry, sql`from saved`)}`;
      await notifyConfirmation(deps, sql, { organizationId, channels: granted.value, client, at });
      const directory = await lockDirectory(sql, organizationId);
      // A new directory changes no role.
      if (!before || !directory) return ok([]);
      const changes = { directory, recordIds: null, actor, client, editor: editor.value };
      return ok(await changeRolesByGroups(deps, sql, changes));
    },
  );
  if (!saved.ok) return saved;
  deps.outbox.wake();
  await deps.revocations.announce(saved.value);
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

export interface ListedGroup extends DirectoryGroup {
  readonly memberCount: number;
  /** Additional roles that the group grants, by key. */
  readonly roles: readonly RoleOfGroup[];
}

interface ListInput {
  readonly caller: Pick<OrganizationCaller, "organizationId">;
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
    listDirectoryGroups(sql, directory.value.id, undefined, positionOf(page)),
  );
  return ok({ ...page, total: listed.total, items: await withCounts(deps, listed.items) });
}

/** Adds the number of members and the additional roles. */
export async function withCounts(
  deps: Pick<SessionDeps, "database">,
  groups: readonly DirectoryGroup[],
): Promise<ListedGroup[]> {
  const ids = groups.map(({ id }) => id);
  const [counts, roles] = await Promise.all([
    deps.database.run("directory_group.count_members", (sql) => countGroupMembers(sql, ids)),
    deps.database.run("directory_group.list_roles", (sql) => listRolesOfDirectoryGroups(sql, ids)),
  ]);
  return groups.map((group) => ({
    ...group,
    memberCount: counts.get(group.id) ?? 0,
    roles: roles.filter(({ groupId }) => groupId === group.id),
  }));
}

/** GET /v1/orgs/:org_id/directory/users. */
export async function listUsers(
  deps: Pick<SessionDeps, "database">,
  { caller, page }: ListInput,
): Promise<Result<Listing<DirectoryUser>, Refusal<"not_found">>> {
  const directory = await readDirectory(deps, caller);
  if (!directory.ok) return directory;
  const listed = await deps.database.run("directory_user.list", (sql) =>
    listDirectoryUsers(sql, directory.value.id, undefined, positionOf(page), { hasGroups: false }),
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
