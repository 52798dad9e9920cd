import { Type } from "@sinclair/typebox";
import { INVITATION_STATUSES } from "../../models/invitation/invitation.ts";
import { MEMBER_ROLES } from "../../models/member/member.ts";
import { Email } from "./auth.ts";
import { PageQuery, SearchText, Timestamp, Uuid } from "./common.ts";

export const Role = Type.Union(MEMBER_ROLES.map((role) => Type.Literal(role)));
const Status = Type.Union(INVITATION_STATUSES.map((status) => Type.Literal(status)));
const text = Type.Union([Type.String(), Type.Null()]);

export const InviteBody = Type.Object({ email: Email, role: Type.Optional(Role) });
export const InvitationsQuery = Type.Object({ ...PageQuery.properties, status: Type.Optional(Status) });

export const InvitationItem = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  email: Type.String(),
  role: Role,
  status: Status,
  invited_by: Type.Union([Uuid, Type.Null()]),
  created_at: Timestamp,
  expires_at: Timestamp,
});

export const PreviewQuery = Type.Object({ token: Type.String({ minLength: 1, description: "from the mailed link" }) });
export const PreviewBody = Type.Object({
  organization_name: Type.String(),
  organization_slug: Type.String(),
  email: Type.String(),
  role: Role,
  invited_by_name: text,
  expires_at: Timestamp,
  account_exists: Type.Boolean(),
});

export const AcceptBody = Type.Object({
  token: Type.String({ minLength: 1 }),
  password: Type.Optional(Type.String({ description: "for a new user: 12 to 256 characters" })),
  display_name: Type.Optional(Type.String({ description: "for a new user: 1 to 120 characters" })),
});
export const JoinedBody = Type.Object({ organization_id: Uuid, role: Role });

export const MembersQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(Type.String({ ...SearchText, description: "part of an address or a name" })),
});
export const RoleBody = Type.Object({ role: Role });
export const MemberItem = Type.Object({
  user_id: Uuid,
  email: Type.String(),
  display_name: text,
  avatar_url: text,
  role: Role,
  mfa_enabled: Type.Boolean(),
  joined_at: Timestamp,
});
