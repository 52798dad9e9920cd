import type { Static } from "@sinclair/typebox";
import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { EmailDeps, SessionDeps } from "../../deps.ts";
import { changeGroupMember, type GroupMemberChange } from "../../flows/groups/change-group-members.ts";
import { changeGroup, createGroup, type GroupSettings, removeGroup } from "../../flows/groups/edit-group.ts";
import { findMemberGroup, listMemberGroups, listMembersOfGroup } from "../../flows/groups/list-groups.ts";
import type { Principal } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import type { GroupMember, ListedGroup } from "../../models/member-group/member-group.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { AddGroupMemberBody, ChangeGroupBody, CreateGroupBody, GroupItem, GroupMemberItem } from "../schemas/groups.ts";

const PATH = "/orgs/:org_id/groups";
const ITEM = `${PATH}/:id` as const;
const MEMBER = `${ITEM}/members/:user_id` as const;
const shared = { tag: "Members", auth: "administrative" } as const;
const problems = ["not_found", "forbidden", "payment_required"] as const;

type OrganizationPath = { readonly org_id: string };

function authorizeBy(deps: SessionDeps) {
  return (caller: Principal, { org_id }: OrganizationPath, permission: "members.list" | "members.role") =>
    authorizeRoles(deps, caller, org_id, permission);
}

/** docs/contract.md, section 34.1. */
export function groupRoutes(deps: SessionDeps & EmailDeps): Endpoint[] {
  return [...readRoutes(deps), ...createRoutes(deps), ...changeRoutes(deps), ...memberRoutes(deps)];
}

function readRoutes(deps: SessionDeps): Endpoint[] {
  const read = {
    ...shared,
    method: "GET",
    permission: "members.list",
    authorize: authorizeBy(deps),
    problems,
  } as const;
  return [
    endpoint({
      ...read,
      path: PATH,
      operationId: "listGroups",
      docs: { clientMethod: "groups.list", section: "34.1" },
      summary: "List the groups of an organization",
      input: { query: PageQuery },
      responses: {
        200: { description: "Manual groups and groups of the directory, by name", schema: listOf(GroupItem) },
      },
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        return ok(listReply(await listMemberGroups(deps, { caller, page }), groupBody));
      },
    }),
    endpoint({
      ...read,
      path: ITEM,
      operationId: "getGroup",
      docs: { clientMethod: "groups.get", section: "34.1" },
      summary: "Get a group of an organization",
      responses: { 200: { description: "The group", schema: GroupItem } },
      async handle({ authorized: caller, params }) {
        const group = await findMemberGroup(deps, caller, params.id);
        return group.ok ? ok(reply(200, groupBody(group.value))) : group;
      },
    }),
    endpoint({
      ...read,
      path: `${ITEM}/members`,
      operationId: "listGroupMembers",
      docs: { clientMethod: "groups.members", section: "34.1" },
      summary: "List the members of a group",
      input: { query: PageQuery },
      responses: { 200: { description: "By address", schema: listOf(GroupMemberItem) } },
      async handle({ authorized: caller, params, query }) {
        const page = clampPage(query.page, query.page_size);
        const members = await listMembersOfGroup(deps, { caller, id: params.id, page });
        return members.ok ? ok(listReply(members.value, groupMemberBody)) : members;
      },
    }),
  ];
}

function createRoutes(deps: SessionDeps): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: "POST",
      path: PATH,
      operationId: "createGroup",
      docs: { clientMethod: "groups.create", section: "34.1" },
      stepUp: "grants_power",
      stepUpFor: ({ role_ids = [] }) => role_ids.length > 0,
      summary: "Create a group of members",
      description: "The group grants no role with a permission that the caller lacks.",
      permission: "members.role",
      input: { body: CreateGroupBody },
      responses: { 201: { description: "Created", schema: GroupItem } },
      problems: [...problems, "conflict"],
      authorize: authorizeBy(deps),
      async handle({ authorized: caller, body, client }) {
        const { name, description = "", role_ids: roleIds = [] } = body;
        const created = await createGroup(deps, { caller, client, settings: { name, description, roleIds } });
        return created.ok ? ok(reply(201, groupBody(created.value))) : created;
      },
    }),
  ];
}

function changeRoutes(deps: SessionDeps & EmailDeps): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: "PATCH",
      path: ITEM,
      operationId: "changeGroup",
      version: { of: "group", by: "id" },
      docs: { clientMethod: "groups.change", section: "34.1" },
      stepUp: "grants_power",
      stepUpFor: ({ role_ids = [] }) => role_ids.length > 0,
      summary: "Change a group of members",
      description: "Members have the new roles within a second. A group of the directory is 409.",
      permission: "members.role",
      input: { body: ChangeGroupBody },
      responses: { 200: { description: "The group", schema: GroupItem } },
      problems: [...problems, "conflict"],
      authorize: authorizeBy(deps),
      async handle({ authorized: caller, params: { id }, body, client }) {
        const { confirm, ...change } = body;
        const changed = await changeGroup(deps, { caller, client, id, change: presentIn(change), confirm });
        return changed.ok ? ok(reply(200, groupBody(changed.value))) : changed;
      },
    }),
    endpoint({
      ...shared,
      method: "DELETE",
      path: ITEM,
      operationId: "deleteGroup",
      version: { of: "group", by: "id" },
      docs: { clientMethod: "groups.delete", section: "34.1" },
      summary: "Delete a group of members",
      description: "Members lose the roles of the group within a second. A group of the directory is 409.",
      permission: "members.role",
      responses: { 204: { description: "Deleted" } },
      problems: [...problems, "conflict"],
      authorize: authorizeBy(deps),
      async handle({ authorized: caller, params: { id }, client }) {
        const removed = await removeGroup(deps, { caller, client, id });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}

function memberRoutes(deps: SessionDeps & EmailDeps): Endpoint[] {
  const change = { ...shared, path: MEMBER, permission: "members.role", authorize: authorizeBy(deps) } as const;
  const changeMember = async (member: GroupMemberChange) => {
    const changed = await changeGroupMember(deps, member);
    return changed.ok ? ok(emptyReply(204)) : changed;
  };
  return [
    endpoint({
      ...change,
      method: "PUT",
      operationId: "addGroupMember",
      docs: { clientMethod: "groups.addMember", section: "34.1" },
      stepUp: "grants_power",
      summary: "Add a member to a group",
      responses: { 204: { description: "Added, now or before" } },
      input: { body: AddGroupMemberBody },
      problems: [...problems, "conflict"],
      handle: ({ authorized: caller, params, body: { confirm }, client }) =>
        changeMember({ caller, groupId: params.id, userId: params.user_id, kind: "add", confirm, client }),
    }),
    endpoint({
      ...change,
      method: "DELETE",
      operationId: "removeGroupMember",
      docs: { clientMethod: "groups.removeMember", section: "34.1" },
      summary: "Remove a member from a group",
      responses: { 204: { description: "Removed, now or before" } },
      problems: [...problems, "conflict"],
      handle: ({ authorized: caller, params, client }) =>
        changeMember({ caller, groupId: params.id, userId: params.user_id, kind: "remove", client }),
    }),
  ];
}

/** The present members of a body. */
function presentIn({ name, description, role_ids }: Static<typeof ChangeGroupBody>): Partial<GroupSettings> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(role_ids === undefined ? {} : { roleIds: role_ids }),
  };
}

function groupBody(group: ListedGroup) {
  return {
    id: group.id,
    organization_id: group.organizationId,
    source: group.source,
    name: group.name,
    description: group.description,
    roles: group.roles.map((role) => ({ ...role })),
    member_count: group.memberCount,
    created_at: group.createdAt.toISOString(),
    updated_at: group.updatedAt.toISOString(),
  };
}

function groupMemberBody({ userId, email, displayName, addedAt }: GroupMember) {
  return { user_id: userId, email, display_name: displayName, added_at: addedAt.toISOString() };
}
