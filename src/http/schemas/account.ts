import { Type } from "@sinclair/typebox";
import { Timestamp, Uuid } from "./common.ts";

/** Anything is answered alike, so anything is let in (contract, section 4.6). */
export const ForgotBody = Type.Object({
  email: Type.Optional(Type.Unknown({ description: "e-mail address; anything else is answered alike" })),
});

export const ResetBody = Type.Object({
  token: Type.String({ minLength: 1, description: "from the mailed link" }),
  new_password: Type.String({ description: "12 to 256 characters" }),
});

export const VerifyEmailBody = Type.Object({
  token: Type.String({ minLength: 1, description: "from the mailed link" }),
});

export const ChangePasswordBody = Type.Object({
  current_password: Type.String({ minLength: 1 }),
  new_password: Type.String({ description: "12 to 256 characters" }),
});

export const UpdateMeBody = Type.Object({
  display_name: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: "1 to 120 characters; null clears it" }),
  ),
});

const text = Type.Union([Type.String(), Type.Null()]);
const Organizations = Type.Array(
  Type.Object({ id: Uuid, name: Type.String(), slug: Type.String(), role: Type.String() }),
);

/** Decisions, section 6. */
export const Me = Type.Object({
  user_id: Uuid,
  email: Type.String(),
  email_verified: Type.Boolean(),
  display_name: text,
  avatar_url: text,
  organization_id: Uuid,
  organizations: Organizations,
  platform_role: text,
  has_password: Type.Boolean(),
  mfa_enabled: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** An item of GET /v1/admin/users (decisions, section 8). */
export const UserItem = Type.Object({
  user_id: Uuid,
  email: Type.String(),
  email_verified: Type.Boolean(),
  display_name: text,
  platform_role: text,
  disabled: Type.Boolean(),
  mfa_enabled: Type.Boolean(),
  organizations: Organizations,
  created_at: Timestamp,
  last_login_at: Type.Union([Timestamp, Type.Null()]),
});

export const AvatarBody = Type.Object({ avatar_url: Type.String() });
