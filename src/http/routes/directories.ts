import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, EmailDeps, SessionDeps } from "../../deps.ts";
import {
  type ListedGroup,
  listGroups,
  listRequests,
  listUsers,
  putDirectory,
  readDirectory,
} from "../../flows/directories/administer.ts";
import { mapGroupRole } from "../../flows/directories/map-group.ts";
import { removeDirectory } from "../../flows/directories/remove-directory.ts";
import {
  authorizeDirectoryManager,
  authorizeDirectoryReader,
} from "../../flows/steps/authorization/authorize-directory-manager.ts";
import type { Principal } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { DIRECTORY_DELETION_IDLE_SECONDS } from "../../limits/directory-limits.ts";
import type { Directory } from "../../models/directory/directory.ts";
import type { DirectoryUser } from "../../models/directory/directory-user.ts";
import type { RefusedRequest } from "../../models/directory/refused-request.ts";
import { DEFAULT_DIRECTORY } from "../../vocabulary/directory-settings.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { readVersion } from "../read-version.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf } from "../schemas/common.ts";
import {
  DirectoryGroupItem,
  DirectoryItem,
  DirectoryQuery,
  DirectoryRequestItem,
  DirectoryUserItem,
  MapGroupBody,
  PutDirectoryBody,
} from "../schemas/directories.ts";

type DirectoryRouteDeps = SessionDeps & EmailDeps & Pick<Deps, "directoryRequests">;

const PATH = "/orgs/:org_id/directory";
const shared = { tag: "Directories", auth: "administrative", permission: "directory.manage" } as const;

type OrganizationPath = { readonly org_id: string };

function authorizations(deps: SessionDeps) {
  return {
    reader: (caller: Principal, { org_id }: OrganizationPath) => authorizeDirectoryReader(deps, caller, org_id),
    manager: (caller: Principal, { org_id }: OrganizationPath) => authorizeDirectoryManager(deps, caller, org_id),
  };
}

/** docs/contract.md, section 31.2. */
export function directoryRoutes(deps: DirectoryRouteDeps): Endpoint[] {
  return [...settingsRoutes(deps), ...contentRoutes(deps)];
}

function settingsRoutes(deps: DirectoryRouteDeps): Endpoint[] {
  const { reader, manager } = authorizations(deps);
  return [
    endpoint({
      ...shared,
      method: "GET",
      path: PATH,
      operationId: "getDirectory",
      docs: { clientMethod: "directory.get", section: "31.2" },
      summary: "Get the directory of an organization",
      responses: { 200: { description: "The directory", schema: DirectoryItem } },
      problems: ["not_found", "forbidden", "payment_required"],
      authorize: reader,
      async handle({ authorized: caller }) {
        const directory = await readDirectory(deps, caller);
        return directory.ok ? ok(reply(200, directoryBody(deps, directory.value))) : directory;
      },
    }),
    endpoint({
      ...shared,
      method: "PUT",
      path: PATH,
      operationId: "putDirectory",
      docs: { clientMethod: "directory.replace", section: "31.2" },
      stepUp: "grants_power",
      summary: "Create the directory of an organization, or replace its settings",
      description: "An absent member has the default. The credential is an API key with the scope `scim.write`.",
      input: { body: PutDirectoryBody },
      responses: { 200: { description: "The directory", schema: DirectoryItem } },
      problems: ["not_found", "forbidden", "payment_required", "mfa_required", "conflict"],
      authorize: manager,
      async handle({ authorized: caller, body, client }) {
        const settings = {
          status: body.status ?? DEFAULT_DIRECTORY.status,
          defaultRole: body.default_role ?? DEFAULT_DIRECTORY.defaultRole,
          outsideDomains: body.outside_domains ?? DEFAULT_DIRECTORY.outsideDomains,
          roleSource: body.role_source ?? DEFAULT_DIRECTORY.roleSource,
        };
        const saved = await putDirectory(deps, { caller, client, settings, confirm: body.confirm });
        return saved.ok ? ok(reply(200, directoryBody(deps, saved.value))) : saved;
      },
    }),
    endpoint({
      ...shared,
      method: "DELETE",
      path: PATH,
      operationId: "deleteDirectory",
      docs: { clientMethod: "directory.delete", section: "31.2" },
      summary: "Delete the directory of an organization",
      description: "Refused with 409 while the directory is active. Members remain.",
      responses: { 204: { description: "Deleted" } },
      problems: ["not_found", "forbidden", "payment_required", "mfa_required", "conflict"],
      authorize: manager,
      async handle({ authorized: caller, client, waitAtMost }) {
        waitAtMost(DIRECTORY_DELETION_IDLE_SECONDS);
        const deleted = await removeDirectory(deps, { caller, client });
        return deleted.ok ? ok(emptyReply(204)) : deleted;
      },
    }),
  ];
}

function contentRoutes(deps: SessionDeps & EmailDeps): Endpoint[] {
  const { reader, manager } = authorizations(deps);
  const list = {
    ...shared,
    method: "GET",
    input: { query: DirectoryQuery },
    authorize: reader,
  } as const;
  return [
    endpoint({
      ...list,
      path: `${PATH}/users`,
      operationId: "listDirectoryUsers",
      docs: { clientMethod: "directory.users", section: "31.2" },
      summary: "List the users of a directory",
      responses: { 200: { description: "In the order of the ids", schema: listOf(DirectoryUserItem) } },
      problems: ["not_found", "forbidden", "payment_required"],
      async handle({ authorized: caller, query }) {
        const listing = await listUsers(deps, { caller, page: clampPage(query.page, query.page_size) });
        return listing.ok ? ok(listReply(listing.value, directoryUserBody)) : listing;
      },
    }),
    endpoint({
      ...list,
      path: `${PATH}/groups`,
      operationId: "listDirectoryGroups",
      docs: { clientMethod: "directory.groups", section: "31.2" },
      summary: "List the groups of a directory",
      responses: { 200: { description: "In the order of the ids", schema: listOf(DirectoryGroupItem) } },
      problems: ["not_found", "forbidden", "payment_required"],
      async handle({ authorized: caller, query }) {
        const listing = await listGroups(deps, { caller, page: clampPage(query.page, query.page_size) });
        return listing.ok ? ok(listReply(listing.value, directoryGroupBody)) : listing;
      },
    }),
    endpoint({
      ...shared,
      method: "PATCH",
      path: `${PATH}/groups/:id`,
      operationId: "mapDirectoryGroup",
      docs: { clientMethod: "directory.mapGroup", section: "31.2" },
      stepUp: "grants_power",
      summary: "Set the roles that a group of a directory grants",
      description: "The members of the group have the roles at once. Owners keep their built-in role.",
      input: { body: MapGroupBody },
      responses: { 200: { description: "The group", schema: DirectoryGroupItem } },
      problems: ["not_found", "forbidden", "payment_required", "mfa_required", "conflict"],
      authorize: manager,
      async handle({ authorized: caller, params, body, client }) {
        const { role, role_ids: roleIds } = body;
        const version = readVersion(body.updated_at);
        if (!version.ok) return version;
        const mapping = { groupId: params.id, role, ...(roleIds === undefined ? {} : { roleIds }) };
        const mapped = await mapGroupRole(deps, {
          caller,
          client,
          confirm: body.confirm,
          version: version.value,
          ...mapping,
        });
        return mapped.ok ? ok(reply(200, directoryGroupBody(mapped.value))) : mapped;
      },
    }),
    endpoint({
      ...list,
      path: `${PATH}/requests`,
      operationId: "listDirectoryRequests",
      docs: { clientMethod: "directory.requests", section: "31.2" },
      summary: "List the refused requests of a directory",
      responses: { 200: { description: "Newest first, for 30 days", schema: listOf(DirectoryRequestItem) } },
      problems: ["not_found", "forbidden", "payment_required"],
      async handle({ authorized: caller, query }) {
        const listing = await listRequests(deps, { caller, page: clampPage(query.page, query.page_size) });
        return listing.ok ? ok(listReply(listing.value, directoryRequestBody)) : listing;
      },
    }),
  ];
}

function directoryBody({ config }: SessionDeps, directory: Directory) {
  const { publicBaseUrl, routePrefix } = config.urls;
  return {
    id: directory.id,
    organization_id: directory.organizationId,
    status: directory.status,
    default_role: directory.defaultRole,
    outside_domains: directory.outsideDomains,
    role_source: directory.roleSource,
    base_url: `${publicBaseUrl}${routePrefix}/scim/v2`,
    last_request_at: directory.lastRequestAt?.toISOString() ?? null,
    revision: directory.revision,
    created_at: directory.createdAt.toISOString(),
    updated_at: directory.updatedAt.toISOString(),
  };
}

function directoryUserBody({ id, document, externalId, active, link, userId, updatedAt }: DirectoryUser) {
  return {
    id,
    user_name: document.userName,
    external_id: externalId,
    active,
    link,
    user_id: userId,
    updated_at: updatedAt.toISOString(),
  };
}

function directoryGroupBody({ id, displayName, externalId, role, roles, memberCount, updatedAt }: ListedGroup) {
  return {
    id,
    display_name: displayName,
    external_id: externalId,
    role,
    roles: roles.map((each) => ({ id: each.id, key: each.key, name: each.name })),
    member_count: memberCount,
    updated_at: updatedAt.toISOString(),
  };
}

function directoryRequestBody({ at, method, path, status, scimType, detail, requestId }: RefusedRequest) {
  return { at: at.toISOString(), method, path, status, scim_type: scimType, detail, request_id: requestId };
}
