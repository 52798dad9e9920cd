import { Type } from "@sinclair/typebox";
import { Timestamp, Uuid } from "./common.ts";

export const Email = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: "compared trimmed, NFKC, in lower case",
});

export const RegisterBody = Type.Object({
  organization_name: Type.String({ description: "1 to 120 characters" }),
  organization_slug: Type.Optional(Type.String({ description: "derived from the name when absent" })),
  email: Email,
  password: Type.String({ description: "12 to 256 characters" }),
  display_name: Type.Optional(Type.String({ description: "1 to 120 characters" })),
});

export const LoginBody = Type.Object({
  email: Email,
  password: Type.String({ minLength: 1 }),
  organization_id: Type.Optional(Uuid),
});

export const OrganizationBody = Type.Object({ organization_id: Uuid });

export const User = Type.Object({
  user_id: Uuid,
  organization_id: Uuid,
  email: Type.String(),
  auth_method: Type.Union(
    ["password", "passkey", "social_oauth", "password_with_mfa", "email_otp"].map((method) => Type.Literal(method)),
  ),
  session_family_id: Uuid,
  scopes: Type.Array(Type.String()),
  allowed_ips: Type.Array(Type.String()),
  allowed_referrers: Type.Array(Type.String()),
  extensions: Type.Record(Type.String(), Type.Unknown()),
  mfa_verified_at: Type.Union([Timestamp, Type.Null()]),
});

export const Capabilities = Type.Object({
  role: Type.String({ description: "owner, admin or member" }),
  permissions: Type.Array(Type.String()),
});

export const LoginSuccess = Type.Object({
  status: Type.Literal("success"),
  user: User,
  capabilities: Capabilities,
  access_token: Type.String(),
  expires_in: Type.Integer({ description: "seconds" }),
});

export const MfaRequired = Type.Object({
  status: Type.Literal("mfa_required"),
  mfa_token: Type.String(),
  mfa_token_expires_in: Type.Integer({ description: "seconds" }),
});

/** Contract, section 2.1: clients read `status` first. */
export const LoginResponse = Type.Union([LoginSuccess, MfaRequired]);

export const Refreshed = Type.Object({
  access_token: Type.String(),
  expires_in: Type.Integer({ description: "seconds" }),
});

export const CurrentSession = Type.Object({
  user: User,
  capabilities: Capabilities,
  session: Type.Object({
    id: Uuid,
    auth_method: Type.String(),
    aal: Type.String(),
    auth_time: Timestamp,
    mfa_verified_at: Type.Union([Timestamp, Type.Null()]),
    expires_at: Timestamp,
  }),
});

export const SessionItem = Type.Object({
  id: Uuid,
  current: Type.Boolean(),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
  ip_address: Type.Union([Type.String(), Type.Null()]),
  user_agent: Type.Union([Type.String(), Type.Null()]),
  auth_method: Type.String(),
  aal: Type.String(),
});

export const RevokeAllQuery = Type.Object({
  except_current: Type.Optional(Type.Boolean({ default: false, description: "keep the session that asks" })),
});
