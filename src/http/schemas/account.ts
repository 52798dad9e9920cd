import { Type } from "@sinclair/typebox";
import { REVIEW_CHANGES_MAX, REVIEW_ITEMS_MAX } from "../../limits/review-limits.ts";
import type { ChangeKind } from "../../models/credential-review/recent-changes.ts";
import type { RecentKind } from "../../models/credential-review/recent-credentials.ts";
import { PLATFORM_ROLES } from "../../models/user/platform-role.ts";
import { ORGANIZATION_KINDS } from "../../vocabulary/personal-organization.ts";
import { NewPassword, OrganizationBound, Password, Role } from "./auth.ts";
import { EmailAddress, name, nullable, oneOf, Slug, Timestamp, text, Uuid, url } from "./common.ts";

/** 32 random bytes, base64url. */
export const MailedToken = Type.String({
  minLength: 1,
  description: "from the link in the mail",
  examples: ["Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGfE5sDiA7oKuM"],
});

/** Unvalidated: every value gets an identical response (docs/contract.md, sections 11.1 and 12.3). */
export const AnyEmail = Type.Unknown({
  description: "email address; every further value gets the response of an unknown address",
  examples: ["ada@example.com"],
});

export const ForgotBody = Type.Object({ email: Type.Optional(AnyEmail) }, { $id: "ForgotPasswordRequest" });

export const ResetBody = Type.Object(
  { token: MailedToken, new_password: NewPassword },
  { $id: "ResetPasswordRequest" },
);

export const VerifyEmailBody = Type.Object({ token: MailedToken }, { $id: "VerifyEmailRequest" });

export const ChangePasswordBody = Type.Object(
  { current_password: Type.Optional(Password), new_password: NewPassword },
  { $id: "ChangePasswordRequest" },
);

export const UpdateMeBody = Type.Object(
  {
    display_name: Type.Optional(nullable(name("Ada Lovelace", "displayed name of the user; null clears it"))),
    locale: Type.Optional(
      nullable(text("de-AT", "language tag (RFC 5646) for pages and emails; null: as the browser prefers")),
    ),
    time_zone: Type.Optional(
      nullable(text("Europe/Vienna", "IANA name of the time zone of times on pages and in emails; null clears it")),
    ),
  },
  { $id: "UpdateMeRequest" },
);

const displayName = nullable(text("Ada Lovelace"));
export const avatarUrl = url("https://auth.acme.test/avatars/3f2a9c.webp", "URL of the picture");
export const PlatformRole = oneOf(PLATFORM_ROLES, { $id: "PlatformRole", description: "Role on the platform" });
export const Membership = Type.Object(
  { id: Uuid, name: text("Acme"), slug: Slug, role: Role },
  { $id: "Membership", description: "An organization of a user" },
);

/** docs/contract.md, section 4.4. */
export const Me = Type.Object(
  {
    user_id: Uuid,
    email: EmailAddress,
    email_verified: Type.Boolean({ examples: [true] }),
    display_name: displayName,
    avatar_url: nullable(avatarUrl),
    time_zone: Type.Optional(text("Europe/Vienna", "IANA name of the time zone that the user chose; else absent")),
    public_metadata: Type.Record(Type.String(), Type.Unknown(), {
      description: "what programs tell the user; read-only",
      examples: [{ plan: "gold" }],
    }),
    organization_id: { ...Uuid, description: "organization of the session" },
    organization_kind: oneOf(ORGANIZATION_KINDS, { description: "`personal`: the session has no team" }),
    personal_organization_id: nullable(Uuid, { description: "null: the user has teams only" }),
    organization_bound: OrganizationBound,
    organizations: Type.Array(Membership, { description: "teams" }),
    platform_role: nullable(PlatformRole),
    has_password: Type.Boolean({ examples: [true] }),
    mfa_enabled: Type.Boolean({ examples: [false] }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Me", description: "The caller's own account" },
);

/** docs/contract.md, section 4.5. */
export const UserItem = Type.Object(
  {
    user_id: Uuid,
    email: EmailAddress,
    email_verified: Type.Boolean({ examples: [true] }),
    display_name: displayName,
    platform_role: nullable(PlatformRole),
    disabled: Type.Boolean({ examples: [false] }),
    mfa_enabled: Type.Boolean({ examples: [false] }),
    organizations: Type.Array(Membership),
    created_at: Timestamp,
    last_login_at: nullable(Timestamp),
  },
  { $id: "User" },
);

export const AvatarFile = text("3f2a9c.webp", "File name of the picture, from its URL");
export const AvatarBody = Type.Object({ avatar_url: avatarUrl }, { $id: "Avatar" });

const confirmation = Type.Optional({
  ...Password,
  description: "the current password, unless the session has a step-up within five minutes",
});

export const ChangeEmailBody = Type.Object(
  { new_email: EmailAddress, password: confirmation },
  { $id: "ChangeEmailRequest" },
);
export const AddEmailBody = Type.Object({ email: EmailAddress, password: confirmation }, { $id: "AddEmailRequest" });
export const ConfirmationBody = Type.Object({ password: confirmation }, { $id: "ConfirmationRequest" });
export const EmailTokenBody = Type.Object({ token: MailedToken }, { $id: "EmailChangeTokenRequest" });

/** docs/contract.md, section 12.16. */
export const CredentialReviewBody = Type.Object(
  {
    decision: oneOf(["confirm", "end"], { description: "`end` removes every listed item" }),
    password: confirmation,
  },
  { $id: "CredentialReviewRequest" },
);

/** The names of the kinds of a review in requests and responses. */
export const REVIEWED_KINDS = {
  passkeys: "passkey",
  identities: "identity",
  company_accounts: "company_account",
  address_changes: "email",
  second_factor: "second_factor",
  api_keys: "api_key",
  trusts: "trust",
  webhooks: "webhook",
  event_streams: "event_stream",
  oauth_grants: "oauth_grant",
  invitations: "invitation",
  setup_links: "setup_link",
  connections: "connection",
  domains: "domain",
  members: "member",
} as const satisfies Readonly<Record<ChangeKind | RecentKind, string>>;

/** What was set up before the last reset of the password. */
export const CredentialReview = Type.Object(
  {
    reset_at: nullable(Timestamp, { description: "null: no reset awaits a review" }),
    items: Type.Array(
      Type.Object({
        kind: oneOf(Object.values(REVIEWED_KINDS)),
        name: nullable(text("YubiKey 5"), { description: "null: the kind alone identifies the item" }),
        set_up_at: Timestamp,
        held: Type.Boolean({ description: "gives no sign-in until the user confirms", examples: [true] }),
        ends: Type.Boolean({ description: "false: remains, because members sign in by it", examples: [true] }),
        id: nullable(Uuid, { description: "the connection, domain or member that remains; else null" }),
        organization_id: nullable(Uuid, { description: "the organization of an item that remains; else null" }),
      }),
      { maxItems: REVIEW_ITEMS_MAX + 3 * REVIEW_CHANGES_MAX },
    ),
  },
  { $id: "CredentialReview" },
);

/** docs/contract.md, section 4.14. */
export const UserEmailItem = Type.Object(
  {
    id: Uuid,
    email: EmailAddress,
    verified: Type.Boolean({ description: "false: the address awaits the confirmation of its link", examples: [true] }),
    primary: Type.Boolean({ description: "exactly one address of a user is primary", examples: [true] }),
    created_at: Timestamp,
  },
  { $id: "UserEmail", description: "An email address of a user" },
);
