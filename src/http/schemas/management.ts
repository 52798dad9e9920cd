/** Users as administrators of the platform and programs see them (docs/contract.md, chapter 36). */
import { Type } from "@sinclair/typebox";
import {
  EXTERNAL_ID_MAX_CHARACTERS,
  MEMBERSHIPS_AT_CREATION_MAX,
  USER_BATCH_MAX,
} from "../../limits/management-limits.ts";
import { USER_METADATA_MAX_BYTES } from "../../limits/metadata-limits.ts";
import { avatarUrl, UserItem } from "./account.ts";
import { Email, NewPassword, Role, SessionItem } from "./auth.ts";
import { name, nullable, oneOf, Timestamp, text, Uuid } from "./common.ts";
import { Reason } from "./deletions.ts";
import { PasskeyItem } from "./passkeys.ts";
import { RoleIds } from "./roles.ts";

const ExternalId = Type.String({
  documented: { minLength: 1, maxLength: EXTERNAL_ID_MAX_CHARACTERS },
  description: "key of a program for the user, compared exactly; no control characters",
  examples: ["auth0|5f7c8ec7c33c6c004bbafe82"],
});

function metadata(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), {
    description: `${description}; at most ${USER_METADATA_MAX_BYTES} bytes of JSON`,
    examples: [{ plan: "gold" }],
  });
}
const publicMetadata = metadata("the user reads the object");
const privateMetadata = metadata("for administrators and programs of the platform alone");

/** docs/contract.md, section 36.1. */
export const AdminUserItem = Type.Object(
  {
    ...UserItem.properties,
    external_id: nullable(ExternalId),
    locale: nullable(text("de-at", "language tag (RFC 5646)")),
    time_zone: nullable(text("Europe/Vienna", "IANA name")),
    avatar_url: nullable(avatarUrl),
    has_password: Type.Boolean({ examples: [true] }),
    managed_by: nullable(Uuid, { description: "the organization that manages name and address" }),
    deletion_at: nullable(Timestamp, { description: "erasure of an account whose deletion is pending" }),
    updated_at: Timestamp,
    public_metadata: Type.Optional(publicMetadata),
    private_metadata: Type.Optional(privateMetadata),
  },
  { $id: "AdminUser", description: "A user; metadata are absent in lists without `metadata=true`" },
);

const MembershipBody = Type.Object({
  organization_id: Type.Optional(Uuid),
  organization_slug: Type.Optional(text("acme", "in place of organization_id")),
  role: Type.Optional({ ...Role, note: "default: member" }),
  role_ids: Type.Optional(RoleIds),
});

const profileFields = {
  display_name: Type.Optional(nullable(name("Ada Lovelace", "displayed name; null clears it"))),
  locale: Type.Optional(nullable(text("de-AT", "language tag (RFC 5646); null clears it"))),
  time_zone: Type.Optional(nullable(text("Europe/Vienna", "IANA name; null clears it"))),
  external_id: Type.Optional(nullable(ExternalId)),
  disabled: Type.Optional(Type.Boolean({ description: "default false; true ends all sessions", examples: [false] })),
};

const accountFields = {
  ...profileFields,
  email_verified: Type.Optional(
    Type.Boolean({ description: "default false; true: the address counts as controlled", examples: [true] }),
  ),
  password: Type.Optional(NewPassword),
  password_hash: Type.Optional(
    Type.String({
      description: "a hash of the former service in place of `password`, in a form of `users import`",
      documented: { maxLength: 512 },
      examples: ["$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"],
    }),
  ),
  memberships: Type.Optional(
    Type.Array(MembershipBody, {
      documented: { maxItems: MEMBERSHIPS_AT_CREATION_MAX },
      description: "needs the permission `members.add`; all or none",
    }),
  ),
  created_at: Type.Optional(text("2020-01-31T12:00:00Z", "a time of the past (RFC 3339), for a migration")),
  public_metadata: Type.Optional(publicMetadata),
  private_metadata: Type.Optional(privateMetadata),
};

export const CreateUserBody = Type.Object({ email: Email, ...accountFields }, { $id: "CreateUserRequest" });

export const UpsertUserBody = Type.Object(
  {
    email: Type.Optional(Email),
    ...accountFields,
    adopt_by_email: Type.Optional(
      Type.Boolean({
        description: "true: a user with the address and without an external id gets the external id",
        examples: [false],
      }),
    ),
  },
  { $id: "UpsertUserRequest" },
);

const MERGED = "merged by member; null deletes a member (RFC 7396)";
export const ChangeUserBody = Type.Object(
  {
    ...profileFields,
    public_metadata: Type.Optional({ ...publicMetadata, description: MERGED }),
    private_metadata: Type.Optional({ ...privateMetadata, description: MERGED }),
  },
  { $id: "UserChange" },
);

/** The form of the rows is checked one by one: a row of another form refuses no other row. */
export const BatchUsersBody = Type.Object(
  {
    users: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      minItems: 1,
      maxItems: USER_BATCH_MAX,
      description: "as of the creation of a user; `password_hash` in place of `password`",
      examples: [[{ email: "ada@example.com", external_id: "7" }]],
    }),
  },
  { $id: "BatchUsersRequest" },
);

export const BatchResults = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ examples: [0] }),
        outcome: oneOf(["created", "exists", "refused"]),
        user_id: nullable(Uuid),
        error: nullable(
          Type.Object({ code: text("conflict"), message: text("This email address is already registered.") }),
        ),
      }),
    ),
  },
  { $id: "BatchUsersResults" },
);

export const DeleteUserBody = Type.Object({ reason: Type.Optional(Reason) }, { $id: "DeleteUserRequest" });

export const UserSessionItem = Type.Omit(SessionItem, ["current"], { $id: "UserSession" });

export const ReplacePasswordBody = Type.Object(
  { password: accountFields.password, password_hash: accountFields.password_hash },
  { $id: "ReplacePasswordRequest" },
);

export const ReplaceEmailBody = Type.Object(
  { email: Email, email_verified: accountFields.email_verified },
  { $id: "ReplaceEmailRequest" },
);

export const UserFactors = Type.Object(
  {
    mfa: Type.Object({
      enabled: Type.Boolean({ examples: [true] }),
      enabled_at: nullable(Timestamp),
      recovery_codes_remaining: Type.Integer({ examples: [10] }),
    }),
    passkeys: Type.Array(PasskeyItem),
  },
  { $id: "UserFactors" },
);

export const PutMemberBody = Type.Object(
  {
    role: Type.Optional({ ...Role, note: "default for a new membership: member" }),
    role_ids: Type.Optional(RoleIds),
    notify: Type.Optional(Type.Boolean({ description: "default true: an email to a new member", examples: [true] })),
  },
  { $id: "PutMemberRequest" },
);
