import { Type } from "@sinclair/typebox";
import {
  DEFAULT_DIRECTORY,
  DIRECTORY_ROLES,
  DIRECTORY_STATUSES,
  OUTSIDE_DOMAINS,
  ROLE_SOURCES,
} from "../../vocabulary/directory-settings.ts";
import { ConfirmChannels, nullable, oneOf, PageQuery, ReadVersion, Timestamp, text, Uuid, url } from "./common.ts";
import { GroupRoleItem } from "./groups.ts";
import { RoleIds } from "./roles.ts";

export const DirectoryQuery = Type.Object({ ...PageQuery.properties });

export const PutDirectoryBody = Type.Object(
  {
    status: Type.Optional(
      oneOf(DIRECTORY_STATUSES, {
        default: DEFAULT_DIRECTORY.status,
        description: "`paused`: reads work, and every change is refused with 503",
      }),
    ),
    default_role: Type.Optional(
      oneOf(DIRECTORY_ROLES, {
        default: DEFAULT_DIRECTORY.defaultRole,
        description: "role of a member without a group that has a role",
      }),
    ),
    outside_domains: Type.Optional(
      oneOf(OUTSIDE_DOMAINS, {
        default: DEFAULT_DIRECTORY.outsideDomains,
        description: "users with an address outside of the verified domains",
      }),
    ),
    role_source: Type.Optional(
      oneOf(ROLE_SOURCES, { default: DEFAULT_DIRECTORY.roleSource, description: "`none`: groups grant no role" }),
    ),
    confirm: ConfirmChannels,
  },
  { $id: "PutDirectoryRequest" },
);

export const DirectoryItem = Type.Object(
  {
    id: Uuid,
    organization_id: Uuid,
    status: oneOf(DIRECTORY_STATUSES),
    default_role: oneOf(DIRECTORY_ROLES),
    outside_domains: oneOf(OUTSIDE_DOMAINS),
    role_source: oneOf(ROLE_SOURCES),
    base_url: url("https://id.example.com/v1/scim/v2", "base URL for the directory product"),
    last_request_at: nullable(Timestamp, { description: "to the minute" }),
    revision: Type.Integer({ examples: [1] }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Directory" },
);

export const DirectoryUserItem = Type.Object(
  {
    id: Type.String({ documented: { format: "uuid" }, examples: ["0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e"] }),
    user_name: text("ada@example.com"),
    external_id: nullable(text("0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef")),
    active: Type.Boolean({ examples: [true] }),
    link: oneOf(["domain", "member", "invitation", "none"], {
      description:
        "`domain`: by the verified domain; `member`: to an existing member; `invitation`: after acceptance; `none`: " +
        "without a usable address, or the address is linked already",
    }),
    user_id: nullable(Uuid),
    updated_at: Timestamp,
  },
  { $id: "DirectoryUser" },
);

export const DirectoryGroupItem = Type.Object(
  {
    id: Uuid,
    display_name: text("Engineers"),
    external_id: nullable(text("8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159")),
    role: nullable(oneOf(DIRECTORY_ROLES), { description: "role of the group's members; null: none" }),
    roles: Type.Array(GroupRoleItem, { description: "additional roles that the group grants" }),
    member_count: Type.Integer({ examples: [12] }),
    updated_at: Timestamp,
  },
  { $id: "DirectoryGroup" },
);

export const MapGroupBody = Type.Object(
  {
    role: nullable(oneOf(DIRECTORY_ROLES), { description: "null: the group grants no built-in role" }),
    role_ids: Type.Optional({ ...RoleIds, description: "additional roles; absent: unchanged" }),
    confirm: ConfirmChannels,
    updated_at: ReadVersion,
  },
  { $id: "MapDirectoryGroupRequest" },
);

export const DirectoryRequestItem = Type.Object(
  {
    at: Timestamp,
    method: text("POST"),
    path: text("/Users"),
    status: Type.Integer({ examples: [409] }),
    scim_type: nullable(text("uniqueness")),
    detail: text("Another user of the directory has this userName."),
    request_id: text("0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e"),
  },
  { $id: "DirectoryRequest" },
);
