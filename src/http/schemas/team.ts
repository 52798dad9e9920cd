import { Type } from "@sinclair/typebox";
import { CREATIONS_LISTED_MAX } from "../../limits/review-limits.ts";
import type { CreationKind } from "../../models/creation/creation.ts";
import { INVITATION_STATUSES } from "../../models/invitation/invitation.ts";
import { avatarUrl, MailedToken } from "./account.ts";
import { Email, NewPassword, Role } from "./auth.ts";
import {
  ConfirmChannels,
  EmailAddress,
  name,
  nullable,
  oneOf,
  PageQuery,
  SearchText,
  Slug,
  Timestamp,
  text,
  Uuid,
} from "./common.ts";
import { CursorMember } from "./positioned-list.ts";
import { AssignedRoleItem, RoleIds } from "./roles.ts";

const Status = oneOf(INVITATION_STATUSES, { $id: "InvitationStatus" });
const Delivery = oneOf(["mail", "link"], { description: "by email, or as `url` for a program" });

export const InviteBody = Type.Object(
  {
    email: Email,
    role: Type.Optional({ ...Role, note: "default: `member`; `owner` by an owner only" }),
    role_ids: Type.Optional(RoleIds),
    delivery: Type.Optional({ ...Delivery, note: "default: `mail`; `link`: no email, `url` in the response" }),
  },
  { $id: "InviteRequest" },
);
export const ResendBody = Type.Object(
  { delivery: Type.Optional({ ...Delivery, note: "default: `mail`" }) },
  { $id: "ResendInvitationRequest" },
);
export const InvitationsQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional({ ...Status, note: "only invitations in this state" }),
});

export const InvitationItem = Type.Object(
  {
    id: Uuid,
    organization_id: Uuid,
    email: EmailAddress,
    role: Role,
    status: Status,
    invited_by: nullable(Uuid),
    created_at: Timestamp,
    expires_at: Timestamp,
    role_ids: Type.Optional({ ...RoleIds, description: "additional roles; absent without such roles" }),
  },
  { $id: "Invitation" },
);

/** An invitation in the response to the sending. */
export const SentInvitationItem = Type.Object(
  {
    ...InvitationItem.properties,
    url: Type.Optional(
      text("https://auth.acme.test/accept-invitation?token=…", "with `delivery: link`: the link, once"),
    ),
  },
  { $id: "SentInvitation" },
);

export const PreviewQuery = Type.Object({ token: MailedToken });
export const PreviewBody = Type.Object(
  {
    organization_name: text("Acme"),
    organization_slug: Slug,
    email: EmailAddress,
    role: Role,
    invited_by_name: nullable(text("Ada Lovelace")),
    expires_at: Timestamp,
    account_exists: Type.Boolean({ description: "whether the address has an account", examples: [false] }),
  },
  { $id: "InvitationPreview" },
);

export const AcceptBody = Type.Object(
  {
    token: MailedToken,
    password: Type.Optional({ ...NewPassword, description: `for a new user: ${NewPassword.description}` }),
    display_name: Type.Optional(name("Grace Hopper", "for a new user: the displayed name")),
  },
  { $id: "AcceptInvitationRequest" },
);
export const JoinedBody = Type.Object({ organization_id: Uuid, role: Role }, { $id: "JoinedOrganization" });

export const MembersQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional({ ...SearchText, description: "substring of an address or a name" }),
  cursor: CursorMember,
});
export const RoleBody = Type.Object({ role: Role, confirm: ConfirmChannels }, { $id: "RoleChange" });
export const MemberItem = Type.Object(
  {
    user_id: Uuid,
    email: EmailAddress,
    display_name: nullable(text("Ada Lovelace")),
    avatar_url: nullable(avatarUrl),
    role: Role,
    mfa_enabled: Type.Boolean({ examples: [true] }),
    joined_at: Timestamp,
    roles: Type.Optional(Type.Array(AssignedRoleItem, { description: "additional roles; absent without such roles" })),
    attributes: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "from the identity provider of the organization",
        examples: [{ department: "Research" }],
      }),
    ),
    active: Type.Optional(
      Type.Literal(false, {
        description: "present for a member whom the directory has deactivated",
        examples: [false],
      }),
    ),
  },
  { $id: "Member" },
);

/** The names of the kinds of creations in responses. */
export const LISTED_KINDS = {
  api_keys: "api_key",
  trusts: "trust",
  webhooks: "webhook",
  event_streams: "event_stream",
  invitations: "invitation",
  setup_links: "setup_link",
  connections: "connection",
  domains: "domain",
} as const satisfies Readonly<Record<CreationKind, string>>;

/** What a person created in an organization and is still valid. */
export const MemberCreations = Type.Object(
  {
    person: nullable(text("Ada Lovelace"), { description: "the name or address; null: no item" }),
    items: Type.Array(
      Type.Object({
        kind: oneOf(Object.values(LISTED_KINDS)),
        id: Uuid,
        name: nullable(text("Deployment (k7Hq…)"), { description: "null: the kind alone identifies the item" }),
        created_at: Timestamp,
        ends: Type.Boolean({ description: "false: members sign in by the item, which remains", examples: [true] }),
        made_with: nullable(
          Type.Object({
            kind: oneOf(["api_key", "setup_link"]),
            id: Uuid,
            name: nullable(text("Deployment (k7Hq…)"), { description: "null: a link without a recipient" }),
          }),
          { description: "the key or set-up link that created the item; null: the person, in a session" },
        ),
      }),
      { maxItems: CREATIONS_LISTED_MAX },
    ),
  },
  { $id: "MemberCreations" },
);
