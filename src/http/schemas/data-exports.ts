import { Type } from "@sinclair/typebox";
import { nullable, oneOf, Timestamp, text, Uuid } from "./common.ts";

/** docs/contract.md, section 30.5. */
export const DataExportItem = Type.Object(
  {
    id: Uuid,
    status: oneOf(["pending", "ready", "failed"]),
    bytes: nullable(Type.Integer({ documented: { minimum: 1 }, examples: [48_213], description: "once ready" })),
    requested_at: Timestamp,
    completed_at: nullable(Timestamp),
    expires_at: nullable({ ...Timestamp, description: "end of the download" }),
  },
  { $id: "DataExport", description: "A requested copy of the caller's data" },
);

const nullableText = (example: string) => nullable(text(example));
const nullableTime = nullable(Timestamp);
const list = (properties: Parameters<typeof Type.Object>[0], description: string) =>
  Type.Array(Type.Object(properties), { description });
const scopes = Type.Array(text("profile"));

/** The document of version 1. A later version adds members, or changes `schema_version`. */
export const UserExport = Type.Object(
  {
    schema_version: Type.Integer({ examples: [1], description: "version of this schema" }),
    generated_at: Timestamp,
    user: Type.Object({
      user_id: Uuid,
      email: text("ada@example.com"),
      email_verified_at: nullableTime,
      display_name: nullableText("Ada Lovelace"),
      locale: nullableText("en-GB"),
      time_zone: nullableText("Europe/Vienna"),
      external_id: nullable(text("auth0|5f7c8ec7"), { description: "key of a program for the account" }),
      public_metadata: Type.Record(Type.String(), Type.Unknown(), { examples: [{ plan: "gold" }] }),
      private_metadata: Type.Record(Type.String(), Type.Unknown(), {
        description: "metadata that administrators and programs keep about the account",
        examples: [{ crm: 7 }],
      }),
      platform_role: nullableText("viewer"),
      has_picture: Type.Boolean({ examples: [false] }),
      has_password: Type.Boolean({ examples: [true] }),
      last_password_change: nullableTime,
      last_login_at: nullableTime,
      created_at: Timestamp,
      updated_at: Timestamp,
    }),
    emails: list(
      {
        email: text("ada@example.com"),
        primary: Type.Boolean({ examples: [true] }),
        verified: Type.Boolean({ examples: [true] }),
        created_at: Timestamp,
      },
      "email addresses",
    ),
    identities: list(
      {
        id: Uuid,
        provider: text("oauth_idp_a"),
        issuer: text("https://accounts.google.com"),
        subject: text("1098"),
        label: nullableText("a…@example.com"),
        created_at: Timestamp,
        last_used_at: Timestamp,
      },
      "linked identities",
    ),
    memberships: list(
      {
        organization_id: Uuid,
        organization_name: text("Acme"),
        organization_slug: text("acme"),
        role: text("owner"),
        attributes: nullable(
          Type.Record(Type.String(), Type.Unknown(), {
            description: "attributes from the identity provider of the organization",
            examples: [{ department: "Engines" }],
          }),
        ),
        joined_at: Timestamp,
      },
      "organizations of the user",
    ),
    sessions: list(
      {
        id: Uuid,
        organization_id: Uuid,
        name: nullableText("Work laptop"),
        auth_method: text("password"),
        aal: text("aal1"),
        ip_address: nullableText("198.51.100.24"),
        last_ip_address: nullableText("198.51.100.24"),
        user_agent: nullableText("Mozilla/5.0"),
        created_at: Timestamp,
        last_used_at: Timestamp,
        revoked_at: nullableTime,
        revoked_reason: nullableText("logout"),
        expires_at: Timestamp,
      },
      "stored sessions of 90 days",
    ),
    trusted_browsers: list(
      {
        id: Uuid,
        name: nullableText("Work laptop"),
        user_agent: nullableText("Mozilla/5.0"),
        ip_address: nullableText("198.51.100.24"),
        last_ip_address: nullableText("198.51.100.24"),
        created_at: Timestamp,
        last_used_at: nullableTime,
        expires_at: Timestamp,
        revoked_at: nullableTime,
      },
      "trusted browsers of 90 days",
    ),
    passkeys: list(
      {
        id: Uuid,
        name: text("Passkey"),
        transports: Type.Array(text("internal")),
        device_type: text("multiDevice"),
        backed_up: Type.Boolean({ examples: [true] }),
        aaguid: Uuid,
        created_at: Timestamp,
        last_used_at: nullableTime,
      },
      "passkeys, without key material",
    ),
    second_factors: list(
      { type: text("totp"), confirmed_at: Timestamp, recovery_codes_remaining: Type.Integer({ examples: [10] }) },
      "second factors, without secrets",
    ),
    grants: list(
      {
        id: Uuid,
        client_id: Uuid,
        client_name: text("Example App"),
        client_host: nullable(text("app.example.com", "host of the metadata document of the application")),
        scopes,
        resources: Type.Array(text("https://api.example.com")),
        created_at: Timestamp,
        updated_at: Timestamp,
      },
      "access of applications",
    ),
    invitations_sent: list(
      {
        id: Uuid,
        organization_id: Uuid,
        email: text("grace@example.com"),
        role: text("member"),
        created_at: Timestamp,
        expires_at: Timestamp,
        accepted_at: nullableTime,
        revoked_at: nullableTime,
      },
      "invitations that the user sent",
    ),
    audit_records: list(
      {
        event_id: Uuid,
        timestamp: Timestamp,
        organization_id: nullable(Uuid),
        action: text("auth.login"),
        resource_type: text("user"),
        resource_id: nullableText("0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e"),
        ip_address: nullableText("198.51.100.24"),
        user_agent: nullableText("Mozilla/5.0"),
        request_id: nullable(Uuid),
        metadata: Type.Record(Type.String(), Type.Unknown(), { examples: [{}] }),
        outcome: text("success"),
      },
      "audit records with the user as actor, the newest first",
    ),
    audit_records_complete: Type.Boolean({
      description: "false: the document has reached 50 MiB, and the oldest audit records are missing",
      examples: [true],
    }),
  },
  { $id: "UserExport", description: "The data of a user" },
);
