import { Type } from "@sinclair/typebox";
import { PASSWORD_MAX_CODE_POINTS, PASSWORD_MIN_CODE_POINTS } from "../../limits/account-limits.ts";
import { KEY_SCOPES } from "../../vocabulary/key-scope.ts";
import { MEMBER_ROLES } from "../../vocabulary/member-power.ts";
import { ORGANIZATION_KINDS } from "../../vocabulary/personal-organization.ts";
import {
  DeviceItem,
  EMAIL_SHAPE,
  EmailAddress,
  ExpiresIn,
  LocationItem,
  NewSlug,
  name,
  nullable,
  oneOf,
  Timestamp,
  text,
  Uuid,
} from "./common.ts";

const JWT_EXAMPLE = "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
export const Jwt = text(JWT_EXAMPLE, "signed JWT");

export const Email = Type.String({
  minLength: 1,
  maxLength: 1024,
  documented: EMAIL_SHAPE,
  description: "compared trimmed, NFKC, in lower case",
  examples: ["ada@example.com"],
});

/** The address of a new account. The address of a sign-in is validated after the limits of the account. */
const NewEmail = { ...Email, format: "registered-email" };

export const NewPassword = Type.String({
  format: "new-password",
  documented: { format: "password", minLength: PASSWORD_MIN_CODE_POINTS, maxLength: PASSWORD_MAX_CODE_POINTS },
  description: `${PASSWORD_MIN_CODE_POINTS} to ${PASSWORD_MAX_CODE_POINTS} characters, after NFKC`,
  examples: ["correct horse battery staple"],
});
/** A password to verify. The password may be shorter than a new password, if set or imported under different rules. */
export const Password = Type.String({
  minLength: 1,
  documented: { format: "password" },
  examples: ["correct horse battery staple"],
});

export const RegisterBody = Type.Object(
  {
    organization_name: Type.Optional({
      ...name("Acme", "name of the new organization; required unless users register without a team, and then ignored"),
    }),
    organization_slug: Type.Optional({
      ...NewSlug,
      description: "derived from the name when absent, with a numeric suffix if the slug is in use",
    }),
    email: NewEmail,
    password: NewPassword,
    display_name: Type.Optional(name("Ada Lovelace", "displayed name of the owner")),
    client_id: Type.Optional({ ...Uuid, description: "application from which the user comes" }),
  },
  { $id: "RegisterRequest" },
);

export const LoginBody = Type.Object(
  {
    email: Email,
    password: Password,
    organization_id: Type.Optional({
      ...Uuid,
      description: "organization of the session; default: the last used organization",
    }),
  },
  { $id: "LoginRequest" },
);

export const OrganizationBody = Type.Object(
  { organization_id: { ...Uuid, description: "a membership of the caller" } },
  { $id: "SwitchOrganizationRequest" },
);

export const Role = oneOf(MEMBER_ROLES, { $id: "Role", description: "Role in an organization" });
export const AuthMethod = oneOf(["password", "passkey", "social_oauth", "email_otp", "sso", "ticket"], {
  $id: "FirstFactor",
  description: "First factor of a session",
});
export const Assurance = oneOf(["aal1", "aal2"], { $id: "Assurance", description: "Authenticator assurance level" });

/** docs/contract.md, section 3.13. */
export const OrganizationBound = Type.Optional(
  Type.Literal(true, { description: "the session reaches its organization only; otherwise absent" }),
);

export const User = Type.Object(
  {
    user_id: Uuid,
    organization_id: { ...Uuid, description: "organization of the session" },
    organization_kind: oneOf(ORGANIZATION_KINDS, {
      description: "`personal`: the user has no team in this session; the organization is unknown to every endpoint",
    }),
    email: EmailAddress,
    auth_method: oneOf(["password", "passkey", "social_oauth", "password_with_mfa", "email_otp", "sso", "ticket"]),
    session_family_id: { ...Uuid, description: "the session, unchanged across refreshes" },
    scopes: Type.Array(Type.String(), { examples: [[]] }),
    allowed_ips: Type.Array(Type.String(), { examples: [[]] }),
    allowed_referrers: Type.Array(Type.String(), { examples: [[]] }),
    extensions: Type.Record(Type.String(), Type.Unknown(), { examples: [{}] }),
    mfa_verified_at: nullable(Timestamp, { description: "time of the last verified second factor of the session" }),
  },
  { $id: "SignedInUser", description: "The user of a session" },
);

export const Capabilities = Type.Object(
  {
    role: Role,
    roles: Type.Array(Type.String(), { description: "keys of the additional roles", examples: [["auditor"]] }),
    permissions: Type.Array(Type.String(), {
      description: "every permission of the roles, built-in and of registered APIs, sorted",
      examples: [["members.invite", "members.list"]],
    }),
  },
  { $id: "Capabilities", description: "The permissions of the user in the organization of the session" },
);

export const LoginSuccess = Type.Object(
  {
    status: Type.Literal("success"),
    user: User,
    capabilities: Capabilities,
    access_token: Jwt,
    expires_in: ExpiresIn,
  },
  { $id: "LoginSuccess" },
);

export const MfaRequired = Type.Object(
  {
    status: Type.Literal("mfa_required"),
    mfa_token: text(JWT_EXAMPLE, "single-use token for the challenge"),
    mfa_token_expires_in: { ...ExpiresIn, examples: [300] },
  },
  { $id: "MfaRequired" },
);

/** docs/contract.md, section 4.1. */
export const LoginResponse = Type.Union([LoginSuccess, MfaRequired], {
  $id: "LoginResponse",
  discriminator: { propertyName: "status" },
});

export const Refreshed = Type.Object({ access_token: Jwt, expires_in: ExpiresIn }, { $id: "RefreshedTokens" });

const CurrentSession = Type.Object(
  {
    user: User,
    capabilities: Capabilities,
    session: Type.Object({
      id: Uuid,
      auth_method: AuthMethod,
      organization_bound: OrganizationBound,
      aal: Assurance,
      auth_time: Timestamp,
      mfa_verified_at: nullable(Timestamp),
      expires_at: Timestamp,
      enrolment_only: Type.Boolean({
        description: "the organization requires a second factor, and the session may only enrol or present the factor",
        examples: [false],
      }),
    }),
  },
  { $id: "CurrentSession" },
);

/** docs/contract.md, section 25.5. */
const CurrentKey = Type.Object(
  {
    user: Type.Object({
      user_id: { ...Uuid, description: "the service account" },
      organization_id: { ...Uuid, description: "the nil UUID for a key of the platform" },
      email: Type.Null(),
      auth_method: oneOf(["api_key", "federated"]),
      session_family_id: { ...Uuid, description: "the key" },
      scopes: Type.Array(oneOf(KEY_SCOPES), { examples: [["members.list"]] }),
      allowed_ips: Type.Array(text("192.0.2.0/24")),
      allowed_referrers: Type.Array(text("https://app.example.com")),
      extensions: Type.Record(Type.String(), Type.Unknown(), { examples: [{}] }),
      mfa_verified_at: Type.Null(),
    }),
    capabilities: Type.Object({
      role: Type.Null(),
      permissions: Type.Array(oneOf(KEY_SCOPES), { examples: [["members.list"]] }),
    }),
    session: Type.Object({
      id: { ...Uuid, description: "the key" },
      auth_method: oneOf(["api_key", "federated"]),
      aal: Type.Literal("aal1"),
      auth_time: { ...Timestamp, description: "when the key was made" },
      mfa_verified_at: Type.Null(),
      expires_at: Timestamp,
    }),
  },
  { $id: "CurrentKey", description: "An API key, in the shape of a session" },
);

export const CurrentCaller = Type.Union([CurrentSession, CurrentKey], { $id: "CurrentCaller" });

export const SessionItem = Type.Object(
  {
    id: Uuid,
    current: Type.Boolean({ description: "the session of the caller", examples: [true] }),
    name: nullable(text("Laptop at work"), { description: "given by the user" }),
    device: DeviceItem,
    location: nullable(LocationItem),
    created_at: Timestamp,
    last_used_at: Timestamp,
    expires_at: Timestamp,
    ip_address: nullable(text("203.0.113.7")),
    last_ip_address: nullable(text("203.0.113.7"), { description: "of the last refresh, or of the sign-in" }),
    user_agent: nullable(text("Mozilla/5.0")),
    auth_method: AuthMethod,
    aal: Assurance,
  },
  { $id: "Session" },
);

const SessionUser = Type.Object(
  { user_id: Uuid, email: EmailAddress, display_name: nullable(text("Ada Lovelace")) },
  { $id: "SessionUser" },
);

export const MemberSessionItem = Type.Object(
  { ...SessionItem.properties, user: SessionUser },
  { $id: "MemberSession" },
);

export const RenameSessionBody = Type.Object(
  { name: nullable(name("Laptop at work", "displayed name of the session"), { description: "null: no name" }) },
  { $id: "RenameSessionRequest" },
);

export const RevokeAllQuery = Type.Object({
  except_current: Type.Optional(Type.Boolean({ default: false, description: "keep the session of the caller" })),
  end_applications: Type.Optional(
    Type.Boolean({ default: false, description: "also end the tokens of connected applications, offline tokens too" }),
  ),
  revoke_api_keys: Type.Optional(
    Type.Boolean({
      default: false,
      description: "also revoke the API keys that the caller created, where the caller is an administrator",
    }),
  ),
});

export const LogoutBody = Type.Object(
  {
    everywhere: Type.Optional(
      Type.Boolean({
        default: false,
        description: "also sign out at the identity provider, for a session by SAML 2.0",
        examples: [true],
      }),
    ),
    redirect_to: Type.Optional(
      Type.String({ description: "local path after the identity provider; default: `/sign-out`", examples: ["/bye"] }),
    ),
  },
  { $id: "LogoutRequest" },
);

export const ContinuedLogoutBody = Type.Object(
  {
    continue_at: text("/v1/auth/sso/0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e/slo?h=Zk9u", "local path for the browser"),
  },
  { $id: "ContinuedLogout" },
);
