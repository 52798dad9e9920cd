import { Type } from "@sinclair/typebox";
import { CHECKED_PERMISSIONS_MAX, PERMISSIONS_PER_ROLE_MAX, ROLES_PER_MEMBER_MAX } from "../../limits/role-limits.ts";
import { ConfirmChannels, name, nullable, oneOf, Timestamp, text, Uuid } from "./common.ts";

const key = text("auditor", "unique in the organization and among the templates: `^[a-z][a-z0-9_-]{1,39}$`");
const displayedName = name("Auditor", "displayed name");
const description = text("Reads the audit trail", "a line for administrators; empty: no description");
const permissions = Type.Array(Type.String(), {
  documented: { maxItems: PERMISSIONS_PER_ROLE_MAX },
  description: "built-in permissions and permissions of registered APIs",
  examples: [["audit.read", "members.list"]],
});

export const RoleItem = Type.Object(
  {
    id: Uuid,
    organization_id: nullable(Uuid, { description: "null: a template of the platform" }),
    key,
    name: displayedName,
    description,
    permissions,
    member_count: Type.Optional(Type.Integer({ description: "in lists: members with the role", examples: [3] })),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "OrganizationRole" },
);

export const CreateRoleBody = Type.Object(
  { key, name: displayedName, description: Type.Optional(description), permissions },
  { $id: "CreateOrganizationRole" },
);

export const ChangeRoleBody = Type.Object(
  {
    name: Type.Optional(displayedName),
    description: Type.Optional(description),
    permissions: Type.Optional(permissions),
    confirm: ConfirmChannels,
  },
  { $id: "ChangeOrganizationRole" },
);

const reassign = Type.Boolean({ description: "removes the role from members and invitations", examples: [true] });
export const DeleteRoleBody = Type.Object({ reassign: Type.Optional(reassign) }, { $id: "DeleteOrganizationRole" });

export const AssignedRoleItem = Type.Object(
  {
    id: Uuid,
    key,
    name: displayedName,
    source: oneOf(["manual", "sso", "directory", "group"], { description: "the origin of the assignment" }),
  },
  { $id: "AssignedRole" },
);

export const RoleIds = Type.Array(Uuid, {
  documented: { maxItems: ROLES_PER_MEMBER_MAX },
  description: "ids of roles of the organization, or of templates",
});
export const AssignRolesBody = Type.Object({ role_ids: RoleIds, confirm: ConfirmChannels }, { $id: "AssignRoles" });

export const CheckPermissionsBody = Type.Object(
  {
    user_id: Type.Optional({ ...Uuid, description: "a member, with `members.list`; default: the caller" }),
    permissions: Type.Array(Type.String(), {
      documented: { minItems: 1, maxItems: CHECKED_PERMISSIONS_MAX },
      examples: [["invoices.approve"]],
    }),
  },
  { $id: "CheckPermissions" },
);

export const CheckedPermissions = Type.Object(
  {
    allowed: Type.Record(Type.String(), Type.Boolean(), {
      description: "every requested permission",
      examples: [{ "invoices.approve": true }],
    }),
  },
  { $id: "CheckedPermissions" },
);
