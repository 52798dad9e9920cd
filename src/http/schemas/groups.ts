import { Type } from "@sinclair/typebox";
import { ConfirmChannels, EmailAddress, name, nullable, oneOf, Timestamp, text, Uuid } from "./common.ts";
import { RoleIds } from "./roles.ts";

const displayedName = name("Engineers", "unique in the organization, in any case");
const description = text("Developers of the product", "a line for administrators; empty: no description");
const roleIds = { ...RoleIds, description: "ids of the roles that the group grants to its members; at most 10" };

export const GroupRoleItem = Type.Object(
  { id: Uuid, key: text("auditor"), name: text("Auditor") },
  { $id: "GroupRole" },
);

export const GroupItem = Type.Object(
  {
    id: Uuid,
    organization_id: Uuid,
    source: oneOf(["manual", "directory"], {
      description: "`directory`: the directory of the organization manages the group",
      examples: ["manual"],
    }),
    name: displayedName,
    description,
    roles: Type.Array(GroupRoleItem, { description: "granted to the members of the group" }),
    member_count: Type.Integer({ examples: [12] }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "MemberGroup" },
);

export const CreateGroupBody = Type.Object(
  { name: displayedName, description: Type.Optional(description), role_ids: Type.Optional(roleIds) },
  { $id: "CreateMemberGroup" },
);

export const AddGroupMemberBody = Type.Object({ confirm: ConfirmChannels }, { $id: "AddGroupMember" });

export const ChangeGroupBody = Type.Object(
  {
    name: Type.Optional(displayedName),
    description: Type.Optional(description),
    role_ids: Type.Optional(roleIds),
    confirm: ConfirmChannels,
  },
  { $id: "ChangeMemberGroup" },
);

export const GroupMemberItem = Type.Object(
  {
    user_id: Uuid,
    email: EmailAddress,
    display_name: nullable(text("Ada Lovelace")),
    added_at: Timestamp,
  },
  { $id: "MemberOfGroup" },
);
