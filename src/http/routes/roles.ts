import type { Static } from "@sinclair/typebox";
import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import { createRole, listUsableRoles, removeRole, updateRoleSettings } from "../../flows/roles/administer-roles.ts";
import { assignRoles } from "../../flows/roles/assign-roles.ts";
import { checkPermissions } from "../../flows/roles/check-permissions.ts";
import type { RoleDeps } from "../../flows/roles/role-owner.ts";
import {
  authorizeKey,
  authorizeMember,
  type OrganizationCaller,
} from "../../flows/steps/authorization/authorize-member.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import { authorizeSteppedUpPlatform } from "../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import type { OrganizationRole } from "../../models/organization-role/organization-role.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { memberBody } from "../organizations/team-bodies.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import {
  AssignRolesBody,
  ChangeRoleBody,
  CheckedPermissions,
  CheckPermissionsBody,
  CreateRoleBody,
  DeleteRoleBody,
  RoleItem,
} from "../schemas/roles.ts";
import { MemberItem } from "../schemas/team.ts";

const tag = "Members";

/** docs/contract.md, sections 32.4 to 32.7. */
export function roleRoutes(deps: RoleDeps): Endpoint[] {
  return [...listRoutes(deps), ...changeRoutes(deps), ...memberRoutes(deps), ...templateRoutes(deps)];
}

const PATH = "/orgs/:org_id/roles";
const TEMPLATES = "/admin/roles";

function listRoutes(deps: RoleDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: PATH,
      operationId: "listRoles",
      docs: { clientMethod: "roles.list", section: "32.4" },
      tag,
      summary: "List the roles of an organization, and the templates",
      auth: "administrative",
      permission: "members.list",
      input: { query: PageQuery },
      responses: { 200: { description: "Own roles by key, then the templates", schema: listOf(RoleItem) } },
      problems: ["not_found", "forbidden", "payment_required"],
      authorize: (caller, { org_id }, permission) => authorizeRoles(deps, caller, org_id, permission),
      async handle({ params, query }) {
        const page = clampPage(query.page, query.page_size);
        return ok(listReply(await listUsableRoles(deps, params.org_id, page), roleBody));
      },
    }),
    endpoint({
      method: "POST",
      path: PATH,
      operationId: "createRole",
      docs: { clientMethod: "roles.create", section: "32.4" },
      stepUp: "grants_power",
      tag,
      summary: "Create a role of an organization",
      description: "The role has no permission that the caller lacks.",
      auth: "administrative",
      permission: "roles.manage",
      input: { body: CreateRoleBody },
      responses: { 201: { description: "Created", schema: RoleItem } },
      problems: ["not_found", "forbidden", "payment_required", "conflict"],
      authorize: (caller, { org_id }, permission) => authorizeRoles(deps, caller, org_id, permission),
      async handle({ authorized: caller, body, client }) {
        const settings = { description: "", ...body };
        const created = await createRole(deps, { owner: { kind: "organization", caller }, client, settings });
        return created.ok ? ok(reply(201, roleBody(created.value))) : created;
      },
    }),
  ];
}

function changeRoutes(deps: RoleDeps): Endpoint[] {
  return [
    endpoint({
      method: "PATCH",
      path: `${PATH}/:id`,
      operationId: "changeRole",
      version: { of: "role", by: "id" },
      docs: { clientMethod: "roles.change", section: "32.4" },
      stepUp: "grants_power",
      tag,
      summary: "Change a role of an organization",
      description: "Holders have the new permissions within a second. A caller cannot change a role of the caller.",
      auth: "administrative",
      permission: "roles.manage",
      input: { body: ChangeRoleBody },
      responses: { 200: { description: "The role", schema: RoleItem } },
      problems: ["not_found", "forbidden", "payment_required", "conflict"],
      authorize: (caller, { org_id }, permission) => authorizeRoles(deps, caller, org_id, permission),
      async handle({ authorized: caller, params: { id }, body: { confirm, ...body }, client }) {
        const owner = { kind: "organization", caller } as const;
        const input = { owner, client, id, change: presentIn(body), confirm } as const;
        const changed = await updateRoleSettings(deps, input);
        return changed.ok ? ok(reply(200, roleBody(changed.value))) : changed;
      },
    }),
    endpoint({
      method: "DELETE",
      path: `${PATH}/:id`,
      operationId: "deleteRole",
      version: { of: "role", by: "id" },
      docs: { clientMethod: "roles.delete", section: "32.4" },
      tag,
      summary: "Delete a role of an organization",
      description: "Refused with 409 while a member has the role, unless `reassign` is true.",
      auth: "administrative",
      permission: "roles.manage",
      input: { body: DeleteRoleBody, malformedBody: "empty" },
      responses: { 204: { description: "Deleted" } },
      problems: ["not_found", "forbidden", "payment_required", "conflict"],
      authorize: (caller, { org_id }, permission) => authorizeRoles(deps, caller, org_id, permission),
      async handle({ authorized: caller, params: { id }, body: { reassign = false }, client }) {
        const removed = await removeRole(deps, { owner: { kind: "organization", caller }, client, id, reassign });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}

function memberRoutes(deps: RoleDeps): Endpoint[] {
  return [
    endpoint({
      method: "PUT",
      path: "/orgs/:org_id/members/:user_id/roles",
      operationId: "assignMemberRoles",
      docs: { clientMethod: "roles.assign", section: "32.6" },
      stepUp: "grants_power",
      stepUpFor: ({ role_ids }) => role_ids.length > 0,
      tag,
      summary: "Replace the additional roles of a member",
      description: "Roles from other sources stay. A caller assigns and removes roles up to the caller's permissions.",
      auth: "administrative",
      permission: "members.role",
      input: { body: AssignRolesBody },
      responses: { 200: { description: "The updated member", schema: MemberItem } },
      problems: ["not_found", "forbidden", "payment_required", "conflict"],
      authorize: (caller, { org_id }, permission) => authorizeRoles(deps, caller, org_id, permission),
      async handle({ authorized: caller, params, body, client }) {
        const { role_ids: roleIds, confirm } = body;
        const input = { caller, userId: params.user_id, roleIds, confirm, client };
        const member = await assignRoles(deps, input);
        return member.ok ? ok(reply(200, memberBody(deps.config, member.value))) : member;
      },
    }),
    endpoint({
      method: "POST",
      path: "/orgs/:org_id/permissions/check",
      operationId: "checkPermissions",
      session: { servesWithout: "self" },
      docs: { clientMethod: "permissions.check", section: "32.7", access: "caller" },
      tag,
      summary: "Check permissions of the caller or of a member",
      description: "The permissions of a member need `members.list`.",
      auth: "administrative",
      permission: "members.list",
      limits: { countsCaller: false },
      input: { body: CheckPermissionsBody },
      responses: { 200: { description: "The result for every permission", schema: CheckedPermissions } },
      problems: ["not_found", "forbidden"],
      async authorize(caller, { org_id }) {
        if (caller.via === "key") return await authorizeKey(deps, caller.key, org_id);
        const member = await authorizeMember(deps, caller.session, org_id);
        return member.ok ? ok<OrganizationCaller>(member.value) : member;
      },
      async handle({ authorized: caller, body }) {
        const input = { caller, userId: body.user_id?.toLowerCase(), permissions: body.permissions };
        const checked = await checkPermissions(deps, input);
        return checked.ok ? ok(reply(200, { allowed: Object.fromEntries(checked.value) })) : checked;
      },
    }),
  ];
}

function templateRoutes(deps: RoleDeps): Endpoint[] {
  const shared = { tag: "Platform administration", auth: "administrative" } as const;
  return [
    endpoint({
      ...shared,
      method: "GET",
      path: TEMPLATES,
      operationId: "listRoleTemplates",
      permission: "role_templates.read",
      docs: { clientMethod: "roles.templates.list", section: "32.4" },
      summary: "List the templates of roles",
      input: { query: PageQuery },
      responses: { 200: { description: "By key", schema: listOf(RoleItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ query }) {
        const page = clampPage(query.page, query.page_size);
        return ok(listReply(await listUsableRoles(deps, null, page), roleBody));
      },
    }),
    endpoint({
      ...shared,
      method: "POST",
      path: TEMPLATES,
      operationId: "createRoleTemplate",
      permission: "role_templates.write",
      docs: { clientMethod: "roles.templates.create", section: "32.4" },
      stepUp: "grants_power",
      summary: "Create a template, which every organization can use",
      input: { body: CreateRoleBody },
      responses: { 201: { description: "Created", schema: RoleItem } },
      problems: ["forbidden", "mfa_required", "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, body, client }) {
        const settings = { description: "", ...body };
        const created = await createRole(deps, { owner: { kind: "platform", caller }, client, settings });
        return created.ok ? ok(reply(201, roleBody(created.value))) : created;
      },
    }),
    endpoint({
      ...shared,
      method: "PATCH",
      path: `${TEMPLATES}/:id`,
      operationId: "changeRoleTemplate",
      version: { of: "role", by: "id" },
      permission: "role_templates.write",
      docs: { clientMethod: "roles.templates.change", section: "32.4" },
      stepUp: "grants_power",
      summary: "Change a template",
      input: { body: ChangeRoleBody },
      responses: { 200: { description: "The template", schema: RoleItem } },
      problems: ["forbidden", "mfa_required", "not_found", "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params: { id }, body: { confirm: _, ...body }, client }) {
        const input = { owner: { kind: "platform", caller }, client, id, change: presentIn(body) } as const;
        const changed = await updateRoleSettings(deps, input);
        return changed.ok ? ok(reply(200, roleBody(changed.value))) : changed;
      },
    }),
    endpoint({
      ...shared,
      method: "DELETE",
      path: `${TEMPLATES}/:id`,
      operationId: "deleteRoleTemplate",
      version: { of: "role", by: "id" },
      permission: "role_templates.write",
      docs: { clientMethod: "roles.templates.delete", section: "32.4", access: "platform admin, step-up" },
      summary: "Delete a template",
      description: "Refused with 409 while a member has the role, unless `reassign` is true.",
      input: { body: DeleteRoleBody, malformedBody: "empty" },
      responses: { 204: { description: "Deleted" } },
      problems: ["forbidden", "mfa_required", "not_found", "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params: { id }, body: { reassign = false }, client }) {
        const removed = await removeRole(deps, { owner: { kind: "platform", caller }, client, id, reassign });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}

/** The present members of a body. */
function presentIn({ name, description, permissions }: Static<typeof ChangeRoleBody>) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(permissions === undefined ? {} : { permissions }),
  };
}

function roleBody({ memberCount, ...role }: OrganizationRole & { readonly memberCount?: number }) {
  return {
    id: role.id,
    organization_id: role.organizationId,
    key: role.key,
    name: role.name,
    description: role.description,
    permissions: [...role.permissions],
    ...(memberCount === undefined ? {} : { member_count: memberCount }),
    created_at: role.createdAt.toISOString(),
    updated_at: role.updatedAt.toISOString(),
  };
}
